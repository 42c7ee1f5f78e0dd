"""The owners, controllers and associated parties of a case, under whatever member they are named.

A party is a mapping or a bare name, in a list or alone, with its data in itself or further in
(`self_attested_data`, `kyc_schema`), and may have owners of its own. What is listed as a party and
has no name that can be read is kept, so that the check can say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from checks.data_check import mapping
from checks.screening import attested
from checks.screening.records import Subject

# Words of the members that hold parties.
_GENERIC = frozenset(
    [
        "entity",
        "entities",
        "company",
        "companies",
        "business",
        "businesses",
        "organization",
        "organizations",
        "organisation",
        "organisations",
        "person",
        "persons",
        "people",
        "individual",
        "individuals",
        "party",
        "parties",
    ]
)
_ROLES = frozenset(
    [
        "owner",
        "owners",
        "ubo",
        "ubos",
        "officer",
        "officers",
        "partner",
        "partners",
        "director",
        "directors",
        "shareholder",
        "shareholders",
        "stockholder",
        "stockholders",
        "controller",
        "controllers",
        "member",
        "members",
        "principal",
        "principals",
        "signatory",
        "signatories",
        "signer",
        "signers",
        "manager",
        "managers",
        "representative",
        "representatives",
        "trustee",
        "trustees",
        "beneficiary",
        "beneficiaries",
        "settlor",
        "settlors",
        "protector",
        "protectors",
        "nominee",
        "nominees",
        "founder",
        "founders",
        "executive",
        "executives",
        "president",
        "secretary",
        "treasurer",
        "chairman",
        "ceo",
        "cfo",
        "coo",
        "parent",
        "parents",
        "subsidiary",
        "subsidiaries",
        "affiliate",
        "affiliates",
        "guarantor",
        "guarantors",
        "investor",
        "investors",
        "proprietor",
        "proprietors",
        "administrator",
        "administrators",
        "relative",
        "relatives",
        "associate",
        "associates",
        "spouse",
        "holder",
        "holders",
    ]
)
# Members that hold people where they are lists or mappings; a text is a description.
_STRUCTURES = frozenset(["ownership", "management", "board", "shareholding"])
# "owner_name", "owners_list": what follows the word.
_SUFFIXES = frozenset(
    ["full", "legal", "name", "names", "list", "data", "info", "information", "details"]
)
# "type_of_business", "number_of_owners": no party.
_NO_PARTY = frozenset(
    [
        "type",
        "nature",
        "line",
        "kind",
        "purpose",
        "description",
        "number",
        "count",
        "country",
        "date",
        "age",
        "place",
        "years",
        "is",
        "has",
        "politically",
    ]
)
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
# Answers to a question, and no names.
_ANSWERS = frozenset(
    ["yes", "no", "true", "false", "none", "null", "unknown", "n/a", "na", "y", "n"]
)
DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Party:
    """Whom to screen, or, without subjects, that somebody is named there and cannot be read."""

    place: str  # where in the data: owners 2
    subjects: tuple[Subject, ...] = ()

    @property
    def name(self) -> str:
        return self.subjects[0].names[0] if self.subjects else ""


def parties_of(schema: Mapping[str, Any], data: Mapping[str, Any]) -> list[Party]:
    """Every party of the case, beside the subject of the case itself, each once."""
    beside = {key: one for key, one in schema.items() if key not in _NOT_ATTESTED}
    found = [*_within(beside, "", 0), *_within(data, "", 0)]
    once: dict[object, Party] = {}
    for one in found:
        once.setdefault(repr(one.subjects) if one.subjects else one.place, one)
    return list(once.values())


_NOT_ATTESTED = ("self_attested_data", "external_validation_data", "research_data")


def _within(said: Mapping[str, Any], place: str, depth: int) -> Iterator[Party]:
    for key, value in said.items():
        where = f"{place}, {_words(key)}" if place else _words(key)
        if _names_parties(key, value):
            yield from _named(value, where, depth + 1)
        elif isinstance(value, Mapping) and depth <= DEEPEST:
            yield from _within(value, where, depth + 1)


def _named(value: object, place: str, depth: int) -> Iterator[Party]:
    """The parties that one member names: a list, one party, several by key, or a bare name."""
    if isinstance(value, (list, Mapping)) and depth > DEEPEST:
        yield Party(place)
    elif isinstance(value, list):
        for number, one in enumerate(value, start=1):
            yield from _named(one, f"{place} {number}", depth + 1)
    elif isinstance(value, str) and _is_name(value):
        yield Party(place, _subjects([{"name": value}]))
    elif isinstance(value, Mapping):
        yield from _of_mapping(value, place, depth)


def _of_mapping(value: Mapping[str, Any], place: str, depth: int) -> Iterator[Party]:
    layers = _layers(value)
    subjects = _subjects(layers)
    inner = [
        party for layer in layers
        for party in _within({k: v for k, v in layer.items() if k not in _WRAPPERS}, place, depth)
    ]  # fmt: skip
    if not subjects and not inner:
        further = [one for one in value.values() if isinstance(one, Mapping)]
        inner = [p for one in further for p in _named(one, place, depth + 1) if p.subjects]
    if subjects or not inner:
        yield Party(place, subjects)
    yield from inner


def _layers(said: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The data of a party as they are, and those of its wrappers."""
    layers, rest = [said], [said]
    while rest and len(layers) <= DEEPEST:
        rest = [
            mapping(value) for one in rest for key, value in one.items()
            if _snake(key) in _WRAPPERS and isinstance(value, Mapping)
        ]  # fmt: skip
        layers += rest
    return layers


def _subjects(layers: list[Mapping[str, Any]]) -> tuple[Subject, ...]:
    """As a person, as a business, or, where nothing tells which, as both."""
    whole = {key: value for layer in layers for key, value in layer.items() if value}
    found: dict[str, Subject] = {}
    for layer in layers:
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


def _is_name(text: str) -> bool:
    return any(c.isalpha() for c in text) and text.strip().casefold() not in _ANSWERS


def _names_parties(key: object, value: object) -> bool:
    words = _snake(key).split("_")
    if words[0] in _NO_PARTY:
        return False
    if not isinstance(value, str) and words[-1] in _STRUCTURES:
        return True
    bare = list(words)
    while len(bare) > 1 and bare[-1] in _SUFFIXES:
        bare.pop()
    if len(bare) < len(words):
        # "business_name" is the name of the case's own business.
        return bool(_ROLES & {*bare}) and bare[-1] in _ROLES | _GENERIC
    return bare[-1] in _ROLES | _GENERIC


def _snake(key: object) -> str:
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(key))
    return re.sub(r"[\W_]+", "_", apart).strip("_").casefold()


def _words(key: object) -> str:
    return _snake(key).replace("_", " ")
