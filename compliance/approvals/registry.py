"""Which tables are settings, of which kind, and who may change them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models

Model = type[models.Model]
KINDS = ("rules", "connections", "subscriptions", "people", "hub", "lists")


def _never(changes: dict[str, object]) -> bool:
    return False


def _nothing_against(actor: User, row: models.Model) -> str:
    return ""


@dataclass(frozen=True)
class Setting:
    """A table of settings. Names of fields are separated by spaces.

    `fields`: the settings themselves. `many`: relations. `carried`: columns that follow from an act on
    the others, as a due time does. `secret`: fields that nobody is shown. `is_at_once`: whether these
    changes of a row may never wait, because they only end something.
    """

    model: Model
    kind: str
    fields: str
    many: str = ""
    carried: str = ""
    secret: str = ""
    # Fields about a person, which no line repeats.
    private: str = ""
    # Empty: the permission of the table for that act (add, change, delete).
    permission: str = ""
    is_at_once: Callable[[dict[str, Any]], bool] = _never
    # Whether a second person is needed whatever the installation's settings say.
    always_needs_second: bool = False
    # Why this person may not approve a change of this row, in words; "" where they may.
    objection: Callable[[User, models.Model], str] = _nothing_against
    # The app records each change of the table itself.
    has_own_lines: bool = False

    @property
    def label(self) -> str:
        return self.model._meta.label_lower

    def permission_for(self, act: str) -> str:
        options = self.model._meta
        return self.permission or f"{options.app_label}.{act}_{options.model_name}"


_settings: dict[str, Setting] = {}


def register(setting: Setting) -> None:
    """Called by the `ready` of an app."""
    if setting.kind not in KINDS:
        raise ValueError(f"There is no kind {setting.kind} of settings.")
    _settings[setting.label] = setting


def registered() -> list[Setting]:
    return list(_settings.values())


def of(label: str) -> Setting:
    return _settings[label]


def needs_second_person(kind: str) -> bool:
    kinds = settings.SETTINGS_FOUR_EYES
    return "all" in kinds or kind in kinds
