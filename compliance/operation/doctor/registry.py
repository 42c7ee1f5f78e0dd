"""Findings, and the registry of parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError

from compliance.operation import health


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `advice` says what to do; it is empty if nothing needs to be done."""

    part: str
    state: State
    text: str
    advice: str = ""


# The examination of a part: yields its findings.
Check = Callable[[], Iterable[Finding]]

_of_apps: dict[str, Check] = {}
NO_DATABASE = "Repair the database first: /health/ready says what is wrong with it."


def add(part: str, check: Check) -> None:
    """Register a part of an app. It needs the database, and may raise errors."""
    _of_apps[part] = check


def of_apps() -> dict[str, Check]:
    return dict(_of_apps)


def look(part: str, check: Check) -> list[Finding]:
    try:
        return list(check())
    except DatabaseError as exc:
        text = f"the database {health.fault_of(exc)} ({type(exc).__name__})"
        return [Finding(part, State.FAILED, text, NO_DATABASE)]
    except ImproperlyConfigured as exc:
        return [Finding(part, State.FAILED, str(exc), "Correct the setting.")]
    except Exception as exc:  # noqa: BLE001 - an error in one part must not prevent the examination of others
        text = f"could not be looked at ({type(exc).__name__})"
        return [Finding(part, State.FAILED, text, "Report this as a fault.")]


def ok(part: str, text: str) -> Finding:
    return Finding(part, State.OK, text)


def warning(part: str, text: str, advice: str) -> Finding:
    return Finding(part, State.WARNING, text, advice)


def failed(part: str, text: str, advice: str) -> Finding:
    return Finding(part, State.FAILED, text, advice)


def by_health(part: str, state: str, *, good: str, advice: str) -> Finding:
    """A finding for a state as in /health/ready: `ok`, or a description of the fault."""
    if state == "ok":
        return ok(part, good)
    return failed(part, state, advice)
