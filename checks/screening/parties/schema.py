"""The owners, controllers and associated parties of a case, under whatever member they are named.

A party is a mapping or stands in a text (`free_text`), in a list or alone, with its data in itself
or further in (`self_attested_data`, `kyc_schema`), and may have owners of its own. What is listed as
a party and has no name that can be read is kept, so that the check can say so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from checks.data_check import mapping
from checks.screening import attested
from checks.screening.parties import free_text
from checks.screening.parties.members import DESCRIPTIONS, TextRule, names_parties, snake, text_rule
from checks.screening.parties.pieces import PartyName
from checks.screening.records import Subject

# The parts of a name, where one party is told in several members: owner_1_first_name.
_PARTS = frozenset(
    [
        "first_name", "given_name", "given_names", "middle_name", "middle_names", "last_name",
        "family_name", "surname", "full_name", "date_of_birth", "dob", "nationality",
    ]
)  # fmt: skip
# One party in one member, and what each is called beside it: custom fields.
_LABELS, _VALUES = ("label", "key", "field", "question", "title"), ("value", "answer")
# What tells that something with a name is somebody.
_OF_SOMEBODY = frozenset(
    [
        "date_of_birth", "birth_date", "dob", "nationality", "citizenship", "role", "position",
        "percentage", "share", "shares", "ownership", "ownership_percentage", "percent", "stake",
        "tin_number", "business_registration_number", "lei", "country_of_residence",
    ]
)  # fmt: skip
# Data of the same party, one step further in.
_WRAPPERS = frozenset(
    [
        "self_attested_data",
        "kyc_schema",
        "kyb_schema",
        "schema",
        "data",
        "details",
        "profile",
        "attributes",
        "info",
        "information",
    ]
)
_KINDS = ("type", "kind", "entity_type", "party_type", "owner_type", "subject_type")
_OF_PERSON = re.compile(r"person|individual|human|kyc", re.IGNORECASE)
_OF_BUSINESS = re.compile(
    r"compan|business|entity|organi[sz]ation|corporat|legal|trust|fund|partnership|kyb|llc",
    re.IGNORECASE,
)
# Kinds of ownership, alone under a member such as “ownership”: they speak of no party.
_KINDS_OF_OWNERSHIP = frozenset(
    [
        "private", "privately held", "privately owned", "public", "publicly held", "publicly listed",
        "publicly traded", "listed", "sole proprietorship", "partnership",
    ]
)  # fmt: skip
DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Party:
    """Whom to screen, or, without subjects, that somebody is named there and cannot be read."""

    place: str  # where in the data: owners 2
    subjects: tuple[Subject, ...] = ()
    is_free_text: bool = False
    unread: str = ""  # of a free text: what could not be split into names
    is_required: bool = True  # whether what cannot be read leaves the check without a result

    @property
    def name(self) -> str:
        return self.subjects[0].names[0] if self.subjects else ""


def parties_of(schema: Mapping[str, Any], data: Mapping[str, Any]) -> list[Party]:
    """Every party of the case, beside the subject of the case itself, each once."""
    beside = {key: one for key, one in schema.items() if key not in _NOT_ATTESTED}
    found = [*_within(beside, "", 0), *_within(data, "", 0)]
    once: dict[object, Party] = {}
    for one in found:
        once.setdefault(repr(one.subjects) if one.subjects else (one.place, one.unread), one)
    return list(once.values())


_NOT_ATTESTED = ("self_attested_data", "external_validation_data", "research_data")


def _within(said: Mapping[str, Any], place: str, depth: int) -> Iterator[Party]:
    for key, value in {**said, **_put_together(said)}.items():
        where = f"{place}, {_words(key)}" if place else _words(key)
        if names_parties(key, value):
            yield from _named(value, where, depth + 1, _rule(key))
        elif isinstance(value, Mapping) and depth <= DEEPEST:
            yield from _within(value, where, depth + 1)
        elif isinstance(value, list):
            yield from _among(value, where, depth + 1)


def _rule(key: object) -> TextRule:
    """The rule for texts under a member that holds parties, where they are entries of a list, too."""
    rule = text_rule(key)
    return "mention" if rule == "none" else rule


def _among(said: list[Any], place: str, depth: int) -> Iterator[Party]:
    """The parties in a list that is not called after any: who has the facts of somebody, and what
    is within."""
    if depth > DEEPEST:
        return
    for number, one in enumerate(said, start=1):
        where = f"{place} {number}"
        if isinstance(one, list):
            yield from _among(one, where, depth + 1)
        elif isinstance(one, Mapping):
            label, value = (
                next((one[k] for k in keys if k in one), None) for keys in (_LABELS, _VALUES)
            )
            if isinstance(label, str) and value is not None and names_parties(label, value):
                inner = f"{where}, {_words(label)}"
                yield from _named(value, inner, depth + 1, _rule(label))
            elif _is_somebody(one):
                yield from _of_mapping(one, where, depth)
            else:
                yield from _within(one, where, depth + 1)


def _is_somebody(said: Mapping[str, Any]) -> bool:
    if attested.is_person(said) or attested.is_business(said):
        return True
    has_name = bool(attested.business(said).names)
    return has_name and any(snake(key) in _OF_SOMEBODY for key in said)


def _put_together(said: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """One party told in several members, as one: owner_1_first_name, owner_1_last_name."""
    found: dict[str, dict[str, Any]] = {}
    for key, value in said.items():
        words = snake(key).split("_")
        for size in (3, 2, 1):
            who, part = "_".join(words[:-size]), "_".join(words[-size:])
            if who and part in _PARTS and value and names_parties(who, {}):
                found.setdefault(who, {})[part] = value
                break
    return {
        who: parts
        for who, parts in found.items()
        if who not in said and attested.person(parts).names
    }


def _named(
    value: object, place: str, depth: int, rule: TextRule, *, is_entry: bool = False
) -> Iterator[Party]:
    """The parties that one member names: a list, one party, several by key, or a text."""
    if isinstance(value, (list, Mapping)) and depth > DEEPEST:
        yield Party(place)
    elif isinstance(value, list):
        for number, one in enumerate(value, start=1):
            yield from _named(one, f"{place} {number}", depth + 1, rule, is_entry=True)
    elif isinstance(value, str):
        data = _parsed(value)
        if data is None:
            yield from _of_text(value, place, rule, is_entry=is_entry)
        else:
            yield from _named(data, place, depth + 1, rule)
    elif isinstance(value, Mapping):
        yield from _of_mapping(value, place, depth, rule)


def _parsed(text: str) -> object:
    """A list or a mapping that came as JSON in a text, as from a table; else None."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, (list, dict)) else None


