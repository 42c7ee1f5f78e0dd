"""Facts besides the name that speak for a match or against it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import product
from typing import Literal

from rapidfuzz.distance import OSA

from checks.screening import tunables
from checks.screening.identifiers import normal_forms
from checks.screening.identifiers.normal_forms import IdentifierType
from checks.screening.policy import Policy
from checks.screening.records import BirthDate, Entity, Identifier, Subject
from checks.text.plurals import counted
from papers import countries

Stand = Literal["corroborates", "close", "contradicts", "unknown"]

# Tax numbers and registration numbers are often confused, so these kinds may match each other.
_OF_BUSINESS = {"tax", "registration", "other"}
_OF_PERSON = {"passport", "national_id", "tax", "other"}
SAME_DAY = "the same day"
SAME_YEAR = "the same year"


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact besides the name, on both sides, and what follows from it."""

    field: str
    label: str
    subject: str
    entry: str
    stand: Stand
    how: str

    def to_wire(self) -> dict[str, str]:
        return {
            "field": self.field,
            "label": self.label,
            "subject": self.subject,
            "listed": self.entry,
            "stand": self.stand,
            "how": self.how,
        }


def facts(subject: Subject, entity: Entity, policy: Policy) -> list[Fact]:
    """Return every fact that either side has, in the order in which an analyst reads them."""
    comparisons = [identifiers(subject, entity)]
    if subject.is_person:
        comparisons.append(birth_date(subject, entity, policy))
        comparisons.append(_gender(subject, entity))
        comparisons.append(_nationality(subject, entity))
        comparisons.append(_birth_place(subject, entity))
    else:
        comparisons.append(_kind(subject, entity))
        comparisons.append(_country(subject, entity))
    return [fact for fact in comparisons if fact is not None]


def identifiers(subject: Subject, entity: Entity) -> Fact | None:
    if not subject.identifiers:
        return None
    label = "Identifier"
    for mine in subject.identifiers:
        for theirs in entity.identifiers:
            if same_identifier(mine, theirs):
                how = _how_same(mine, theirs)
                return Fact(
                    "identifier", label, mine.value, theirs.value, "corroborates", how
                )
    attested = _identifiers_text(subject.identifiers)
    entry = _identifiers_text(entity.identifiers[: tunables.SHOWN_IDENTIFIERS])
    how = "none is the same" if entry else "the list gives none"
    return Fact("identifier", label, attested, entry, "unknown", how)


def _how_same(mine: Identifier, theirs: Identifier) -> str:
    what = _CALLED.get(theirs.kind, "number")
    if theirs.kind == "swift" and _plain(mine) != _plain(theirs):
        return f"the same bank in the {what}, which also names a branch"
    return f"the same {what}"


_CALLED: Mapping[IdentifierType, str] = {
    "passport": "passport number",
    "national_id": "national id number",
    "tax": "tax number",
    "registration": "registration number",
    "lei": "LEI",
    "imo": "IMO number",
    "swift": "SWIFT code",
    "wallet": "wallet address",
}


def _plain(identifier: Identifier) -> str:
    return normal_forms.plain(identifier.value)


def _identifiers_text(numbers: Iterable[Identifier]) -> str:
    return ", ".join(f"{number.type}: {number.value}" for number in numbers)


def same_identifier(mine: Identifier, theirs: Identifier) -> bool:
    """Whether two identifiers have the same number, compatible kinds, and no different issuers."""
    number = mine.normalised
    if number != theirs.normalised or len(number) < tunables.SHORTEST_IDENTIFIER:
        return False
    # Issuers in two countries may use the same number.
    if mine.country and theirs.country and mine.country != theirs.country:
        return False
    types = {mine.kind, theirs.kind}
    return len(types) == 1 or types <= _OF_BUSINESS or types <= _OF_PERSON


def birth_date(subject: Subject, entity: Entity, policy: Policy) -> Fact | None:
    if not subject.birth_dates:
        return None
    label = "Date of birth"
    if not entity.birth_dates:
        attested = ", ".join(subject.birth_dates)
        return Fact("birth_date", label, attested, "", "unknown", "the list gives none")
    comparisons: list[_DateComparison] = []
    for mine, theirs in product(subject.birth_dates, _of_entry(entity)):
        stand, how = _compare_dates(mine, theirs, policy)
        comparisons.append((stand, how, mine, theirs))
    stand, how, attested, nearest = min(comparisons, key=_rank)
    if nearest.circa and how == SAME_YEAR and _is_wide(entity.birth_dates):
        stand = "close"
    text = nearest.date
    if nearest.circa:
        text = f"about {text}"
    return Fact("birth_date", label, attested, text, stand, how)


def _of_entry(entity: Entity) -> Sequence[BirthDate]:
    """Return the dates of birth that the list gives, without placeholders if there are others."""
    possible = [listed for listed in entity.birth_dates if _is_birth_date(listed.date)]
    return possible or entity.birth_dates


def _is_wide(birth_dates: Sequence[BirthDate]) -> bool:
    """Whether the list gives a span of so many years that it says little of anybody."""
    return sum(listed.circa for listed in birth_dates) > tunables.TELLING_SPAN


_DateComparison = tuple[Stand, str, str, BirthDate]
# The best first: if a list, or the subject, has several dates of birth, the best comparison counts.
_STANDS: tuple[Stand, ...] = ("corroborates", "close", "unknown", "contradicts")


def _rank(comparison: _DateComparison) -> int:
    return _STANDS.index(comparison[0])


