"""What the checks of the attested data and of barcodes say stands on the page of the case."""

from __future__ import annotations

import pytest

from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    words,
)

pytestmark = pytest.mark.django_db

ROW = {
    "label": "Attested name",
    "value": "ANNA KOWALSKA",
    "state": "fail",
    "how": "Another name.",
}
LINK = {
    "case_id": "C-1 & 2", "name": "Anna Kowalska", "score": 0.93, "since": "2026-01-30",
    "state": "review", "how": "The case C-1 & 2 has the same telephone number.",
    "shared": [{"field": "phone", "label": "telephone number"}],
}  # fmt: skip


def data_check(
    key: str, content: object, check_id: str = "kyb.some_check"
) -> dict[str, object]:
    return {
        "verdict": "review", "explanation": "Look.", "payload": {key: content},
        "check_id": check_id,
    }  # fmt: skip


@pytest.mark.parametrize(
    "key", ["barcode_check", "address_consistency", "enrichment_comparison"]
)
def test_both_sides_of_a_difference_are_shown(analyst, key):
    case, job = reviewed_case()
    content = {
        "rows": [ROW | {"against": "Jan Nowak"}],
        "sides": ["Attested", "Barcode"],
    }
    add_check_result(job, data_check(key, content), check_id="kyc.x")
    text = words(analyst, f"/cases/{case.pk}/?check=kyc.x")
    assert "Attested Barcode Finding" in text
    assert "Jan Nowak ANNA KOWALSKA failed: Another name." in text


def test_other_cases_are_linked_and_what_they_share_is_told(analyst):
    case, job = reviewed_case()
    add_check_result(
        job,
        data_check("duplicates", {"links": [LINK]}),
        check_id="kyc.duplicate_subject",
    )
    url = f"/cases/{case.pk}/?check=kyc.duplicate_subject"
    text = words(analyst, url)
    assert "C-1 & 2 2026-01-30 Anna Kowalska 0.93 telephone number" in text
    html = analyst.get(url).content.decode()
    assert 'name="q" value="C-1 &amp; 2"' in html


def test_what_was_seen_of_a_website_is_shown(analyst):
    case, job = reviewed_case()
    facts = {
        "url": "https://acorn.example/", "at": "2026-11-21T10:30:00+00:00", "title": "Acorn",
        "words": "<b>Bread</b>", "sha256": "ab" * 32,
    }  # fmt: skip
    rows = [{"label": "Answer", "value": "HTTP 200", "state": "pass", "how": ""}]
    content = {"rows": rows, "mode": "online", "facts": facts}
    add_check_result(
        job, data_check("website_presence", content), check_id="kyb.web_presence_check"
    )
    text = words(analyst, f"/cases/{case.pk}/?check=kyb.web_presence_check")
    assert "Visited 2026-11-21T10:30 UTC" in text
    assert "<b>Bread</b>" in text


