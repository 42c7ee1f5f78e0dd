"""Parties: people and companies over all cases, statements about them, and their relations."""

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