def _of_text(text: str, place: str, rule: TextRule, *, is_entry: bool) -> Iterator[Party]:
    """The names of a free text, each as a party, and what could not be read, as one without."""
    if _is_kind_of_ownership(text, place):
        return
    # “local farms” among the suppliers is no name.
    reading = free_text.read(text, is_entry=is_entry and rule != "counterparty")
    unread = [text.strip()] if reading.names_nobody else list(reading.remainder)
    for name in reading.names:
        if rule != "party" and name.text in unread:
            # In small letters: “wholesale of shoes” describes.
            continue
        data = _data_of(name)
        if name.kind == "either" and name.text.isascii() and " " not in name.text:
            if rule == "counterparty":
                # A company among the customers: one word is no name of a person to compare.
                data = {"name": name.text, "type": "business"}
            elif rule == "mention" and not is_entry:
                unread.append(name.text)
                continue
        yield Party(place, _subjects([data]), is_free_text=True)
    if unread:
        shown = " … ".join(unread)
        yield Party(place, unread=shown, is_free_text=True, is_required=rule == "party")


def _data_of(name: PartyName) -> dict[str, str]:
    return {"name": name.text, **({} if name.kind == "either" else {"type": name.kind})}


def _is_kind_of_ownership(text: str, place: str) -> bool:
    member = place.rpartition(", ")[2]
    words = " ".join(text.casefold().strip(" .").split())
    return words in _KINDS_OF_OWNERSHIP and bool(_OF_OWNERSHIP.search(member))


_OF_OWNERSHIP = re.compile(r"\b(?:ownership|shareholding|structure)\b")


