"""Hits on entries of several lists that are one listed entity: shown as one, with its sources.

Two entries are one entity if they share an id of the publisher, a number that only one can have, or
a name with the full date of birth. Two entries of one list are two: their publisher keeps them apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from reviews.results.kinds import Hit
from reviews.results.reading import items, obj, objects, string, strings
from reviews.wire import JsonObject

# Numbers that one person, company or vessel has, with how the page calls them. A bank shares its
# SWIFT code with its branches, and a registration number is unique in its register only.
NUMBERS = {
    "imo": "IMO number",
    "lei": "LEI",
    "passport": "passport number",
    "tax": "tax number",
    "wallet": "wallet address",
}
# Shorter ones are placeholders and serial numbers within something else.
SHORTEST_NUMBER = 5
MOST_MEMBERS = 200  # names or numbers of one entry that are compared
_FULL_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
# Ids that other lists take over from a publisher: OpenSanctions calls those of the UN unsc-, and the
# EU and the UK name the UN's own references (QDi.043).
_PUBLISHED_ID = re.compile(r"(ofac|un|unsc|eu|uk)-[\w.-]+|[a-z]{2}[ie]\.\d{3,4}")


@dataclass
class _Entity:
    """Hits that are one entity. `signs`: what of them another entry may share, and how that is called."""

    hits: list[Hit]
    lists: set[str]
    schemas: set[str]
    signs: dict[str, str] = field(default_factory=dict)

    def shared(self, other: _Entity) -> str:
        """By what both are one; "" where they are not."""
        if self.lists & other.lists or not _fit(self.schemas | other.schemas):
            return ""
        for sign, words in self.signs.items():
            if sign in other.signs:
                return words
        return ""

    def add(self, other: _Entity, words: str) -> None:
        first, *rest = other.hits
        self.hits += [replace(first, same_by=words), *rest]
        self.lists |= other.lists
        self.schemas |= other.schemas
        self.signs |= other.signs


def joined(hits: Sequence[Hit], matches: Sequence[JsonObject]) -> list[Hit]:
    """The hits, those on one entity as one: the first of them, which is the most serious, with the
    others. `matches`: what each hit was read from."""
    entities: list[_Entity] = []
    for hit, match in zip(hits, matches, strict=True):
        entity = _entity(hit, match)
        kept: list[_Entity] = []
        for earlier in entities:
            words = earlier.shared(entity)
            if words:
                # It may tie together two that seemed to be two.
                earlier.add(entity, words)
                entity = earlier
            else:
                kept.append(earlier)
        entities = [*kept, entity]
    places = {hit.ref: at for at, hit in enumerate(hits)}
    entities.sort(key=lambda entity: places[entity.hits[0].ref])
    return [_one(entity) for entity in entities]


def _one(entity: _Entity) -> Hit:
    first, *others = entity.hits
    return replace(first, others=tuple(others))


def _entity(hit: Hit, match: JsonObject) -> _Entity:
    entry = obj(match.get("entry"))
    slug = string(obj(match.get("list")).get("slug"), 200)
    entity = _Entity([hit], {slug}, {string(entry.get("schema"), 40)})
    if slug:
        # Of a list without a name nobody can tell whether it is another one.
        entity.signs = dict(_signs(entry))
    return entity


def _fit(schemas: set[str]) -> bool:
    """A person is no company; a legal entity may be either, and so may what tells no schema."""
    return len(schemas - {"LegalEntity", ""}) < 2


def _signs(entry: JsonObject) -> Iterator[tuple[str, str]]:
    references = strings(entry.get("references"))
    for reference in (string(entry.get("id"), 200), *references[:MOST_MEMBERS]):
        published_id = reference.casefold()
        if _PUBLISHED_ID.fullmatch(published_id):
            plain = published_id.replace("unsc-", "un-", 1)
            yield f"id {plain}", "publisher's reference"
    for number in objects(items(entry.get("identifiers")), MOST_MEMBERS):
        kind = string(number.get("type"), 40)
        value = _plain_number(kind, string(number.get("value"), 200))
        if kind in NUMBERS and value:
            country = string(number.get("country"), 2).casefold()
            yield f"{kind} {country} {value}", NUMBERS[kind]
    for day in _days(entry):
        for name in _names(entry):
            yield f"born {day} {name}", "name and date of birth"


def _plain_number(kind: str, value: str) -> str:
    if kind == "wallet":
        return value.strip()  # capitals count in some of them
    plain = "".join(filter(str.isalnum, value.upper()))
    has_digit = any(map(str.isdigit, plain))
    if has_digit and len(plain) >= SHORTEST_NUMBER:
        return plain
    return ""


def _days(entry: JsonObject) -> Iterator[str]:
    for born in objects(items(entry.get("birth_dates")), MOST_MEMBERS):
        day = string(born.get("date"), 10)
        if _FULL_DATE.fullmatch(day) and not born.get("circa"):
            yield day


def _names(entry: JsonObject) -> Iterator[str]:
    """The names as they are compared: small letters without accents, the words in order."""
    for name in objects(items(entry.get("names")), MOST_MEMBERS):
        if name.get("kind") == "weak":
            continue
        text = unicodedata.normalize("NFKD", string(name.get("text"), 300))
        letters = []
        for letter in text:
            if not unicodedata.combining(letter):
                letters.append(letter)
        words = re.findall(r"\w+", "".join(letters).casefold())
        if len(words) > 1:
            yield " ".join(sorted(words))
