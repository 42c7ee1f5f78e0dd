"""What beside the name speaks for a match, and what against it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal

from checks.screening.policy import Policy
from checks.screening.records import BirthDate, Entity, Identifier, Subject
from checks.text.plurals import counted
from papers import countries

Stand = Literal["corroborates", "close", "contradicts", "unknown"]

# A number that stands for a tax or a registration number is often given as the other.
_OF_BUSINESS = {"tax", "registration", "other"}
_OF_PERSON = {"passport", "national_id", "tax", "other"}
SHORTEST_IDENTIFIER = 5
OLDEST = 130  # years
SAME_DAY = "the same day"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing beside the name, on both sides, and what it says."""

    field: str
    label: str
    subject: str
    listed: str
    stand: Stand
    how: str

    def to_wire(self) -> dict[str, Any]:
        return {
            "field": self.field, "label": self.label, "subject": self.subject,
            "listed": self.listed, "stand": self.stand, "how": self.how,
        }  # fmt: skip


def facts(subject: Subject, entity: Entity, policy: Policy) -> list[Fact]:
    """Every fact that either side gives, in the order in which an analyst looks at them."""
    found = [identifiers(subject, entity)]
    if subject.is_person:
        found += [birth_date(subject, entity, policy), _gender(subject, entity)]
        found += [_nationality(subject, entity), _birth_place(subject, entity)]
    else:
        found += [_kind(subject, entity), _country(subject, entity)]
    return [fact for fact in found if fact is not None]


def identifiers(subject: Subject, entity: Entity) -> Fact | None:
    if not subject.identifiers:
        return None
    for mine in subject.identifiers:
        for theirs in entity.identifiers:
            if same_identifier(mine, theirs):
                how = f"the same {theirs.type.replace('_', ' ')} number"
                return Fact(
                    "identifier", "Identifier", mine.value, theirs.value, "corroborates", how
                )
    listed = ", ".join(f"{one.type}: {one.value}" for one in entity.identifiers[:6])
    said = ", ".join(f"{one.type}: {one.value}" for one in subject.identifiers)
    how = "none is the same" if listed else "the list gives none"
    return Fact("identifier", "Identifier", said, listed, "unknown", how)


def same_identifier(mine: Identifier, theirs: Identifier) -> bool:
    """The same number of a kind that can be the same thing, of issuers that do not differ."""
    if mine.normalised != theirs.normalised or len(mine.normalised) < SHORTEST_IDENTIFIER:
        return False
    if mine.country and theirs.country and mine.country != theirs.country:
        return False
    types = {mine.type, theirs.type}
    return len(types) == 1 or types <= _OF_BUSINESS or types <= _OF_PERSON


def birth_date(subject: Subject, entity: Entity, policy: Policy) -> Fact | None:
    if not subject.birth_date:
        return None
    if not entity.birth_dates:
        how = "the list gives none"
        return Fact("birth_date", "Date of birth", subject.birth_date, "", "unknown", how)
    judged = [_judge_date(subject.birth_date, one, policy) for one in entity.birth_dates]
    stand, how, said = min(judged, key=lambda one: _STANDS.index(one[0]))
    return Fact("birth_date", "Date of birth", subject.birth_date, said, stand, how)


_STANDS: tuple[Stand, ...] = ("corroborates", "close", "unknown", "contradicts")


def _judge_date(mine: str, listed: BirthDate, policy: Policy) -> tuple[Stand, str, str]:
    theirs = listed.date
    said = f"about {theirs}" if listed.circa else theirs
    if not _is_birth_date(mine) or not re.match(r"\d{4}", theirs):
        return "unknown", "not a date of birth", said
    shared = min(len(mine), len(theirs))
    if mine[:shared] == theirs[:shared]:
        how = {4: "the same year", 7: "the same month"}.get(shared, SAME_DAY)
        return "corroborates", how, said
    apart = abs(int(mine[:4]) - int(theirs[:4]))
    if apart == 0 and _swapped(mine, theirs):
        return "close", "day and month exchanged", said
    if apart <= policy.birth_years_apart + (1 if listed.circa else 0):
        how = "the same year, another day" if apart == 0 else f"{counted(apart, 'year')} apart"
        return "close", how, said
    if listed.circa and apart <= 5:
        return "unknown", f"{apart} years from an approximate date", said
    return "contradicts", f"{apart} years apart", said


