"""The labelled values of a document, as a function for `Evidence.once`."""

from __future__ import annotations

from checks.evidence import Evidence
from checks.fields.labels.pairs import Pair, find_pairs


def pairs_of(evidence: Evidence) -> list[Pair]:
    return find_pairs(evidence.text)
