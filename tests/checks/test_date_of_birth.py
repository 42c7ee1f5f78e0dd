from __future__ import annotations

from datetime import date

import pytest

from checks import Evidence, Examined, Outcome, engine
from checks.date_of_birth.check import DateOfBirthPlausibility
from checks.samples import passports


def run(*, today: date = date(2026, 6, 15), **attested: object) -> Outcome:
    evidence = Evidence(
        file=b"",
        file_name="",
        attested=attested,
        document={},
        arguments={},
        today=today,
    )
    return DateOfBirthPlausibility().run(evidence)


def on_id(day: str) -> dict[str, object]:
    return {"id_data": {"date_of_birth": day}}


@pytest.mark.parametrize(
    ("born", "verdict", "word"),
    [
        ("1988-04-17", "pass", "38 years"),
        ("2008-06-15", "pass", "18 years"),
        ("2008-06-16", "fail", "under 18"),
        ("2027-01-01", "fail", "future"),
        ("1900-01-01", "fail", "126"),
        ("1988-02-30", "fail", "not a date"),
        ("17/04/1988", "fail", "not a date"),
        ("19880417", "fail", "not a date"),
        (17, "fail", "not a date"),
        ("", "not_applicable", "No date"),
        (None, "not_applicable", "No date"),
    ],
)
def test_a_date_is_judged_by_the_calendar(born, verdict, word):
    outcome = run(date_of_birth=born)
    assert outcome.verdict == verdict
    assert word in outcome.explanation


def test_the_date_on_the_id_must_agree():
    same = run(
        date_of_birth="1988-04-17", government_id_verification_data=on_id("1988-04-17")
    )
    assert same.verdict == "pass"
    other = run(
        date_of_birth="1988-04-17", government_id_verification_data=on_id("1988-04-18")
    )
    assert other.verdict == "fail"
    assert "The dates differ" in other.explanation


@pytest.mark.parametrize(
    "junk", ["text", 3, [], {"id_data": "text"}, {"id_data": None}]
)
def test_junk_beside_the_date_does_no_harm(junk):
    outcome = run(date_of_birth="1988-04-17", government_id_verification_data=junk)
    assert outcome.verdict == "pass"


def test_the_check_says_what_its_tool_said():
    attested = {"date_of_birth": "1988-04-17"}
    outcomes = dict(
        engine.examine(
            "kyc.date_of_birth", file=b"", file_name="", attested=attested, document={}
        )
    )
    assert list(outcomes) == ["kyc.date_of_birth"]
    examined = [Examined(document={}, outcomes=outcomes)]
    concluded = engine.conclude("kyc.date_of_birth", examined, {})
    assert concluded["verdict"] == "pass"
    assert (
        concluded["payload"]["date_of_birth_check"]["sources"][0]["source"]
        == "Self-attested"
    )


def test_a_zone_does_not_contradict_a_person_of_a_hundred_years():
    lines = passports.zone(
        {"first_name": "Anna", "last_name": "Eriksson", "date_of_birth": "1925-03-01"},
        "L898902C3",
        date(2030, 4, 15),
    )
    id_data = {"mrz": list(lines)}
    person = run(
        date_of_birth="1925-03-01", government_id_verification_data={"id_data": id_data}
    )
    assert person.verdict == "pass"
    assert person.explanation == "The person is 101 years old."
    other = run(
        date_of_birth="1926-03-01", government_id_verification_data={"id_data": id_data}
    )
    assert other.verdict == "fail"


def test_a_number_that_does_not_name_the_century_contradicts_no_century():
    id_data = {"document_number": "030103-02-5128", "issuing_country": "MY"}
    card = {"id_data": id_data}
    young = run(date_of_birth="2003-01-03", government_id_verification_data=card)
    assert young.verdict == "pass"
    other = run(date_of_birth="2003-01-04", government_id_verification_data=card)
    assert other.verdict == "fail"
