"""Parties: who appears in cases, what cases state of them, and how they hang together."""

from __future__ import annotations

from reviews.models.parties.look_ups import LookUp
from reviews.models.parties.parties import (
    CaseParty,
    Party,
    PartyMerge,
    PartyRelation,
    PartyStatement,
    Source,
)

__all__ = [
    "CaseParty",
    "LookUp",
    "Party",
    "PartyMerge",
    "PartyRelation",
    "PartyStatement",
    "Source",
]
