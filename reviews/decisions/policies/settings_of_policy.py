"""Registers the decision policy and its switch as settings that need a second person."""

from __future__ import annotations

from compliance.approvals import registry
from compliance.approvals.registry import Setting
from reviews.audit.bound_rows import BOUND
from reviews.decisions.policies import versions
from reviews.models import ApprovalSwitch, DecisionPolicy


def register() -> None:
    """Replace the default registration that these two tables have as settings."""
    registry.register(
        Setting(
            DecisionPolicy,
            kind="rules",
            fields=BOUND[DecisionPolicy].fields,
            always_needs_second=True,
            objection=versions.objection,
            has_own_lines=True,
        )
    )
    registry.register(
        Setting(
            ApprovalSwitch,
            kind="rules",
            fields=BOUND[ApprovalSwitch].fields,
            is_at_once=_only_ends,
            always_needs_second=True,
            has_own_lines=True,
        )
    )


def _only_ends(changes: dict[str, list[object]]) -> bool:
    """Whether the change only switches off. Such a change applies at once."""
    return changes["status"][1] == ApprovalSwitch.Status.OFF
