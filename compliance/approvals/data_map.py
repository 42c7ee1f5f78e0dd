"""Personal data in proposals and lines: it is about staff."""

from __future__ import annotations

from compliance.security.data_map import Table

_STAFF = "Who works here. The trail names them, too."

TABLES = (
    Table(
        "approvals.Proposal",
        plain="id status updated_at title made_at ended_at reason",
        personal={
            "content": "old and new values of settings, encrypted; of people their roles and address",
            "made_by": "who proposed it",
            "ended_by": "who approved, rejected or withdrew it",
        },
        why="A second person approves changes of settings.",
        kept="for good.",
        note=_STAFF,
    ),
    Table(
        "approvals.Line",
        plain="id at what",
        personal={"by": "who did it", "data": "what was changed"},
        why="Who changed which setting, where no desk keeps an audit trail.",
        kept="for good.",
        note=_STAFF,
    ),
)
