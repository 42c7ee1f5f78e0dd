"""Who stands on a list, and who is screened, in the shape that FollowTheMoney gives to both."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

Schema = Literal["Person", "Organization", "Vessel", "Aircraft", "LegalEntity"]
NameKind = Literal["primary", "alias", "weak", "former", "original_script"]
IdentifierType = Literal[
    "passport", "national_id", "tax", "registration", "lei", "imo", "swift", "other"
]
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
        """Letters and digits alone: blanks, dashes and prefixes are a matter of taste."""
        plain = re.sub(r"[^0-9A-Z]", "", self.value.upper())
        return plain.removeprefix("IMO") if self.type == "imo" else plain


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

    @property
    def is_person(self) -> bool:
        return self.schema == "Person"

    def to_wire(self) -> dict[str, Any]:
        """Plain data, without what is empty."""
        said: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        said["names"] = [{"text": one.text, "kind": one.kind} for one in self.names]
        said["birth_dates"] = [{"date": b.date, "circa": b.circa} for b in self.birth_dates]
        said["identifiers"] = [
            {"type": one.type, "value": one.value, "country": one.country}
            for one in self.identifiers
        ]
        return {key: _plain(value) for key, value in said.items() if value not in ("", (), [])}

    @classmethod
    def from_wire(cls, said: Mapping[str, Any]) -> Entity:
        given = {known.name: said[known.name] for known in fields(cls) if known.name in said}
        given["names"] = [ListedName(**one) for one in said.get("names", ())]
        given["birth_dates"] = [BirthDate(**one) for one in said.get("birth_dates", ())]
        given["identifiers"] = [Identifier(**one) for one in said.get("identifiers", ())]
        return cls(**given)

    @property
    def content_hash(self) -> str:
        """Changes when anything that is said of the entry changes, whatever the order."""
        said = self.to_wire()
        for key, value in said.items():
            if isinstance(value, (list, tuple)) and len(value) > 1:
                said[key] = sorted(value, key=lambda one: json.dumps(one, sort_keys=True))
        text = json.dumps(said, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


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

    def to_wire(self) -> dict[str, Any]:
        return {**asdict(self), "topics": list(self.topics)}
