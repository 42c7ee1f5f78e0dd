"""Examines all parts: first those that need no database, then the others."""

from __future__ import annotations

from compliance.db.connections import time_limits
from compliance.operation.doctor import database, machine, registry
from compliance.operation.doctor.registry import Finding, State

# A database that hangs is one finding; the other parts must still be examined.
ANSWER_SECONDS = 20.0
DATABASE_FIRST = "First do what the lines `database` and `migrations` ask for."


def examine() -> list[Finding]:
    """The findings of all parts: of this machine, of the database, and of the apps."""
    findings: list[Finding] = []
    with time_limits.answer_within(ANSWER_SECONDS):
        for part, check in machine.PARTS.items():
            findings += registry.look(part, check)
        reason = database.reason_to_stop()
        parts = {**database.PARTS, **registry.of_apps()}
        for name, look in parts.items():
            if reason and name not in database.ALWAYS:
                text = f"not looked at: {reason}"
                findings.append(registry.warning(name, text, DATABASE_FIRST))
            else:
                findings += registry.look(name, look)
    return findings


def has_failed(findings: list[Finding]) -> bool:
    return any(finding.state == State.FAILED for finding in findings)
