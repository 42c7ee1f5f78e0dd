"""The business profile, and the merchant category code: what the attested data alone can tell."""

from __future__ import annotations

from typing import Any

import pytest

from checks import registry
from checks.base import Outcome
from checks.data import table
from checks.evidence import Evidence
from checks.subject_data.enrichment import has_ended
from checks.subject_data.merchant_category import (
    RANGES,
    MccCode,
    candidates_of,
    title_of,
)
from checks.subject_data.profile import BasicBusinessProfile

ADDRESS = {"street_1": "1 High Street", "city": "Leith", "country_code": "GB"}
COMPLETE = {
    "business_name": "Northwind Bakers",
    "registered_business_name": "Northwind Bakers Ltd",
    "address_of_operation": ADDRESS,
    "industry": "Bakery",
    "website": "https://northwind-bakers.com",
    "incorporation_date": "2019-03-04",
    "contact_email_address": "hello@northwind-bakers.com",
}


def profile(**changes: Any) -> Outcome:
    attested = {k: v for k, v in {**COMPLETE, **changes}.items() if v is not None}
    return BasicBusinessProfile().look(Evidence(b"", attested=attested))


def rows(outcome: Outcome) -> dict[str, tuple[str, str]]:
    return {
        one["label"]: (one["state"], one["how"]) for one in outcome.payload["business_profile"]["rows"]
    }  # fmt: skip


def test_a_complete_profile_passes_and_says_that_nothing_outside_was_asked():
    outcome = profile()
    assert (outcome.verdict, outcome.passed) == ("pass", True)
    assert "not compared with any source" in outcome.explanation
    assert outcome.payload["business_profile"]["complete"] is True


@pytest.mark.parametrize(
    ("member", "label"),
    [
        ("address_of_operation", "Address"),
        ("industry", "Line of business"),
        ("website", "Website or number"),
        ("incorporation_date", "Incorporated"),
    ],
)
def test_what_is_missing_is_named(member, label):
    outcome = profile(**{member: None})
    assert outcome.verdict == "review"
    assert outcome.payload["business_profile"]["missing"] == [label]
    assert rows(outcome)[label][0] == "review"


def test_a_name_is_missed_where_there_is_a_website_only():
    outcome = profile(business_name=None, registered_business_name="  ")
    assert (
        outcome.verdict,
        "Name" in outcome.payload["business_profile"]["missing"],
    ) == (
        "review",
        True,
    )
    assert BasicBusinessProfile().look(Evidence(b"")).verdict == "not_applicable"


@pytest.mark.parametrize(
    ("changes", "label", "state"),
    [
        ({"business_name": "Test"}, "Name", "review"),
        ({"industry": "N/A"}, "Industry", "review"),
        ({"industry": "<string>"}, "Industry", "review"),
        ({"industry": "12"}, "Industry", "review"),
        ({"description": "northwind bakers"}, "Description", "review"),
        ({"address_of_operation": {"city": "Leith"}}, "Address of operation", "review"),
        ({"address_of_operation": {**ADDRESS, "country_code": "ZZ"}}, "Address of operation", "review"),
        ({"website": "none"}, "Website", "review"),
        ({"website": "our site"}, "Website", "review"),
        ({"website": "https://localhost/"}, "Website", "review"),
        ({"incorporation_date": "2999-01-01"}, "Incorporated", "fail"),
        ({"incorporation_date": "0004-01-01"}, "Incorporated", "fail"),
        ({"incorporation_date": "yesterday"}, "Incorporated", "fail"),
        ({"registered_business_name": "Global Holdings Ltd"}, "Names", "info"),
        ({"contact_email_address": "a@elsewhere.com"}, "Domain of the e-mail address", "info"),
    ],
)  # fmt: skip
def test_what_is_not_in_order_is_told(changes, label, state):
    result = rows(profile(**changes))
    assert result[label][0] == state
    assert result[label][1]


def test_another_trading_name_alone_is_no_reason_for_a_review():
    assert profile(registered_business_name="Global Holdings Ltd").verdict == "pass"


@pytest.mark.parametrize("value", [5, [], {}, None, [None], {"a": 1}, True])
@pytest.mark.parametrize("member", [*COMPLETE, "description", "mcc_code", "lei"])
def test_no_shape_of_a_member_breaks_the_checks(member, value):
    evidence = Evidence(b"", attested={**COMPLETE, member: value})
    for check in (BasicBusinessProfile(), MccCode()):
        assert check.look(evidence).explanation


def mcc(**attested: Any) -> Outcome:
    return MccCode().look(Evidence(b"", attested=attested))


