"""Agents: a kind, a key, and the ordered checks that they run, each with its arguments."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.core.exceptions import ValidationError

from agenthub.models import Agent
from checks import registry
from checks.base import Check


def new_key(kind: str) -> str:
    """A key that nobody has: the kind, so that people can tell, and 96 random bits."""
    return f"{kind}-{secrets.token_hex(12)}"


def catalogue(kind: str) -> list[Check]:
    """The checks that an agent of this kind can run, fastest first."""
    return registry.select(kind=cast("registry.CaseKind", kind))


def in_order(checks: Sequence[Check], agent: Agent) -> list[Check]:
    """The checks as the agent orders them; those that it does not name come last, as they are."""
    named = [entry["check_id"] for entry in agent.checks]
    places = {name: place for place, name in reversed(list(enumerate(named)))}

    def place(check: Check) -> int:
        return min((places[name] for name in (check.id, *check.aliases) if name in places), default=len(named))  # fmt: skip

    return sorted(checks, key=place)


def clean_checks(value: Any, *, kind: str) -> list[dict[str, Any]]:
    """`[{"check_id": …, "arguments": {…}}, …]`, with ids for aliases. Raises ValidationError."""
    if not isinstance(value, list):
        raise ValidationError("The checks are a list.")
    cleaned = [_clean_entry(entry, kind) for entry in value]
    ids = [entry["check_id"] for entry in cleaned]
    if twice := {check_id for check_id in ids if ids.count(check_id) > 1}:
        raise ValidationError(f"Named twice: {', '.join(sorted(twice))}.")
    return cleaned


def wrong_arguments(check: Check, given: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with the arguments of a check, by name: unknown ones, and values that do not fit."""
    taken = check.taken()
    wrong = {
        name: f"{name} takes {taken[name].takes}."
        for name, value in given.items()
        if name in taken and value is not None and not taken[name].fits(value)
    }
    return wrong | {name: f"There is no argument {name}." for name in given if name not in taken}


def _clean_entry(entry: Any, kind: str) -> dict[str, Any]:
    if not isinstance(entry, dict) or not isinstance(entry.get("check_id"), str):
        raise ValidationError('Each check is an object such as {"check_id": "…", "arguments": {}}.')
    if unknown := set(entry) - {"check_id", "arguments"}:
        raise ValidationError(f"A check has no {', '.join(sorted(map(str, unknown)))}.")
    try:
        check = registry.get(entry["check_id"])
    except registry.UnknownCheckError as exc:
        raise ValidationError(f"There is no check {exc.check_id}.") from exc
    if check not in catalogue(kind):
        raise ValidationError(f"The check {check.id} is not for this kind of case.")
    arguments = entry.get("arguments", {})
    if not isinstance(arguments, dict):
        raise ValidationError(f"The arguments of {check.id} are not a JSON object.")
    if wrong := wrong_arguments(check, arguments):
        raise ValidationError(f"{check.id}: {' '.join(wrong.values())}")
    return {"check_id": check.id, "arguments": arguments}
