"""The labelled values of a document, as a function for `Evidence.once`."""

from __future__ import annotations

from checks.evidence import Evidence
from checks.fields.labels.pairs import Pair, find_pairs
from checks.text.words import Span


def pairs_of(evidence: Evidence) -> list[Pair]:
    return find_pairs(evidence.text)


def is_behind_caption(evidence: Evidence, span: Span) -> bool:
    """Whether the words directly before the passage are the caption of the value above them."""
    between = (
        evidence.text.value[pair.caption.end : span.start]
        for pair in evidence.once(pairs_of)
        if pair.caption is not None and pair.caption.end <= span.start
    )
    return any(not words.strip() for words in between)
