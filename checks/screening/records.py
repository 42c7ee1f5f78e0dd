"""Who stands on a list, and who is screened, in the shape that FollowTheMoney gives to both."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Literal

from checks.screening.identifiers import normal_forms
from checks.screening.identifiers.normal_forms import IdentifierType
from checks.wire import JsonObject, Wire

Schema = Literal["Person", "Organization", "Vessel", "Aircraft", "LegalEntity"]
NameKind = Literal["primary", "alias", "weak", "former", "original_script"]
# A record as plain JSON, as results and stored lists have it.
Payload = Wire
# What an entry is listed for.
TOPICS = ("sanction", "role.pep", "role.rca", "crime", "debarment", "internal")


@dataclass(frozen=True, slots=True)
class ListedName:
    text: str
    kind: NameKind = "primary"


@dataclass(frozen=True, slots=True)
class BirthDate:
    """A date as far as it is known: YYYY, YYYY-MM or YYYY-MM-DD. `circa`: a year either way."""

    date: str
    circa: bool = False


@dataclass(frozen=True, slots=True)
class Identifier:
    """A number somebody issued. `country` is the issuer's code, or "" where it is not told."""

    type: IdentifierType
    value: str
    country: str = ""

    @property
    def normalised(self) -> str:
        """The number as it is compared: blanks, dashes and prefixes are a matter of taste."""
        return normal_forms.normal_form(self.type, self.value)

    @property
    def kind(self) -> IdentifierType:
        """The declared type, or the one that the checksum of a number of no declared one tells."""
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
    # What other publishers call the same entity, as the publisher of this list says.
    references: Sequence[str] = ()

    @property
    def is_person(self) -> bool:
        return self.schema == "Person"

    def to_wire(self) -> Payload:
        """Plain data, without what is empty."""
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
        """Changes with anything in the entry, but for the order of what it lists. References say nothing
        of the entity itself: a list whose entries got some is no list of changed entries."""
        entry = self.to_wire()
        entry.pop("references", None)
        for name, value in entry.items():
            if isinstance(value, list):
                entry[name] = sorted(value, key=_as_text)
        text = json.dumps(entry, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


# The members of an entry that are records of their own.
_MEMBERS: Mapping[str, type[ListedName | BirthDate | Identifier]] = {
    "names": ListedName,
    "birth_dates": BirthDate,
    "identifiers": Identifier,
}


def _as_text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom to screen. Shapes as in Entity; every name counts, the first is shown."""

    names: Sequence[str]
    schema: Schema = "Person"
    birth_date: str = ""
    nationalities: Sequence[str] = ()
    countries: Sequence[str] = ()
    gender: str = ""
    identifiers: Sequence[Identifier] = ()
    birth_place: str = ""

    @property
    def is_person(self) -> bool:
        return self.schema == "Person"


@dataclass(frozen=True, slots=True)
class ListVersion:
    """Which state of which list an answer rests on."""

    slug: str
    title: str
    version: int
    published_at: str
    loaded_at: str
    sha256: str
    entities: int
    is_stale: bool = False
    topics: Sequence[str] = field(default_factory=tuple)
    # Which version of the engine indexed it; "": the one that reads it.
    engine: str = ""

    def to_wire(self) -> Payload:
        return {**asdict(self), "topics": list(self.topics)}
