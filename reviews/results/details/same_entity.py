"""Joins hits on several lists that concern the same person, company or vessel.

The page shows them as one hit with several sources. Two entries are the same entity if they share a
publisher's id, a number that only one entity can have, or a name with the full date of birth. Two
entries of the same list stay separate, because its publisher keeps them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from papers.letters import WORD, without_accents
from reviews.results.kinds import Hit
from reviews.results.reading import items, obj, objects, string, strings
from reviews.wire import JsonObject

# Types of numbers that only one person, company or vessel has, with the label on the page. SWIFT
# codes are not among them: a bank shares its code with its branches. Neither are registration
# numbers: they are unique only within their register.
NUMBERS = {
    "imo": "IMO number",
    "lei": "LEI",
    "passport": "passport number",
    "tax": "tax number",
    "wallet": "wallet address",
}
# Shorter numbers are often placeholders or serial numbers within another number.
SHORTEST_NUMBER = 5
MOST_MEMBERS = 200  # names or numbers of one entry that are compared
_FULL_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
# Publishers' ids that other lists repeat. OpenSanctions prefixes those of the UN with unsc-; the
# lists of the EU and the UK quote the UN's own references (QDi.043).
_PUBLISHED_ID = re.compile(r"(ofac|un|unsc|eu|uk)-[\w.-]+|[a-z]{2}[ie]\.\d{3,4}")


@dataclass
class _Entity:
    """A group of hits on the same entity.

    `signs` maps each feature that identifies the entity to the words that describe it on the page.
    """

    hits: list[Hit]
    lists: set[str]
    schemas: set[str]
    signs: dict[str, str] = field(default_factory=dict)

    def shared(self, other: _Entity) -> str:
        """The words for the feature that both share. "" if they are not the same entity."""
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
    """Joins hits on the same entity. The first hit of a group is the most serious; it holds the
    others.

    `matches` are the payload members that the hits were read from, in the same order. The order of
    the hits is kept.
    """
    entities: list[_Entity] = []
    for hit, match in zip(hits, matches, strict=True):
        entity = _entity(hit, match)
        # Groups that this hit does not join.
        separate: list[_Entity] = []
        for earlier in entities:
            words = earlier.shared(entity)
            if words:
                # This hit may connect two groups that had nothing in common before.
                earlier.add(entity, words)
                entity = earlier
            else:
                separate.append(earlier)
        entities = [*separate, entity]
    # Restore the order of the hits: merging moved groups to the end.
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
        # A hit without a list name gets no signs: it might be on the same list as another hit.
        entity.signs = dict(_signs(entry))
    return entity


def _fit(schemas: set[str]) -> bool:
    """Whether entries of these types may be one entity.

    A person is never a company. A "LegalEntity", or an entry without a type, may be either.
    """
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
    # A name alone identifies nobody. With a full date of birth it does.
    for day in _days(entry):
        for name in _names(entry):
            yield f"born {day} {name}", "name and date of birth"


def _plain_number(kind: str, value: str) -> str:
    if kind == "wallet":
        return value.strip()  # some wallet addresses are case-sensitive
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
    """The names in a comparable form: lower case, no accents, words in alphabetical order.

    Single words and weak aliases are left out: too many people share them.
    """
    for name in objects(items(entry.get("names")), MOST_MEMBERS):
        if name.get("kind") == "weak":
            continue
        letters = without_accents(string(name.get("text"), 300))
        words = WORD.findall(letters.casefold())
        if len(words) > 1:
            yield " ".join(sorted(words))
