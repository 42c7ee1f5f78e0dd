"""Every result tells what was looked at and by which versions, and passes nothing that it was not given."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

import compliance
from checks import engine, provenance, registry
from checks.base import Outcome
from checks.evidence import Evidence
from checks.lookups import Lookups
from checks.screening.lists import MemoryLists
from checks.screening.records import BirthDate, Entity, ListedName, ListVersion

TODAY = date(2026, 11, 21)
VERSION = ListVersion(
    "demo",
    "Demo",
    7,
    "2026-11-01",
    "2026-11-02T00:00:00Z",
    "ab" * 32,
    1,
    topics=("sanction",),
)
LISTED = Entity(
    "demo-1", "Person", [ListedName("Teodor Korbutsky")], [BirthDate("1961-03-14")],
    topics=["sanction"],
)  # fmt: skip
ADDRESS = {
    "street_1": "100 High Street", "city": "Leith", "postal_code": "EH6 5AB", "country_code": "GB",
}  # fmt: skip
PERSON = {
    "first_name": "Teodor", "last_name": "Korbutski", "date_of_birth": "1961-03-14",
    "email": "teodor.korbutski@example.org", "phone": "+441314960000", "address": ADDRESS,
    "country_of_nationality": "BY",
    "government_id_verification_data": {"id_data": {
        "first_name": "Teodor", "last_name": "Korbutski", "document_number": "MP4410293",
        "expiration_date": "2030-01-01", "vendor_name": "V", "vendor_validated": True,
        "address": ADDRESS, "issuing_country": "GB",
    }},
}  # fmt: skip
BUSINESS = {
    "business_name": "Quillfeather Ltd", "registered_business_name": "Quillfeather Limited",
    "contact_email_address": "office@example.org", "contact_phone_number": "+441314960000",
    "address_of_incorporation": ADDRESS, "tin_number": "12-3456789", "lei": "213800KUD8LAJWSQ9D15",
    "business_registration_number": "SC441902", "incorporation_date": "1999-10-01",
    "industry": "Online casino", "owners": [{"name": "Teodor Korbutsky", "percentage": 80}],
    "website": "https://quillfeather.example",
}  # fmt: skip
OF_DATA = [check for check in registry.all_checks().values() if not check.documents]


def look(check_id: str, attested) -> dict[str, Any]:
    lists = MemoryLists.of([LISTED], VERSION)
    evidence = Evidence(attested=attested, lookups=Lookups(lists=lists), today=TODAY)
    [(_, result)] = engine.examine_evidence(check_id, evidence)
    return result


@pytest.mark.parametrize("check", OF_DATA, ids=lambda check: check.id)
def test_every_check_of_the_data_says_what_it_looked_at(check):
    result = look(check.id, PERSON if check.id.startswith("kyc.") else BUSINESS)
    if result["verdict"] != "not_applicable":
        assert result["evidence"]
    for one in result["evidence"]:
        assert set(one) == {"label", "value", "source", "location"}
        assert all([one["label"], one["source"]])
    assert result["versions"]["checks"] == provenance.RULES


@pytest.mark.parametrize("check", OF_DATA, ids=lambda check: check.id)
def test_what_was_not_given_is_never_passed(check):
    result = look(check.id, {})
    assert result["verdict"] in {"inconclusive", "not_applicable"}
    assert result["passed"] is (
        None if result["verdict"] == "not_applicable" else False
    )
    assert result["explanation"]


def test_a_hit_names_the_entry_its_facts_and_the_version_of_the_list():
    result = look("kyc.sanctions_screening", PERSON)
    assert result["verdict"] == "fail"
    name, _, born, *_ = [
        one for one in result["evidence"] if one["location"] == "demo-1"
    ]
    assert name["value"].startswith("Teodor Korbutski / Teodor Korbutsky")
    assert (born["label"], born["source"]) == (
        "Date of birth",
        "Demo, version 7 of 2026-11-01",
    )
    assert result["versions"]["list demo"].endswith("ab" * 32)
    assert "(" in result["versions"]["policy"]


def test_of_people_of_a_business_each_is_named():
    people = {"owners": [{"first_name": "Teodor", "last_name": "Korbutsky"}]}
    result = look("kyb.associated_individuals_screening", people)
    assert result["evidence"][0]["label"] == "Teodor Korbutsky: Name"
    assert "list demo" in result["versions"]


def test_what_was_read_from_a_document_has_its_page():
    read = {"value": "Quillfeather", "boxes": [{"page": 2}, {"page": 3}]}
    payload = {
        "extraction_data": {
            "evidence": {"business_name": read, "number": {"value": None}}
        },
        "document": {"file_name": "deed.pdf"},
    }
    [one] = provenance.evidence_of(payload)
    assert one == {
        "label": "business name", "value": "Quillfeather", "source": "deed.pdf",
        "location": "page 2",
    }  # fmt: skip


@pytest.mark.parametrize(
    "payload",
    [
        {"rows": 5}, {"matches": [5, {}]}, {"lists": {}}, {"people": [{}, None]}, {"links": [{}]},
        {"part": {"rows": [{}], "sides": []}, "document": 5}, {"evidence": {"x": 5}},
        {"versions": 5}, {"part": {"versions": {"x": {}}, "lists": [5]}},
    ],
)  # fmt: skip
def test_no_payload_breaks_it(payload):
    assert Outcome(None, "inconclusive", "", payload).to_wire()["versions"]


def test_the_version_of_the_rules_is_that_of_the_project():
    assert compliance.__version__ == provenance.RULES


def test_a_topic_fails_where_the_policy_says_so():
    listed = Entity(
        "x", "Person", LISTED.names, LISTED.birth_dates, topics=["internal"]
    )
    version = ListVersion("own", "Own", 1, "", "", "", 1, topics=("internal",))
    lists = MemoryLists.of([listed], version)

    def verdict(**policy) -> str:
        evidence = Evidence(
            attested=PERSON, lookups=Lookups(lists=lists), today=TODAY,
            arguments={"policy": policy},
        )  # fmt: skip
        [(_, result)] = engine.examine_evidence("kyc.adverse_list_screening", evidence)
        return result["verdict"]

    assert verdict() == "review"
    assert verdict(failing_topics=["sanction", "internal"]) == "fail"
    assert verdict(failing_topics=["everything"]) == "inconclusive"


def test_a_business_that_owns_itself_is_for_a_person_to_review():
    inner = {
        "business_name": "Holding GmbH",
        "owners": [{"business_name": "Quillfeather Ltd"}],
    }
    owners = [inner | {"percentage": 100}]
    result = look(
        "kyb.ownership_math", {"business_name": "Quillfeather Ltd", "owners": owners}
    )
    assert result["verdict"] == "review"
    assert "Circular ownership: " in result["explanation"]


def test_another_country_than_that_of_residence_is_for_a_person_to_review():
    result = look("kyc.address_validation", PERSON | {"country_of_residence": "DE"})
    assert result["verdict"] == "review"
    assert (
        result["payload"]["address_validation"]["normalised"]["Address"]["city"]
        == "LEITH"
    )