def _of_mapping(
    value: Mapping[str, Any], place: str, depth: int, rule: TextRule = "party"
) -> Iterator[Party]:
    layers = _layers(value)
    subjects = _subjects(layers)
    inner = [
        party for layer in layers
        for party in _within({k: v for k, v in layer.items() if k not in _WRAPPERS}, place, depth)
    ]  # fmt: skip
    if not subjects and not inner:
        further = [one for one in value.values() if isinstance(one, Mapping)]
        inner = [p for one in further for p in _named(one, place, depth + 1, rule) if p.subjects]
        inner += _of_keys(value, place, depth, rule)
    inner += [party for layer in layers for party in _of_shared_name(layer, place)]
    if subjects or not inner:
        yield Party(place, subjects, is_required=rule != "counterparty")
    yield from inner


def _of_shared_name(layer: Mapping[str, Any], place: str) -> Iterator[Party]:
    """Several parties in the name of one: {"name": "Ana Reyes 60 %; Marisol Quintero 40 %"}."""
    for key in ("name", "full_name", "legal_name"):
        text = layer.get(key)
        if not isinstance(text, str):
            continue
        reading = free_text.read(text, is_entry=True)
        has_share = any(part.kind == "share" for part in reading.parts)
        # “Reyes, Ana Maria” is one name: a comma alone tells nothing here.
        is_apart = "," not in text or has_share or bool(re.search(r"[;|\n]", text))
        is_firm = any(name.text == " ".join(text.split()) for name in reading.names)
        if is_apart and not is_firm and (len(reading.names) > 1 or has_share):
            for name in reading.names:
                yield Party(place, _subjects([_data_of(name)]), is_free_text=True)


def _of_keys(value: Mapping[str, Any], place: str, depth: int, rule: TextRule) -> Iterator[Party]:
    """Parties by number ({"1": "Ana Reyes"}), shares by name ({"Ana Reyes": "60 %"}), and a text
    about all of them ({"description": "Ana Reyes 60 %"})."""
    for key, one in value.items():
        if isinstance(one, str) and snake(key).isdigit():
            yield from _named(one, f"{place} {key}", depth + 1, rule, is_entry=True)
        elif isinstance(one, str) and snake(key) in DESCRIPTIONS:
            yield from _named(one, f"{place}, {_words(key)}", depth + 1, rule)
        elif " " in str(key).strip() and _is_share(one):
            named = _of_text(str(key), place, rule, is_entry=True)
            yield from (party for party in named if party.subjects)


def _is_share(value: object) -> bool:
    if isinstance(value, str):
        parts = free_text.read(value).parts
        return bool(parts) and all(one.kind in {"share", "detail", "separator"} for one in parts)
    if isinstance(value, Mapping):
        return all(_is_share(one) for one in value.values() if not isinstance(one, Mapping))
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _layers(said: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The data of a party as they are, and those of its wrappers."""
    layers, rest = [said], [said]
    while rest and len(layers) <= DEEPEST:
        rest = [
            mapping(value) for one in rest for key, value in one.items()
            if snake(key) in _WRAPPERS and isinstance(value, Mapping)
        ]  # fmt: skip
        layers += rest
    return layers


def _subjects(layers: Sequence[Mapping[str, Any]]) -> tuple[Subject, ...]:
    """As a person, as a business, or, where nothing tells which, as both."""
    # “Full name” as a heading of a form is full_name.
    named = [{str(key).replace(" ", "_"): one for key, one in layer.items()} for layer in layers]
    whole = {key: value for layer in named for key, value in layer.items() if value}
    found: dict[str, Subject] = {}
    for layer in named:
        said = {**whole, **{key: value for key, value in layer.items() if value}}
        person, business = attested.person(said), attested.business(said)
        kind = _kind(said)
        wanted = {"person": [person], "business": [business]}.get(kind, [person, business])
        found.update({repr(one): one for one in wanted if one.names})
    return tuple(found.values())


def _kind(said: Mapping[str, Any]) -> str:
    """What the party is by what it is called and by its members; "" where they do not tell."""
    called = " ".join(str(said[one]) for one in _KINDS if isinstance(said.get(one), str))
    is_business = bool(_OF_BUSINESS.search(called)) or attested.is_business(said)
    is_person = (
        bool(_OF_PERSON.search(called)) and not _OF_BUSINESS.search(called)
    ) or attested.is_person(said)
    if is_business == is_person:
        return ""
    return "person" if is_person else "business"


def _words(key: object) -> str:
    return snake(key).replace("_", " ")