def _is_birth_date(said: str) -> bool:
    """YYYY, YYYY-MM or YYYY-MM-DD, a day that there is, and somebody alive can be born on."""
    if not re.fullmatch(r"[0-9]{4}(-[0-9]{2}){0,2}", said):
        return False
    try:
        born = date.fromisoformat(said + "-01-01"[len(said) - 4 :])
    except ValueError:
        return False
    today = datetime.now(UTC).date()
    return today.year - OLDEST <= born.year and born <= today


def _swapped(mine: str, theirs: str) -> bool:
    return len(mine) == len(theirs) == 10 and mine[5:7] == theirs[8:] and mine[8:] == theirs[5:7]


def _gender(subject: Subject, entity: Entity) -> Fact | None:
    if not subject.gender or not entity.genders:
        return None
    same = subject.gender in entity.genders
    listed = ", ".join(entity.genders)
    stand: Stand = "corroborates" if same else "contradicts"
    return Fact(
        "gender", "Gender", subject.gender, listed, stand, "the same" if same else "differs"
    )


def _nationality(subject: Subject, entity: Entity) -> Fact | None:
    mine = {*subject.nationalities}
    if not mine:
        return None
    label, said = "Nationality", _countries(subject.nationalities)
    if mine & {*entity.nationalities}:
        how = "the same nationality"
        return Fact(
            "nationality", label, said, _countries(entity.nationalities), "corroborates", how
        )
    listed = _countries([*entity.nationalities, *entity.countries])
    if mine & {*entity.countries}:
        return Fact("nationality", label, said, listed, "corroborates", "a country of the entry")
    # People have several nationalities, and lists are incomplete: it is no contradiction.
    how = "the list names another" if listed else "the list gives none"
    return Fact("nationality", label, said, listed, "unknown", how)


def _country(subject: Subject, entity: Entity) -> Fact | None:
    mine = {*subject.countries, *subject.nationalities}
    if not mine:
        return None
    theirs = [*entity.nationalities, *entity.countries]
    said, listed = _countries(sorted(mine)), _countries(theirs)
    if mine & {*theirs}:
        return Fact("country", "Country", said, listed, "corroborates", "a country of the entry")
    how = "the list names another" if listed else "the list gives none"
    return Fact("country", "Country", said, listed, "unknown", how)


def _kind(subject: Subject, entity: Entity) -> Fact | None:
    """A ship often has the name of a company that has nothing to do with it."""
    kinds = {subject.schema, entity.schema}
    if len(kinds) == 1 or not kinds & _CRAFT or "LegalEntity" in kinds:
        return None
    said, listed = (_KINDS[one] for one in (subject.schema, entity.schema))
    return Fact("kind", "Kind", said, listed, "contradicts", "a craft and a company are two")


_CRAFT = {"Vessel", "Aircraft"}
_KINDS = {"Organization": "company", "Vessel": "vessel", "Aircraft": "aircraft", "Person": "person"}


def _birth_place(subject: Subject, entity: Entity) -> Fact | None:
    if not subject.birth_place or not entity.birth_places:
        return None
    mine, listed = _words([subject.birth_place]), "; ".join(entity.birth_places)
    same = bool(mine & _words(entity.birth_places))
    stand: Stand = "corroborates" if same else "unknown"
    how = "a place of the same name" if same else "the list names another"
    return Fact("birth_place", "Place of birth", subject.birth_place, listed, stand, how)


def _words(places: Iterable[str]) -> set[str]:
    return {word for place in places for word in re.findall(r"\w{4,}", place.casefold())}


def _countries(codes: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(countries.name(code) for code in codes))
