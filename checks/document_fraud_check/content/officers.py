"""Indicators from the officer whose name is on a certificate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from checks.data import table
from checks.document_fraud_check import tunables
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence
from checks.fields.general import dates_of, jurisdiction_of
from checks.text.phrases import Pattern, Phrase
from checks.text.words import (
    Span,
)

OFFICE = Phrase(r"\bsecretary of (?:the )?(?:state|commonwealth)\b")


@dataclass(frozen=True, slots=True)
class Term:
    """The first and last year of an officer in office. `until` is None if the last is not known."""

    name: str
    since: int
    until: int | None
    pattern: Pattern

    def holds(self, year: int) -> bool | None:
        """Return whether the officer was in office in a year; None if the table does not cover that
        year.
        """
        if self.until is None and year > tunables.OFFICERS_AS_OF:
            return None
        return self.since <= year <= (self.until or tunables.OFFICERS_AS_OF)

    @property
    def years(self) -> str:
        if self.until:
            return f"{self.since} to {self.until}"
        return f"since {self.since}"


@indicator("INFO", "cross-check")
def issuing_officer_plausible(evidence: Evidence) -> IndicatorResult:
    """The officer who is named was in office at the date.

    A secretary of state is named on the certificate, and a date of the document is of a year in
    which that person held the office.

    Found: a table of secretaries of state of states of the USA, with the years of their terms; the
    name must stand beside the office, on a document of that state. Of years after the table was
    made nothing is said of whoever was in office then.

    Innocent explanations: it is what a genuine certificate has. It does not prove that the officer
    signed: the name of whoever is in office is no secret.
    """
    years = _years(evidence)
    for span, term in evidence.once(_officers):
        if any(map(term.holds, years)):
            office = f"{term.name} was in office {term.years}"
            return Finding(
                f"{office}; a date of the document is of then.",
                evidence.text.boxes(span),
                term.name,
            )
    return None


@indicator("INFO", "cross-check")
def issuing_officer_implausible(evidence: Evidence) -> IndicatorResult:
    """The officer who is named was not in office at any date of the document.

    A secretary of state is named on the certificate, and all dates of the document are of years in
    which that person did not hold the office: whoever makes up a certificate tends to take the
    officer of another one.

    Found: as for an officer who was in office.

    Innocent explanations: a form that was printed before the office changed hands; a date of the
    certificate that could not be read, so that only an older one of its text is known; a copy that
    was certified later, on a page that was not sent.
    """
    officers = evidence.once(_officers)
    years = _years(evidence)
    # Without a date nothing can be said about the term.
    if not officers or not years:
        return None
    for (_, term), year in product(officers, years):
        # None ends the search, too: the table does not cover that year, so nothing can be claimed.
        if term.holds(year) is not False:
            return None
    span, term = officers[0]
    dates = ", ".join(map(str, sorted(years)[:8]))
    office = f"{term.name} was in office {term.years}"
    return Finding(
        f"{office}; the dates of the document are of {dates}.",
        evidence.text.boxes(span),
        term.name,
    )


def _years(evidence: Evidence) -> set[int]:
    return {fact.value.year for fact in evidence.once(dates_of) if fact.value}


def _officers(evidence: Evidence) -> list[tuple[Span, Term]]:
    """Return the officers of the document's state whose names stand beside the title of
    the office.
    """
    # The table has officers by state, so the state must be known.
    place = evidence.once(jurisdiction_of)
    text = evidence.text.value
    if not place:
        return []
    offices = []
    for match in OFFICE.finditer(text):
        offices.append(Span(*match.span()))
    officers: list[tuple[Span, Term]] = []
    for term in _terms(place.value.code):
        # A name elsewhere in the text may be another person with the same name, so it must stand
        # beside the title of the office.
        for match in term.pattern.finditer(text):
            name = Span(*match.span())
            if _is_near_one(name, offices):
                officers.append((name, term))
    return officers


def _is_near_one(name: Span, offices: Sequence[Span]) -> bool:
    for office in offices:
        if (
            name.start - tunables.OFFICER_NEAR <= office.end
            and office.start <= name.end + tunables.OFFICER_NEAR
        ):
            return True
    return False


@cache
def _terms(place: str) -> tuple[Term, ...]:
    terms = []
    for row in table("officers"):
        if row["place"] != place:
            continue
        if row["until"]:
            until = int(row["until"])
        else:
            until = None
        name = row["name"]
        terms.append(Term(name, int(row["from"]), until, _pattern(name)))
    return tuple(terms)


def _pattern(name: str) -> Pattern:
    """Return a pattern for a name with or without its initials, as certificates print both."""
    words = []
    for word in name.split():
        if not word.endswith("."):
            words.append(re.escape(word))
    # A space, and possibly an initial.
    joined = r" (?:[a-z]\. )?".join(words)
    return Phrase(rf"\b{joined}\b")
