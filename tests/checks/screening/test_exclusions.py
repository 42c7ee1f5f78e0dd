"""One wrong value of a form must not clear a listed person in silence."""

from __future__ import annotations

import pytest

from checks.list_screening import attested
from checks.screening import engine
from checks.screening.lists import MemoryLists
from checks.screening.records import BirthDate, Entity, ListedName, ListVersion, Subject

VERSION = ListVersion(
    "demo", "Demo", 1, "2026-11-01", "2026-11-02T00:00:00Z", "ab" * 32, 1
)
LISTS = MemoryLists.of(
    [
        Entity(
            "1", "Person", [ListedName("Teodor Korbutsky")], genders=["m"],
            birth_dates=[BirthDate("1961-03-14")],
        )
    ],
    VERSION,
)  # fmt: skip


def screened(subject: Subject) -> engine.Match:
    [match] = engine.screen(subject, LISTS).matches
    return match


def birth_date_of(match: engine.Match) -> tuple[str, str]:
    [fact] = [fact for fact in match.facts if fact.field == "birth_date"]
    return fact.subject, fact.stand


def test_another_gender_alone_clears_no_name_that_is_a_strong_match():
    match = screened(Subject(["Teodor Korbutskij"], gender="f"))
    assert match.score < 1
    assert match.band == "possible"


def test_another_gender_discounts_a_name_that_is_less_alike():
    match = screened(Subject(["Teodora Korbutsky"], gender="f"))
    assert match.band == "discounted"


@pytest.mark.parametrize("born", ["1967-03-14", "1916-03-14"])
def test_one_slip_in_the_year_does_not_contradict_the_same_day_and_month(born):
    match = screened(Subject(["Teodor Korbutskij"], birth_date=born))
    assert birth_date_of(match) == (born, "close")
    assert match.is_alert


@pytest.mark.parametrize("born", ["1987-03-14", "1967-03-15", "1967", "1967-03"])
def test_another_date_of_birth_still_contradicts(born):
    match = screened(Subject(["Teodor Korbutskij"], birth_date=born))
    assert match.band == "discounted"


def test_the_first_of_january_is_no_day_that_agrees():
    listed = Entity(
        "1", "Person", [ListedName("Teodor Korbutsky")],
        birth_dates=[BirthDate("1961-01-01")],
    )  # fmt: skip
    subject = Subject(["Teodor Korbutskij"], birth_date="1967-01-01")
    [match] = engine.screen(subject, MemoryLists.of([listed], VERSION)).matches
    assert match.band == "discounted"


def person(*, form: str, card: str) -> Subject:
    return attested.person(
        {
            "first_name": "Teodor",
            "last_name": "Korbutskij",
            "date_of_birth": form,
            "government_id_verification_data": {"id_data": {"date_of_birth": card}},
        }
    )


@pytest.mark.parametrize(
    ("form", "card"), [("1990-07-01", "1961-03-14"), ("1961-03-14", "1990-07-01")]
)
def test_the_date_of_the_form_and_of_the_identity_document_are_both_compared(
    form, card
):
    match = screened(person(form=form, card=card))
    assert birth_date_of(match) == ("1961-03-14", "corroborates")
    assert match.band == "strong"


def test_two_other_dates_contradict():
    match = screened(person(form="1990-07-01", card="1990-07-02"))
    assert match.band == "discounted"
