"""How well a listed name fits a part of a name: some words of it, or their beginnings.

A screening asks whether the subject is listed, and words on one side only count against a match. A
person who looks up a name knows only a part of it, so that words only in the list do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from checks.screening import tunables
from checks.screening.corroboration import Fact, facts
from checks.screening.lists import ListEntry
from checks.screening.matching.alignment import align
from checks.screening.matching.names import Name
from checks.screening.matching.scoring import Pair
from checks.screening.policy import DEFAULT
from checks.screening.records import Entity, ListedName, Payload, Subject


@dataclass(frozen=True, slots=True)
class Fit:
    """A listed name that contains the words.

    `score` is how well, from 0 to 1; `whole` is the score of a screening.
    """

    score: float
    whole: float
    pairs: Sequence[Pair]

    @property
    def is_shown(self) -> bool:
        return self.score >= tunables.LEAST_OF_LOOK_UP


@dataclass(frozen=True, slots=True)
class Result:
    """An entry with its best fitting name. Without a fit it was found by a number."""

    entry: ListEntry
    name: ListedName
    query: str
    fit: Fit | None
    facts: Sequence[Fact]

    @property
    def score(self) -> float:
        if self.fit is None:
            return 1.0
        return self.fit.score

    def to_wire(self) -> Payload:
        entity, version = self.entry.entity, self.entry.version
        pairs = self.fit.pairs if self.fit else ()
        return {
            "list": {
                "slug": version.slug,
                "title": version.title,
                "version": version.version,
                "published_at": version.published_at,
                "sha256": version.sha256,
            },
            "entry": entity.to_wire(),
            "content_hash": entity.content_hash,
            "name": {
                "query": self.query,
                "listed": self.name.text,
                "kind": self.name.kind,
            },
            "how": "name" if self.fit else "number",
            "score": round(self.score, 3),
            "whole_name_score": round(self.fit.whole, 3) if self.fit else None,
            "alignment": [pair.to_wire() for pair in pairs],
            "facts": [fact.to_wire() for fact in self.facts],
        }


def fit(query: Name, entry_name: Name) -> Fit:
    """Return how well a listed name contains the words of the query."""
    alignment = align(query, entry_name)
    pairs: list[Pair] = []
    gain = total = 0.0
    for pair in alignment.pairs:
        better = _beginning(pair, entry_name)
        pairs.append(better)
        # Words that only the listed name has are not counted.
        if better.query:
            gain += better.score * better.weight
            total += better.weight
    score = gain / total if total else 0.0
    return Fit(max(score, alignment.score), alignment.score, tuple(pairs))


def _beginning(pair: Pair, entry_name: Name) -> Pair:
    """Return the pair, or a better one if its word is the beginning of a word of the list."""
    word = pair.query
    if pair.score >= tunables.BEGINNING or len(word) < tunables.SHORTEST_BEGINNING:
        return pair
    for token in entry_name.tokens:
        if token.startswith(word):
            return Pair(word, token, "begins with it", tunables.BEGINNING, pair.weight)
    return pair


def facts_of(entity: Entity, *, name: str, birth_date: str) -> Sequence[Fact]:
    """Return what follows from the date of birth, if one was given."""
    if not birth_date:
        return ()
    subject = Subject([name], "Person", birth_date=birth_date)
    about = facts(subject, entity, DEFAULT)
    return [fact for fact in about if fact.field == "birth_date"]
