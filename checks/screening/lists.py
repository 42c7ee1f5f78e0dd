"""Lists as the engine sees them, and an index of them in memory."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from checks.screening.matching import blocking_keys, names
from checks.screening.matching.names import Name
from checks.screening.records import Entity, Identifier, ListedName, ListVersion


@dataclass(frozen=True, slots=True)
class Candidate:
    """A listed name that may be the one asked for. `entity` is the index's own number of it."""

    entity: int
    listed: ListedName
    name: Name


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry, and the state of the list that it stands on."""

    entity: Entity
    version: ListVersion


class Lists(Protocol):
    """What the engine asks of an index. The hub implements it on its tables."""

    def versions(self, topics: Collection[str] = ()) -> Sequence[ListVersion]:
        """The active versions of the lists that hold entries of these topics (all if empty)."""
        ...

    def candidates(
        self, name: Name, *, topics: Collection[str] = (), limit: int = 50
    ) -> Sequence[Candidate]:
        """The listed names that share the most with a name, best first."""
        ...

    def with_identifiers(
        self, identifiers: Sequence[Identifier], *, topics: Collection[str] = ()
    ) -> Sequence[tuple[int, Identifier]]:
        """The entities that have an identifier of the same normalised value."""
        ...

    def entities(self, numbers: Collection[int]) -> Mapping[int, Listed]: ...


def parsed(listed: ListedName, entity: Entity) -> list[Name]:
    """A listed name as words; of a legal entity that may be either, both ways."""
    kinds = (True, False) if entity.schema == "LegalEntity" else (entity.is_person,)
    return [name for person in kinds if (name := names.parse(listed.text, person=person)).tokens]


@dataclass
class MemoryLists:
    """An index of one list in memory: for the command line, tests, and changed entries."""

    version: ListVersion
    _entities: list[Entity] = field(default_factory=list)
    _names: list[Candidate] = field(default_factory=list)
    _postings: dict[int, array[int]] = field(
        default_factory=lambda: defaultdict(lambda: array("Q"))
    )
    _identifiers: dict[str, list[tuple[int, Identifier]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    @classmethod
    def of(cls, entities: Iterable[Entity], version: ListVersion) -> MemoryLists:
        made = cls(version)
        for number, entity in enumerate(entities):
            made._entities.append(entity)
            for listed in entity.names:
                for name in parsed(listed, entity):
                    made._add(Candidate(number, listed, name))
            for identifier in entity.identifiers:
                made._identifiers[identifier.normalised].append((number, identifier))
        common = frozenset(
            k for k, found in made._postings.items() if len(found) > blocking_keys.COMMON
        )
        for at, one in enumerate(made._names):
            for key in blocking_keys.of_pairs(one.name, common):
                made._postings[key].append(at)
        return made

    def _add(self, candidate: Candidate) -> None:
        for key in blocking_keys.of_name(candidate.name):
            self._postings[key].append(len(self._names))
        self._names.append(candidate)

    def versions(self, topics: Collection[str] = ()) -> Sequence[ListVersion]:
        return [self.version] if not topics or {*topics} & {*self.version.topics} else []

    def candidates(
        self, name: Name, *, topics: Collection[str] = (), limit: int = 50
    ) -> Sequence[Candidate]:
        found = [
            blocking_keys.Posting(weight, self._postings[key])
            for key, weight in blocking_keys.of_query(name).items()
            if key in self._postings
        ]
        best = blocking_keys.rank(found, total=len(self._names), limit=limit)
        return [self._names[at] for at in best]

    def with_identifiers(
        self, identifiers: Sequence[Identifier], *, topics: Collection[str] = ()
    ) -> Sequence[tuple[int, Identifier]]:
        values = {one.normalised for one in identifiers}
        return [hit for value in values for hit in self._identifiers.get(value, ())]

    def entities(self, numbers: Collection[int]) -> Mapping[int, Listed]:
        return {number: Listed(self._entities[number], self.version) for number in numbers}
