"""Agents: a kind, a key, and the ordered checks that they run, each with its arguments."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from typing import cast

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from agenthub.models import Agent
from agenthub.wire import JsonObject, Wire
from checks import registry
from checks.base import Check


def new_key(kind: str) -> str:
    """A new unique key: the kind, for people, and 96 random bits."""
    return f"{kind}-{secrets.token_hex(12)}"


def catalogue(kind: str) -> list[Check]:
    """The checks that an agent of this kind can run, the fastest first."""
    return registry.select(kind=cast("registry.CaseKind", kind))


def in_order(checks: Sequence[Check], agent: Agent) -> list[Check]:
    """The checks in the order of the agent.

    Checks that it does not name come last, in their order.
    """
    places: dict[str, int] = {}
    for place, entry in enumerate(agent.checks):
        places.setdefault(entry["check_id"], place)
    last = len(agent.checks)

    def place_of(check: Check) -> int:
        names = (check.id, *check.aliases)
        return min(places.get(name, last) for name in names)

    return sorted(checks, key=place_of)


def clean_checks(value: object, *, kind: str) -> list[Wire]:
    """Validate an agent's checks: `[{"check_id": …, "arguments": {…}}, …]`. Aliases become ids.

    Raises ValidationError.
    """
    if not isinstance(value, list):
        raise ValidationError(_("The checks are a list."))
    entries = [_clean_entry(entry, kind) for entry in value]
    counts = Counter(entry["check_id"] for entry in entries)
    duplicates = []
    for check_id, count in counts.items():
        if count > 1:
            duplicates.append(check_id)
    if duplicates:
        names = ", ".join(sorted(duplicates))
        raise ValidationError(_("Named twice: %(names)s.") % {"names": names})
    return entries


def wrong_arguments(check: Check, arguments: JsonObject) -> dict[str, str]:
    """The errors in the arguments of a check: name → message.

    Wrong values come first, then unknown arguments."""
    declared = check.taken()
    misfits: dict[str, str] = {}
    unknown: dict[str, str] = {}
    for name, value in arguments.items():
        argument = declared.get(name)
        if argument is None:
            unknown[name] = f"There is no argument {name}."
        elif value is not None and not argument.fits(value):
            misfits[name] = f"{name} takes {argument.takes}."
    return misfits | unknown


def _clean_entry(entry: object, kind: str) -> Wire:
    if not isinstance(entry, dict) or not isinstance(entry.get("check_id"), str):
        raise ValidationError(
            _('Each check is an object such as {"check_id": "…", "arguments": {}}.')
        )
    unknown = set(entry) - {"check_id", "arguments"}
    if unknown:
        names = sorted(map(str, unknown))
        raise ValidationError(
            _("A check has no %(names)s.") % {"names": ", ".join(names)}
        )
    try:
        check = registry.get(entry["check_id"])
    except registry.UnknownCheckError as exc:
        raise ValidationError(
            _("There is no check %(check_id)s.") % {"check_id": exc.check_id}
        ) from exc
    if check not in catalogue(kind):
        raise ValidationError(
            _("The check %(id)s is not for this kind of case.") % {"id": check.id}
        )
    arguments = entry.get("arguments", {})
    if not isinstance(arguments, dict):
        raise ValidationError(
            _("The arguments of %(id)s are not a JSON object.") % {"id": check.id}
        )
    wrong = wrong_arguments(check, arguments)
    if wrong:
        raise ValidationError(f"{check.id}: {' '.join(wrong.values())}")
    return {"check_id": check.id, "arguments": arguments}
