"""Registers the settings by which cases are approved automatically: they need a second person."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings

from compliance.approvals import registry
from compliance.approvals.registry import Setting
from reviews.audit.bound_rows import BOUND
from reviews.decisions.automatic import approvals
from reviews.decisions.policies import versions
from reviews.models import ApprovalSwitch, DecisionPolicy, FourEyesRule, RiskPolicy
from reviews.risk import policies


def register() -> None:
    """Replace the default registration that these tables have as settings."""
    registry.register(
        Setting(
            DecisionPolicy,
            kind="rules",
            fields=BOUND[DecisionPolicy].fields,
            always_needs_second=True,
            objection=versions.objection,
            obstacle=versions.obstacle,
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
    # The band of a case and the rules of a second person decide who approves it, and with the policy
    # whether anybody does. So nobody changes them alone, unless a team of one has said so; and while
    # cases are approved automatically not even then.
    for model in (RiskPolicy, FourEyesRule):
        setting = registry.of(model._meta.label_lower)
        registry.register(replace(setting, needs_second_now=_needs_second))
    setting = registry.of(RiskPolicy._meta.label_lower)
    registry.register(replace(setting, obstacle=policies.obstacle))


def _needs_second() -> bool:
    return not settings.RULES_ALONE or approvals.is_on()


def _only_ends(changes: dict[str, list[object]]) -> bool:
    """Whether the change only switches off. Such a change applies at once."""
    return changes["status"][1] == ApprovalSwitch.Status.OFF