def _compare_dates(mine: str, entry: BirthDate, policy: Policy) -> tuple[Stand, str]:
    theirs = entry.date
    # Lists write 0000-00-00 and 1900-01-01 where they know no date. It speaks against nobody.
    if not _is_birth_date(mine) or not _is_birth_date(theirs):
        return "unknown", "not a date of birth"
    shared = min(len(mine), len(theirs))
    if mine[:shared] == theirs[:shared]:
        how = {4: SAME_YEAR, 7: "the same month"}.get(shared, SAME_DAY)
        return "corroborates", how
    return _compare_days(mine, entry, policy)


def _compare_days(mine: str, entry: BirthDate, policy: Policy) -> tuple[Stand, str]:
    """Compare two dates that differ."""
    theirs = entry.date
    years = abs(int(mine[:4]) - int(theirs[:4]))
    if years == 0 and _swapped(mine, theirs):
        return "close", "day and month exchanged"
    # An approximate date on the list may be a year off.
    years_allowed = policy.birth_years_apart
    if entry.circa:
        years_allowed += 1
    if years == 0:
        return "close", "the same year, another day"
    if years <= years_allowed:
        return "close", f"{counted(years, 'year')} apart"
    if _has_slip_in_year(mine, theirs):
        return "close", "the same day and month, one slip in the year"
    if entry.circa and years <= tunables.CIRCA_YEARS:
        return "unknown", f"{years} years from an approximate date"
    return "contradicts", f"{years} years apart"


def _is_birth_date(text: str) -> bool:
    """Whether the text is YYYY, YYYY-MM or YYYY-MM-DD, and a possible date of birth of a living
    person.
    """
    if not re.fullmatch(r"[0-9]{4}(-[0-9]{2}){0,2}", text):
        return False
    missing = "-01-01"[len(text) - 4 :]
    try:
        birth_date = date.fromisoformat(text + missing)
    except ValueError:
        return False
    today = datetime.now(UTC).date()
    return today.year - tunables.OLDEST <= birth_date.year and birth_date <= today


def _swapped(mine: str, theirs: str) -> bool:
    if len(mine) != 10 or len(theirs) != 10:
        return False
    month, day = mine[5:7], mine[8:]
    return theirs[5:7] == day and theirs[8:] == month


def _has_slip_in_year(mine: str, theirs: str) -> bool:
    """Whether the day and the month agree, and one digit of the year is another one or two are
    exchanged: 1961 and 1967, 1961 and 1916.

    One person in 365 has the same day by chance. The first of January stands for an unknown day.
    """
    if len(mine) != 10 or mine[4:] != theirs[4:] or mine.endswith("-01-01"):
        return False
    return OSA.distance(mine[:4], theirs[:4]) == 1


def _gender(subject: Subject, entity: Entity) -> Fact | None:
    if not subject.gender or not entity.genders:
        return None
    entry = ", ".join(entity.genders)
    if subject.gender in entity.genders:
        return Fact(
            "gender", "Gender", subject.gender, entry, "corroborates", "the same"
        )
    return Fact("gender", "Gender", subject.gender, entry, "contradicts", "differs")


def _nationality(subject: Subject, entity: Entity) -> Fact | None:
    mine = set(subject.nationalities)
    if not mine:
        return None
    label = "Nationality"
    attested = _countries(subject.nationalities)
    if mine & set(entity.nationalities):
        entry = _countries(entity.nationalities)
        how = "the same nationality"
        return Fact("nationality", label, attested, entry, "corroborates", how)
    entry = _countries([*entity.nationalities, *entity.countries])
    if mine & set(entity.countries):
        how = "a country of the entry"
        return Fact("nationality", label, attested, entry, "corroborates", how)
    # People may have several nationalities, and lists are incomplete, so a different one is no
    # contradiction.
    how = "the list names another" if entry else "the list gives none"
    return Fact("nationality", label, attested, entry, "unknown", how)


def _country(subject: Subject, entity: Entity) -> Fact | None:
    mine = {*subject.countries, *subject.nationalities}
    if not mine:
        return None
    theirs = [*entity.nationalities, *entity.countries]
    attested = _countries(sorted(mine))
    entry = _countries(theirs)
    if mine & set(theirs):
        how = "a country of the entry"
        return Fact("country", "Country", attested, entry, "corroborates", how)
    how = "the list names another" if entry else "the list gives none"
    return Fact("country", "Country", attested, entry, "unknown", how)


def _kind(subject: Subject, entity: Entity) -> Fact | None:
    """Compare the kinds. A ship often has the name of a company that has nothing to do with it."""
    kinds = {subject.schema, entity.schema}
    if len(kinds) == 1 or "LegalEntity" in kinds:
        return None
    if kinds.isdisjoint(_CRAFT):
        return None
    attested = _KINDS[subject.schema]
    entry = _KINDS[entity.schema]
    return Fact(
        "kind", "Kind", attested, entry, "contradicts", "a craft and a company are two"
    )


_CRAFT = {"Vessel", "Aircraft"}
_KINDS = {
    "Organization": "company",
    "Vessel": "vessel",
    "Aircraft": "aircraft",
    "Person": "person",
}


def _birth_place(subject: Subject, entity: Entity) -> Fact | None:
    if not subject.birth_place or not entity.birth_places:
        return None
    label = "Place of birth"
    place = subject.birth_place
    entry = "; ".join(entity.birth_places)
    if _words([place]) & _words(entity.birth_places):
        how = "a place of the same name"
        return Fact("birth_place", label, place, entry, "corroborates", how)
    return Fact("birth_place", label, place, entry, "unknown", "the list names another")


def _words(places: Iterable[str]) -> set[str]:
    words: set[str] = set()
    for place in places:
        words.update(_WORD_OF_PLACE.findall(place.casefold()))
    return words


# Shorter words (am, la, of) are part of too many places.
_WORD_OF_PLACE = re.compile(r"\w{4,}")


def _countries(codes: Sequence[str]) -> str:
    names = map(countries.name, codes)
    return ", ".join(dict.fromkeys(names))