@pytest.mark.parametrize(
    "key",
    [
        "barcode_check", "address_consistency", "enrichment_comparison", "duplicates",
        "address_type", "website_presence", "date_of_birth_check", "email_check",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "content",
    [
        None, [], "x", 5, {"rows": "x", "links": 7, "facts": "y", "sides": 3, "sources": 1},
        {"rows": 5, "sources": {}},
        {"rows": [None, 5, {"state": {}}], "links": [None, {"shared": 5, "score": "x", "case_id": {}}],
         "sides": [], "facts": {"at": 5, "words": [], "sha256": 9, "url": None}},
    ],
)  # fmt: skip
def test_no_shape_of_a_payload_breaks_the_page(analyst, key, content):
    case, job = reviewed_case()
    add_check_result(job, data_check(key, content), check_id="kyc.x")
    assert analyst.get(f"/cases/{case.pk}/?check=kyc.x").status_code == 200


def test_what_documents_verify_is_told_in_words_and_not_raw(analyst):
    case, job = reviewed_case()
    add_document(case)
    result: dict[str, object] = {
        "verdict": "pass", "explanation": "In order.", "valid_documents": [], "odd": "kept raw",
        "verified_business_name": "Northwind Ltd", "verified_incorporation_date": "2019-03-04",
        "verified_business_address": {"street_1": "1 High St", "city": "Leith"},
        "verified_ein": None, "verified_": "raw, too",
    }  # fmt: skip
    add_check_result(job, result, check_id="kyb.x")
    text = words(analyst, f"/cases/{case.pk}/?check=kyb.x")
    assert (
        "Verified by documents Business name Northwind Ltd Incorporation date 2019-03-04 "
        "Business address 1 High St, Leith" in text
    )
    assert "verified_business" not in text
    assert '"odd": "kept raw"' in text
    assert '"verified_": "raw, too"' in text


def test_what_a_result_was_made_with_stands_on_the_page(analyst):
    case, job = reviewed_case()
    made_with = {
        "checks": "0.2.0", "rapidfuzz": "3.14.3",
        "list ofac_sdn": "version 7, published 2026-11-01, sha256 abab", "policy": "<b>2026</b> (cd)",
    }  # fmt: skip
    add_check_result(
        job,
        data_check("lei", {"rows": []}) | {"versions": made_with},
        check_id="kyb.lei",
    )
    text = words(analyst, f"/cases/{case.pk}/?check=kyb.lei")
    assert (
        "Made with 4 versions of rules, lists and libraries checks: 0.2.0 list ofac_sdn: version 7, "
        "published 2026-11-01, sha256 abab policy: <b>2026</b> (cd) rapidfuzz: 3.14.3"
        in text
    )


def test_what_a_tool_alone_said_tells_its_versions_too(analyst):
    case, job = reviewed_case()
    data = data_check("lei", {"rows": []}) | {"versions": {"python-stdnum": "2.1"}}
    add_tool_result(job, "kyb.lei", data)
    text = words(analyst, f"/cases/{case.pk}/?check=kyb.lei")
    assert (
        "Made with 1 version of rules, lists and libraries python-stdnum: 2.1" in text
    )


@pytest.mark.parametrize(
    "versions", [None, [], "x", 5, {}, {"checks": None}, {"": "1"}]
)
def test_a_result_that_tells_no_versions_shows_none(analyst, versions):
    case, job = reviewed_case()
    add_check_result(
        job,
        data_check("lei", {"rows": []}) | {"versions": versions},
        check_id="kyb.lei",
    )
    assert "Made with" not in words(analyst, f"/cases/{case.pk}/?check=kyb.lei")


@pytest.mark.parametrize(("count", "message"), [(130, True), (100, False)])
def test_party_results_that_a_page_does_not_hold_are_told(analyst, count, message):
    case, job = reviewed_case()
    people = [
        {
            "name": f"Owner {n}",
            "what": "Sanctions",
            "verdict": "pass",
            "screening": {"matches": []},
        }
        for n in range(count)
    ]
    add_check_result(
        job, data_check("people_screening", {"people": people}), check_id="kyb.people"
    )
    text = words(analyst, f"/cases/{case.pk}/?check=kyb.people")
    assert "Owner 99: Sanctions" in text
    assert "Owner 100: Sanctions" not in text
    assert ("30 more results of parties are not shown" in text) is message


@pytest.mark.parametrize(
    "check_id", ["kyb.basic_business_profile_check", "kyb.mcc_code_check_v3"]
)
def test_the_profile_and_the_code_are_shown_as_rows_and_not_raw(analyst, check_id):
    from checks import engine, registry
    from checks.base import Examined

    attested = {
        "business_name": "Northwind",
        "industry": "Restaurants",
        "mcc_code": "5812",
    }
    outcomes = dict(
        engine.examine(check_id, file=b"", file_name="", attested=attested, document={})
    )
    result = engine.conclude(check_id, [Examined({}, outcomes)], attested)
    case, job = reviewed_case()
    add_check_result(job, result, check_id=check_id)
    text = words(analyst, f"/cases/{case.pk}/?check={check_id}")
    assert registry.get(check_id).title
    assert result["explanation"] in text
    assert "What Value Finding" in text
    assert "candidate_mcc_codes" not in text
    assert "MCCCodeCheckResultV2" not in text
