"""The registry of settings: which tables are settings, of which kind, and who may change them."""

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


def _not_now() -> bool:
    return False


def _nothing_against(actor: User, row: models.Model) -> str:
    return ""


def _no_obstacle(row: models.Model) -> str:
    return ""


def _nothing_against_values(actor: User, values: dict[str, Any]) -> str:
    return ""


@dataclass(frozen=True)
class Setting:
    """A table of settings. Names of fields are separated by spaces.

    `fields`: the settings themselves. `many`: many-to-many relations. `carried`: columns that
    change as a consequence of others, such as a due time. `secret`: fields that are never shown.
    `is_at_once`: takes the changes of a row and returns whether they need no approval because they
    only end something.
    """

    model: Model
    kind: str
    fields: str
    many: str = ""
    carried: str = ""
    secret: str = ""
    # Fields about a person, which lines never repeat.
    private: str = ""
    # The permission to change the table. Empty: the model's own add, change or delete permission.
    permission: str = ""
    is_at_once: Callable[[dict[str, Any]], bool] = _never
    # Whether a second person is needed regardless of SETTINGS_FOUR_EYES.
    always_needs_second: bool = False
    # Returns whether a second person is needed now, regardless of SETTINGS_FOUR_EYES.
    needs_second_now: Callable[[], bool] = _not_now
    # Returns why nobody may approve a change of this row now, as a sentence; empty if it may be. It
    # hinders no rejection.
    obstacle: Callable[[models.Model], str] = _no_obstacle
    # Returns why this person may not decide on a change of this row, as a sentence; empty if they
    # may.
    objection: Callable[[User, models.Model], str] = _nothing_against
    # The same by the changed values of a row: field → [old value, new value].
    objection_to_values: Callable[[User, dict[str, Any]], str] = _nothing_against_values
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
    """Register a table of settings. Apps call it in `ready`."""
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
