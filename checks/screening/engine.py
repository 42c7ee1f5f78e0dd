"""Screens a subject against lists: who may be meant, how sure that is, and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from checks.screening import corroboration, names, one_word, readable, writing
from checks.screening.alignment import Alignment, Pair, align
from checks.screening.corroboration import Fact
from checks.screening.lists import Candidate, Listed, Lists, parsed
from checks.screening.names import Name
from checks.screening.policy import ALERTING, DEFAULT, Band, Policy
from checks.screening.records import Entity, ListedName, ListVersion, Subject

_BANDS: tuple[Band, ...] = ("identifier_match", "strong", "possible", "discounted", "weak")


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that the subject may be. The alignment and the facts are why."""

    listed: Listed
    name: ListedName
    query: str
    score: float
    band: Band
    pairs: Sequence[Pair]
    facts: Sequence[Fact]

    @property
    def is_alert(self) -> bool:
        return self.band in ALERTING

    @property
    def born_alike(self) -> bool:
        return any(f.field == "birth_date" and f.stand == "corroborates" for f in self.facts)

    def to_wire(self) -> dict[str, Any]:
        entity, version = self.listed.entity, self.listed.version
        return {
            "list": {"slug": version.slug, "title": version.title, "version": version.version,
                     "published_at": version.published_at, "sha256": version.sha256},
            "entry": entity.to_wire(),
            "content_hash": entity.content_hash,
            "name": {"query": self.query, "listed": self.name.text, "kind": self.name.kind},
            "score": round(self.score, 3),
            "band": self.band,
            "alignment": [pair.to_wire() for pair in self.pairs],
            "facts": [fact.to_wire() for fact in self.facts],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Screening:
    """All matches, the most serious first, and the lists that were asked."""

    matches: Sequence[Match]
    lists: Sequence[ListVersion]
    policy: Policy
    # Why names of the subject could not be compared, in sentences.
    not_compared: Sequence[str] = ()

    @property
    def alerts(self) -> list[Match]:
        return [match for match in self.matches if match.is_alert]

    @property
    def best_band(self) -> Band | None:
        return self.matches[0].band if self.matches else None


@dataclass(frozen=True, slots=True)
class _Found:
    """The best name of an entity for the subject."""

    score: float
    query: str
    candidate: Candidate
    alignment: Alignment
    other_script: bool

    @property
    def both(self) -> tuple[Name, Name]:
        listed = self.candidate.name
        return names.parse(self.query, person=listed.person), listed


def compare(one: str, other: str, *, schema: str = "Person") -> float:
    """How alike two names are, from 0 to 1: as the engine scores a listed name."""
    return _explained(one, other, person=schema == "Person").score


def explain(one: str, other: str, *, schema: str = "Person") -> Alignment:
    return _explained(one, other, person=schema == "Person")


def _explained(one: str, other: str, *, person: bool) -> Alignment:
    return align(names.parse(one, person=person), names.parse(other, person=person))


def screen(
    subject: Subject,
    lists: Lists,
    *,
    topics: Collection[str] = (),
    policy: Policy = DEFAULT,
) -> Screening:
    """Match a subject against all entries of the topics (all entries where none is named)."""
    found = _by_name(subject, lists, topics, policy)
    hits = lists.with_identifiers(subject.identifiers, topics=topics) if subject.identifiers else ()
    listed = lists.entities({*found, *(number for number, _ in hits)})
    matches = []
    for number, entry in listed.items():
        if topics and entry.entity.topics and not {*topics} & {*entry.entity.topics}:
            continue
        match = _match(subject, entry, found.get(number), policy)
        if match is not None:
            matches.append(match)
    return Screening(
        sorted(matches, key=_order), lists.versions(topics), policy, readable.not_compared(subject)
    )


def _by_name(
    subject: Subject, lists: Lists, topics: Collection[str], policy: Policy
) -> dict[int, _Found]:
    """For each entity that some name of the subject leads to, its best name."""
    best: dict[int, _Found] = {}
    for text in dict.fromkeys(subject.names):
        query = names.parse(text, person=subject.is_person)
        if not query.tokens:
            continue
        for candidate in lists.candidates(query, topics=topics, limit=policy.candidates):
            found = _compare(text, query, candidate, policy)
            known = best.get(candidate.entity)
            if found and (known is None or found.score > known.score):
                best[candidate.entity] = found
    return best


def _compare(text: str, query: Name, candidate: Candidate, policy: Policy) -> _Found | None:
    alignment = align(query, candidate.name, least=policy.weak)
    factor = policy.weak_alias if candidate.listed.kind == "weak" else 1.0
    score = alignment.score * factor
    if score < policy.weak:
        return None
    other = query.script != candidate.name.script or (
        not writing.is_latin(text) and writing.is_latin(candidate.listed.text)
    )
    return _Found(score, text, candidate, alignment, other)


def _match(subject: Subject, listed: Listed, found: _Found | None, policy: Policy) -> Match | None:
    facts = corroboration.facts(subject, listed.entity, policy)
    if any(f.field == "identifier" and f.stand == "corroborates" for f in facts):
        found = found or _any_name(subject, listed.entity)
        band: Band = "identifier_match"
    elif found is None:
        return None
    else:
        if one_word.is_all(*found.both):
            facts = one_word.held_against(facts, found.alignment.pairs)
        band = _band(found, facts, subject, policy)
    return Match(
        listed, found.candidate.listed, found.query, found.score, band,
        found.alignment.pairs, facts,
    )  # fmt: skip


def _any_name(subject: Subject, entity: Entity) -> _Found:
    """An entry found by its number alone: its names are compared all the same."""
    best = None
    for text in subject.names or ("",):
        query = names.parse(text, person=subject.is_person)
        for listed in entity.names:
            for name in parsed(listed, entity) or [names.parse(listed.text, person=False)]:
                alignment = align(query, name)
                if best is None or alignment.score > best.score:
                    candidate = Candidate(0, listed, name)
                    best = _Found(alignment.score, text, candidate, alignment, other_script=False)
    if best is None:
        raise ValueError("a list entry without a name")
    return best


def _band(found: _Found, facts: Sequence[Fact], subject: Subject, policy: Policy) -> Band:
    if found.score < policy.weak:
        return "weak"
    least = policy.possible_person if subject.is_person else policy.possible_company
    against = {fact.field for fact in facts if fact.stand == "contradicts"}
    backing = [fact.field for fact in facts if fact.stand == "corroborates"]
    if found.other_script and not backing:
        least = max(least, policy.possible_other_script)
    if "birth_date" in backing and len(backing) > 1:
        least = (
            policy.weak
        )  # born on the same day and of the same country: the name may differ more
    if found.score < least or not (backing or _is_enough(found)):
        return "weak"
    if against == {"birth_date"} and round(found.score, 2) >= 1:
        return "possible"  # the very name: one wrong digit of a date would clear whoever has it
    if against:
        return "discounted"
    return "strong" if found.score >= policy.strong else "possible"


def _is_enough(found: _Found) -> bool:
    """Whether the name alone can be a hit: one word of a company is not always."""
    if not one_word.is_all(*found.both):
        return True
    is_weak = found.candidate.listed.kind == "weak"
    return not is_weak and one_word.carries(*found.both, found.alignment.pairs)


def _order(match: Match) -> tuple[Any, ...]:
    stands: Mapping[str, str] = {fact.field: fact.stand for fact in match.facts}
    rank = {"corroborates": 0, "close": 1, "unknown": 2, "contradicts": 3}
    return (
        _BANDS.index(match.band),
        rank[stands.get("birth_date", "unknown")],
        rank[stands.get("nationality", "unknown")],
        -match.score,
        match.listed.version.slug,
        match.listed.entity.id,
    )
