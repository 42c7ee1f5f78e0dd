"""Registers the screening policy as a setting that needs a second person."""

from __future__ import annotations

from compliance.approvals import registry
from compliance.approvals.registry import Setting
from reviews.audit.bound_rows import BOUND
from reviews.models import ScreeningPolicy
from reviews.screening import versions


def register() -> None:
    """Replace the default registration that this table has as a setting."""
    registry.register(
        Setting(
            ScreeningPolicy,
            kind="rules",
            fields=BOUND[ScreeningPolicy].fields,
            always_needs_second=True,
            objection=versions.objection,
            obstacle=versions.obstacle,
            has_own_lines=True,
        )
    )
