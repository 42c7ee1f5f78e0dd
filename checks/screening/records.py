"""Entries of lists and subjects of screening, in the model of FollowTheMoney."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Literal

from checks.screening.identifiers import normal_forms
from checks.screening.identifiers.normal_forms import IdentifierType
from checks.screening.romanisation import scripts
from checks.wire import JsonObject, Wire

Schema = Literal["Person", "Organization", "Vessel", "Aircraft", "LegalEntity"]
NameKind = Literal["primary", "alias", "weak", "former", "original_script"]
# A record as plain JSON, as in results and stored lists.
Payload = Wire
# Why an entry is listed.
TOPICS = ("sanction", "role.pep", "role.rca", "crime", "debarment", "internal")


@dataclass(frozen=True, slots=True)
class ListedName:
    text: str
    kind: NameKind = "primary"


@dataclass(frozen=True, slots=True)
class BirthDate:
    """A date as far as it is known: YYYY, YYYY-MM or YYYY-MM-DD. `circa`: it may be a year off."""

    date: str
    circa: bool = False


@dataclass(frozen=True, slots=True)
class Identifier:
    """A number from an issuer.

    `country` is the code of the issuer's country, or "" if not known.
    """

    type: IdentifierType
    value: str
    country: str = ""

    @property
    def normalised(self) -> str:
        """The number in the form for comparison, without spaces, dashes and prefixes."""
        return normal_forms.normal_form(self.type, self.value)

    @property
    def kind(self) -> IdentifierType:
        """The declared type.

        If none is declared, the type that the checksum of the number reveals.
        """
        return normal_forms.type_of(self.type, self.value)


@dataclass(frozen=True, slots=True)
class Entity:
    """One entry of a list. Countries are two-letter codes, dates ISO 8601, genders m or f."""

    id: str
    schema: Schema
    names: Sequence[ListedName]
    birth_dates: Sequence[BirthDate] = ()
    birth_places: Sequence[str] = ()
    nationalities: Sequence[str] = ()
    countries: Sequence[str] = ()
    genders: Sequence[str] = ()
    identifiers: Sequence[Identifier] = ()
    addresses: Sequence[str] = ()
    positions: Sequence[str] = ()
    topics: Sequence[str] = ()
    programs: Sequence[str] = ()
    listed_on: str = ""
    reason: str = ""
    source_url: str = ""
    # Ids of the same entity at other publishers, as stated by the publisher of this list.
    references: Sequence[str] = ()

    @property
    def is_person(self) -> bool:
        return self.schema == "Person"

    @property
    def has_latin_name(self) -> bool:
        """Whether the list gives a name in Latin letters, and not only a weak alias."""
        strong = [name for name in self.names if name.kind != "weak"]
        return any(scripts.is_latin(name.text) for name in strong or self.names)

    def to_wire(self) -> Payload:
        """Return plain data without empty members."""
        entry: Payload = {}
        for field_ in fields(self):
            value = getattr(self, field_.name)
            if field_.name in _MEMBERS:
                value = [asdict(member) for member in value]
            elif isinstance(value, (list, tuple)):
                value = list(value)
            if value not in ("", []):
                entry[field_.name] = value
        return entry

    @classmethod
    def from_wire(cls, entry: JsonObject) -> Entity:
        values: Payload = {}
        for field_ in fields(cls):
            if field_.name in entry:
                values[field_.name] = entry[field_.name]
        for name, member_type in _MEMBERS.items():
            members = entry.get(name, ())
            values[name] = [member_type(**member) for member in members]
        return cls(**values)

    @property
    def content_hash(self) -> str:
        """A hash of the content. The order of lists within the entry does not matter.

        References are left out: they say nothing about the entity itself, and adding some must not
        mark the entry as changed.
        """
        entry = self.to_wire()
        entry.pop("references", None)
        for name, value in entry.items():
            if isinstance(value, list):
                entry[name] = sorted(value, key=_as_text)
        text = json.dumps(entry, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


# The members of an entry that are lists of records.
_MEMBERS: Mapping[str, type[ListedName | BirthDate | Identifier]] = {
    "names": ListedName,
    "birth_dates": BirthDate,
    "identifiers": Identifier,
}


def _as_text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Subject:
    """The person or business to screen.

    Types as in Entity. Every name is compared, and the first is shown.
    """

    names: Sequence[str]
    schema: Schema = "Person"
    birth_date: str = ""
    nationalities: Sequence[str] = ()
    countries: Sequence[str] = ()
    gender: str = ""
    identifiers: Sequence[Identifier] = ()
    birth_place: str = ""
    # The date of birth on the identity document, if the form has another one.
    birth_date_on_card: str = ""

    @property
    def is_person(self) -> bool:
        return self.schema == "Person"

    @property
    def birth_dates(self) -> list[str]:
        dates = (self.birth_date, self.birth_date_on_card)
        return list(dict.fromkeys(filter(None, dates)))


@dataclass(frozen=True, slots=True)
class ListVersion:
    """The version of a list that a result rests on."""

    slug: str
    title: str
    version: int
    published_at: str
    loaded_at: str
    sha256: str
    entities: int
    is_stale: bool = False
    topics: Sequence[str] = field(default_factory=tuple)
    # The version of the engine that indexed it; "" means the present one.
    engine: str = ""
    # How many companies, vessels and the like have no name in Latin letters.
    other_letters: int = 0
    # How many people have no name in letters that can be compared reliably.
    unreadable_people: int = 0

    def to_wire(self) -> Payload:
        return {**asdict(self), "topics": list(self.topics)}
