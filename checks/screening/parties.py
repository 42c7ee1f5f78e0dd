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
        "stakeholder",
        "stakeholders",
        "psc",
        "pscs",
        "bo",
        "bos",
        "agent",
        "agents",
        "attorney",
        "attorneys",
        "chair",
        "chairperson",
        "wife",
        "husband",
        "child",
        "children",
        "sibling",
        "siblings",
        # as they are called elsewhere
        "gesellschafter",
        "geschaeftsfuehrer",
        "geschäftsführer",
        "inhaber",
        "eigentuemer",
        "eigentümer",
        "vorstand",
        "actionnaire",
        "actionnaires",
        "dirigeant",
        "dirigeants",
        "gerant",
        "gerants",
        "gérant",
        "gérants",
        "beneficiaire",
        "beneficiaires",
        "bénéficiaire",
        "bénéficiaires",
        "associé",
        "associés",
        "accionista",
        "accionistas",
        "socio",
        "socios",
        "beneficiario",
        "beneficiarios",
        "propietario",
        "propietarios",
        "administrador",
        "administradores",
        "soci",
        "azionisti",
        "amministratori",
        "aandeelhouders",
        "bestuurders",
    ]
)
# What follows who they are: persons with significant control, members of the board.
_JOINING = frozenset(["with", "of", "in", "effectifs", "effectif"])
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
# Members that hold people where they are lists or mappings; a text is a description.
_STRUCTURES = frozenset(
    ["ownership", "management", "board", "shareholding", "personnel", "staff", "team"]
)
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
        "address",
        "addresses",
        "email",
        "phone",
        "website",
        "url",
        "document",
        "documents",
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
    for key, value in {**said, **_put_together(said)}.items():
        where = f"{place}, {_words(key)}" if place else _words(key)
        if _names_parties(key, value):
            yield from _named(value, where, depth + 1)
        elif isinstance(value, Mapping) and depth <= DEEPEST:
            yield from _within(value, where, depth + 1)
        elif isinstance(value, list):
            yield from _among(value, where, depth + 1)


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
            if isinstance(label, str) and value is not None and _names_parties(label, value):
                yield from _named(value, f"{where}, {_words(label)}", depth + 1)
            elif _is_somebody(one):
                yield from _of_mapping(one, where, depth)
            else:
                yield from _within(one, where, depth + 1)


def _is_somebody(said: Mapping[str, Any]) -> bool:
    if attested.is_person(said) or attested.is_business(said):
        return True
    has_name = bool(attested.business(said).names)
    return has_name and any(_snake(key) in _OF_SOMEBODY for key in said)


def _put_together(said: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """One party told in several members, as one: owner_1_first_name, owner_1_last_name."""
    found: dict[str, dict[str, Any]] = {}
    for key, value in said.items():
        words = _snake(key).split("_")
        for size in (3, 2, 1):
            who, part = "_".join(words[:-size]), "_".join(words[-size:])
            if who and part in _PARTS and value and _names_parties(who, {}):
                found.setdefault(who, {})[part] = value
                break
    return {
        who: parts
        for who, parts in found.items()
        if who not in said and attested.person(parts).names
    }


def _named(value: object, place: str, depth: int) -> Iterator[Party]:
    """The parties that one member names: a list, one party, several by key, or a bare name."""
    if isinstance(value, (list, Mapping)) and depth > DEEPEST:
        yield Party(place)
    elif isinstance(value, list):
        for number, one in enumerate(value, start=1):
            yield from _named(one, f"{place} {number}", depth + 1)
    elif isinstance(value, str):
        for name in _names_in(value):
            yield Party(place, _subjects([{"name": name}]))
    elif isinstance(value, Mapping):
        yield from _of_mapping(value, place, depth)


def _names_in(text: str) -> list[str]:
    """Several names in one text stand apart by semicolons or lines; by commas where each has words
    enough to be a whole one: not in “Sechin, Igor” and “Parcha Labs, Inc.”"""
    parts = [part.strip() for part in re.split(r"[;|\n]", text)]
    whole = [
        name.strip() for part in parts
        for name in (part.split(",") if all(len(one.split()) > 1 for one in part.split(",")) else [part])
    ]  # fmt: skip
    return [name for name in whole if _is_name(name)]


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
    # owner1, owner_2, owner_name_3
    words = [word for word in re.sub(r"\d+", "_", _snake(key)).split("_") if word]
    if not words or words[0] in _NO_PARTY:
        return False
    joined = next((at for at, word in enumerate(words) if word in _JOINING and at), 0)
    if joined and words[joined - 1] in _ROLES | _GENERIC:
        return True
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
