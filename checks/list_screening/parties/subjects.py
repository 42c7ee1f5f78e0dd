"""Whether an object of attested data is a person, a business, or possibly either.

The data are in the object itself or in a nested object, under a member that only wraps them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from checks.list_screening import attested
from checks.list_screening.attested import AttestedData
from checks.list_screening.parties import tunables
from checks.list_screening.parties.members import snake
from checks.screening.records import Subject

# Members with data of the same party in a nested object.
WRAPPERS = frozenset(
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
    r"compan|business|entity|organi[sz]ation|corporat|legal|trust|fund|partnership|kyb|llc|vessel|tanker",
    re.IGNORECASE,
)


def layers_of(data: AttestedData) -> list[AttestedData]:
    """Return the data of a party, and those of its wrapped objects."""
    layers = [data]
    outer = [data]
    while outer and len(layers) <= tunables.DEEPEST:
        inner: list[AttestedData] = []
        for layer in outer:
            for key, value in layer.items():
                if snake(key) in WRAPPERS and isinstance(value, Mapping):
                    inner.append(value)
        layers += inner
        outer = inner
    return layers


def subjects_of(layers: Sequence[AttestedData]) -> tuple[Subject, ...]:
    """Return the party as a person, as a business, or as both if nothing decides.

    Values of a layer win over those of other layers, which only add what it lacks.
    """
    layers = [_filled(layer) for layer in layers]
    whole: dict[str, object] = {}
    for layer in layers:
        whole.update(layer)
    subjects: dict[str, Subject] = {}
    for layer in layers:
        for subject in _readings_of({**whole, **layer}):
            if subject.names or subject.identifiers:
                subjects[repr(subject)] = subject
    return tuple(subjects.values())


def _filled(layer: AttestedData) -> dict[str, object]:
    """Return the members with a value. The heading “Full name” of a form becomes full_name."""
    members: dict[str, object] = {}
    for key, value in layer.items():
        members[str(key).replace(" ", "_")] = value
    return {key: value for key, value in members.items() if value}


def _readings_of(data: AttestedData) -> list[Subject]:
    kind = _kind(data)
    subjects: list[Subject] = []
    person, business = attested.person(data), attested.business(data)
    if kind != "business" and person.names:
        subjects.append(person)
    # A party with only a number is compared with all entries.
    if kind != "person" or not person.names:
        subjects.append(business)
    return subjects


def _kind(data: AttestedData) -> Literal["person", "business", ""]:
    """Return what the party is, by its declared kind and its members; "" if they do not decide."""
    kinds = [data.get(key) for key in _KINDS]
    names_of_kind = " ".join(kind for kind in kinds if isinstance(kind, str))
    is_called_business = bool(_OF_BUSINESS.search(names_of_kind))
    is_called_person = bool(_OF_PERSON.search(names_of_kind)) and not is_called_business
    is_business = is_called_business or attested.is_business(data)
    is_person = is_called_person or attested.is_person(data)
    if is_business == is_person:
        return ""
    if is_person:
        return "person"
    return "business"