@pytest.mark.parametrize(
    ("attested", "code"),
    [
        ({"industry": "Restaurants"}, "5812"),
        (
            {
                "industry": "Software as a service",
                "description": "Cloud software for shops",
            },
            "7372",
        ),
        ({"business_purpose": "Operating dental clinics"}, "8021"),
        ({"description": "We are a law firm."}, "8111"),
        ({"description": "A bakery. We sell no tobacco and never alcohol."}, "5462"),
        ({"industry": "Burger bars"}, "5814"),
    ],
)
def test_a_code_is_proposed_with_its_words(attested, code):
    outcome = mcc(**attested)
    assert (outcome.verdict, outcome.answer) == ("pass", code)
    assert title_of(code) in outcome.explanation
    first = outcome.payload["mcc_code_check"]["candidates"][0]
    assert first["mcc_code"] == code
    assert "“" in first["reasoning"]


@pytest.mark.parametrize(
    "attested",
    [
        {"description": "Widgets of all kinds"},
        {"industry": "其他", "description": "пекарня"},
        {"description": "A restaurant with a wine bar"},  # one as much as the other
        {"mcc_code": "5812"},  # nothing to hold it against
        {"mcc_code": "5812", "description": "Widgets"},
        {"mcc_code": "0001"},  # not in the table
    ],
)
def test_what_cannot_be_told_is_inconclusive(attested):
    outcome = mcc(**attested)
    assert (outcome.verdict, outcome.passed, outcome.answer) == (
        "inconclusive",
        None,
        "",
    )
    assert outcome.explanation


def test_an_attested_code_is_held_against_the_words():
    assert mcc(mcc_code="5812", industry="Restaurants").verdict == "pass"
    other = mcc(mcc_code="7372", industry="Casino")
    assert other.verdict == "review"
    assert "7995" in other.explanation
    assert mcc(mcc_code="58123", industry="Restaurants").verdict == "review"
    assert mcc(mcc_code="0001", industry="Restaurants").verdict == "inconclusive"
    # One of several that fit is no contradiction.
    assert (
        mcc(mcc_code="5813", description="A restaurant with a wine bar").verdict
        == "pass"
    )
    assert mcc().verdict == "not_applicable"


def test_the_result_has_the_members_that_clients_read():
    check = registry.get("kyb.mcc_code_check_v3")
    from checks import engine
    from checks.base import Examined

    attested = {"industry": "Restaurants"}
    outcomes = dict(
        engine.examine(check.id, file=b"", file_name="", attested=attested, document={})
    )
    result = engine.conclude(check.id, [Examined({}, outcomes)], attested)
    payload = result["payload"]
    assert payload["type"] == "MCCCodeCheckResultV2"
    assert (payload["mcc_code"], result["answer"]) == ("5812", "5812")
    assert payload["mcc_title"]
    assert payload["candidate_mcc_codes"][0]["mcc_code"] == "5812"


def test_the_table_of_codes_is_sound():
    codes = [line["code"] for line in table("mcc")]
    assert len(codes) == len({*codes}) > 200
    for line in table("mcc"):
        assert line["code"].isdigit()
        assert len(line["code"]) == 4
        assert line["title"]
        assert not any(low <= int(line["code"]) <= high for low, high, _ in RANGES)


def test_each_title_finds_a_code_or_nothing():
    """A title is an honest description: it must never lead to other codes alone, far from its own."""
    for line in table("mcc"):
        items = [one.code for one in candidates_of({"industry": line["title"]})]
        if items and line["code"] in {
            "5812",
            "5411",
            "8021",
            "8111",
            "7011",
            "4121",
            "5912",
        }:
            assert line["code"] in items


def test_a_long_hostile_description_is_read_in_moments():
    outcome = mcc(description="no " * 500_000 + "restaurant")
    assert outcome.verdict == "inconclusive"


@pytest.mark.parametrize(
    "description",
    [
        "Hotel, kein Casino",
        "Hotel sans casino",
        "Hotel senza casino",
        "Hotel bez casino",
        "Hotel без casino",
        "Hotel, casino hariç",
        "Hotel بدون casino",
    ],
)
def test_a_denied_word_counts_in_no_language(description):
    candidates = mcc(description=description).payload["mcc_code_check"]["candidates"]

    assert "7995" not in [candidate["mcc_code"] for candidate in candidates]


@pytest.mark.parametrize(
    "description",
    ["A non-profit casino", "Hotel con casino", "Wettbüro", "Casino; kein Hotel"],
)
def test_a_word_that_is_not_denied_counts(description):
    candidates = mcc(description=description).payload["mcc_code_check"]["candidates"]

    assert "7995" in [candidate["mcc_code"] for candidate in candidates]


@pytest.mark.parametrize(
    "status", ["Radiée", "von Amts wegen gelöscht", "注销", "ликвидировано"]
)
def test_a_register_has_a_business_as_ended_in_its_own_words(status):
    assert has_ended(status)


@pytest.mark.parametrize(
    "status", ["En activité", "non radiée", "nicht gelöscht", "not dissolved", "存续"]
)
def test_a_business_that_goes_on(status):
    assert not has_ended(status)
