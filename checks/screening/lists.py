"""Lists as the engine uses them, and an index of a list in memory."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple, Protocol

from checks.screening import readable
from checks.screening.matching import blocking_keys, names
from checks.screening.matching.blocking_keys import Posting
from checks.screening.matching.names import Name
from checks.screening.records import Entity, Identifier, ListedName, ListVersion


class Candidate(NamedTuple):
    """A listed name that may match. `entity` is the number of the entity in the index."""

    entity: int
    listed_name: ListedName
    name: Name


@dataclass(frozen=True, slots=True)
class ListEntry:
    """An entry with the version of its list."""

    entity: Entity
    version: ListVersion


class Lists(Protocol):
    """The interface of an index for the engine. The hub implements it with its tables."""

    def versions(self, topics: Collection[str] = ()) -> Sequence[ListVersion]:
        """Return the active versions of lists that have entries of these topics (all if empty)."""
        ...

    def candidates(
        self, name: Name, *, topics: Collection[str] = (), limit: int = 50
    ) -> Sequence[Candidate]:
        """Return the listed names that share the most keys with a name, the best first."""
        ...

    def with_identifiers(
        self, identifiers: Sequence[Identifier], *, topics: Collection[str] = ()
    ) -> Sequence[tuple[int, Identifier]]:
        """Return the entities with an identifier of the same normalised value."""
        ...

    def entities(self, numbers: Collection[int]) -> Mapping[int, ListEntry]: ...


def parsed(listed_name: ListedName, entity: Entity) -> list[Name]:
    """Return the parsed forms of a listed name.

    A legal entity that may be a person or not is parsed both ways, and so is each name between
    slashes.
    """
    kinds = [entity.is_person]
    if entity.schema == "LegalEntity":
        kinds = [True, False]
    readings: list[Name] = []
    texts = names.alternatives(listed_name.text, person=entity.is_person)
    if entity.schema == "Vessel":
        texts = list(chain.from_iterable(map(names.of_vessel, texts)))
    for text in texts:
        for person in kinds:
            readings += _parsed(text, entity, person=person)
    return readings


def _parsed(text: str, entity: Entity, *, person: bool) -> Iterator[Name]:
    has_latin_name = entity.has_latin_name
    for reading in names.readings_of_listed(
        text, person=person, has_latin_name=has_latin_name
    ):
        name = names.parse(text, person=person, reading=reading)
        if name.tokens:
            yield name


@dataclass
class MemoryLists:
    """An index of one list in memory, for the command line, tests, and changed entries."""

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
        lists = cls(version)
        for number, entity in enumerate(entities):
            lists._add(number, entity)
        lists._add_keys_of_pairs()
        counts = Counter[str]()
        for entity in lists._entities:
            counts.update(readable.kinds(entity))
        lists.version = replace(
            version,
            other_letters=counts[readable.OTHER_LETTERS],
            unreadable_people=counts[readable.UNREADABLE_PEOPLE],
        )
        return lists

    def _add(self, number: int, entity: Entity) -> None:
        self._entities.append(entity)
        for listed_name in entity.names:
            for name in parsed(listed_name, entity):
                self._add_name(Candidate(number, listed_name, name))
        for identifier in entity.identifiers:
            self._identifiers[identifier.normalised].append((number, identifier))

    def _add_keys_of_pairs(self) -> None:
        """Index pairs of common words.

        Which words are common is known only after all names were added.
        """
        common: set[int] = set()
        for key, numbers in self._postings.items():
            if len(numbers) > blocking_keys.COMMON:
                common.add(key)
        common_keys = frozenset(common)
        for at, candidate in enumerate(self._names):
            for key in blocking_keys.of_pairs(candidate.name, common_keys):
                self._postings[key].append(at)

    def _add_name(self, candidate: Candidate) -> None:
        for key in blocking_keys.of_name(candidate.name):
            self._postings[key].append(len(self._names))
        self._names.append(candidate)

    def versions(self, topics: Collection[str] = ()) -> Sequence[ListVersion]:
        if not topics or not set(topics).isdisjoint(self.version.topics):
            return [self.version]
        return []

    def candidates(
        self, name: Name, *, topics: Collection[str] = (), limit: int = 50
    ) -> Sequence[Candidate]:
        postings: list[Posting] = []
        for key, weight in blocking_keys.of_query(name).items():
            if key in self._postings:
                postings.append(Posting(weight, self._postings[key]))
        best = blocking_keys.rank(postings, total=len(self._names), limit=limit)
        return [self._names[at] for at in best]

    def with_identifiers(
        self, identifiers: Sequence[Identifier], *, topics: Collection[str] = ()
    ) -> Sequence[tuple[int, Identifier]]:
        hits: list[tuple[int, Identifier]] = []
        for value in {identifier.normalised for identifier in identifiers}:
            hits += self._identifiers.get(value, ())
        return hits

    def entities(self, numbers: Collection[int]) -> Mapping[int, ListEntry]:
        return {
            number: ListEntry(self._entities[number], self.version)
            for number in numbers
        }
