"""The rating on the page of a case, over REST, and in the evidence pack."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from reviews.models import RatingOverride
from reviews.records import evidence_pack
from reviews.risk import ratings
from reviews.risk import words as risk_words
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import words
from tests.reviews.risk.rows import hit, rated, screened_case, state_of
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db


def browser(person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_the_tab_names_the_score_the_factors_and_what_is_unknown():
    case, _ = screened_case(hit())
    client = browser(someone("analyst"))
    assert "Not rated yet" in words(client, f"/cases/{case.pk}/?tab=risk")
    rating = rated(case)
    page = words(client, f"/cases/{case.pk}/?tab=risk")
    assert f"Score {rating.score} of 100" in page
    assert "a possible hit that nobody cleared" in page
    assert "Unknown: Political exposure" in page
    assert "Medium" in words(client, f"/cases/{case.pk}/")


def test_a_person_rates_up_down_and_another_agrees():
    case, _ = screened_case(hit())
    rated(case)
    ana, sam = browser(someone("analyst")), browser(someone("senior"))
    address = f"/cases/{case.pk}/rating/"
    answer = ana.post(address, {"band": "low", "reason": ""})
    assert answer.status_code == 422
    assert "Say why" in answer.content.decode()
    ana.post(address, {"band": "low", "reason": "Another company of that name."})
    assert "A second person must agree" in words(sam, f"/cases/{case.pk}/?tab=risk")
    override = RatingOverride.objects.get()
    act = {"act": "approve", "override": override.pk}
    assert ana.post(address, act).status_code == 403
    sam.post(address, act)
    assert state_of(case).band == "low"
    page = words(sam, f"/cases/{case.pk}/?tab=risk")
    assert "by the policy medium" in page
    ana.post(address, {"act": "back", "override": override.pk})
    assert state_of(case).band == "medium"
    for wrong in ("0", "x", "9" * 30):
        answer = ana.post(address, {"act": "back", "override": wrong})
        assert answer.status_code == 404


def test_a_refused_rating_keeps_its_reason():
    case, _ = screened_case(hit())
    rated(case)
    ana, sam = browser(someone("analyst")), browser(someone("senior"))
    address = f"/cases/{case.pk}/rating/"
    sent = {"band": "high", "reason": "A reason\nof two lines."}
    text = ana.post(address, {**sent, "band": "none"}).content.decode()
    assert "required>A reason\nof two lines.</textarea>" in text
    # A colleague was faster, and there is no form any more.
    sam.post(address, {"band": "high", "reason": "Mine."})
    text = ana.post(address, sent).content.decode()
    assert "A reason<br>of two lines." in text


def test_rest_reads_the_rating_and_rates_otherwise():
    case, _ = screened_case(hit())
    caller = Caller(someone("analyst"))
    assert caller.get(f"/cases/{case.pk}/rating").status_code == 404
    rated(case)
    answer = caller.get(f"/cases/{case.pk}/rating").json()
    assert answer["band"] == "medium"
    total = sum(row["amount"] for row in answer["contributions"])
    assert total == answer["score"]
    body = {"band": "high", "reason": "Known to us."}
    assert caller.post(f"/cases/{case.pk}/rating", body).json()["band"] == "high"
    assert caller.post(f"/cases/{case.pk}/rating", body).status_code == 409


def test_the_evidence_pack_has_what_computes_each_rating_again():
    case, _ = screened_case(hit())
    rating = rated(case)
    rows: Any = evidence_pack.case_to_wire(case)["ratings"]
    (row,) = rows
    assert row["inputs"] == rating.inputs
    assert row["result"] == ratings.recompute(rating)


def test_a_contribution_names_countries_and_members_in_words():
    row = {
        "factor": "geography",
        "label": "other",
        "title": "Countries",
        "words": "on no list of the policy: BY (country of nationality), CY (the case)",
    }
    with translation.override("de"):
        shown = risk_words.contribution(row)
    expected = "auf keiner Liste der Richtlinie: Belarus (Land der Staatsangehörigkeit), Zypern (der Fall)"
    assert shown["words"] == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Belarus (Nationality of an owner)"),
        ("de", "Belarus (Staatsangehörigkeit eines Eigentümers)"),
    ],
)
def test_a_country_of_an_owner_is_said_to_be_one(language, expected):
    row = {
        "factor": "geography",
        "label": "other",
        "words": "on no list of the policy: BY (owners owners nationality)",
    }
    with translation.override(language):
        assert expected in risk_words.contribution(row)["words"]


@pytest.mark.parametrize(
    ("factor", "label", "words", "expected"),
    [
        (
            "sanctions",
            "strong",
            "a strong hit that nobody cleared (PEP screening: Ann Lee)",
            "(PEP-Abgleich: Ann Lee)",
        ),
        (
            "sanctions",
            "confirmed",
            "a match that a person confirmed (rejected: Sanctions or watchlist match)",
            "(Abgelehnt: Treffer auf Sanktions- oder Beobachtungsliste)",
        ),
        ("product", "4829", "4829 (mcc code)", "4829 (Geldtransfer) (MCC-Code)"),
    ],
)
def test_the_source_of_a_value_is_translated(factor, label, words, expected):
    with translation.override("de"):
        shown = risk_words.contribution(
            {"factor": factor, "label": label, "words": words}
        )
    assert shown["words"].endswith(expected)


def test_a_country_on_a_list_is_named_with_its_list():
    row = {
        "factor": "geography",
        "label": "eu_high_risk",
        "words": "EU, high-risk third countries: NG (country of nationality)",
    }
    assert risk_words.contribution(row)["words"] == (
        "EU, high-risk third countries: Nigeria (Country of nationality)"
    )
    with translation.override("de"):
        shown = risk_words.contribution(row)["words"]
    expected = (
        "EU, Drittländer mit hohem Risiko: Nigeria (Land der Staatsangehörigkeit)"
    )
    assert shown == expected


def test_whoever_needs_no_names_sees_the_band_and_no_contribution(settings):
    """The numbers of a contribution are hidden with its words, and nothing counts with them."""
    settings.MASKED_ROLES = frozenset({"integrator"})
    case, _ = screened_case(hit())
    rated(case)
    client = browser(someone("integrator"))
    report = f"/cases/{case.pk}/report/"
    for address in (report, f"/cases/{case.pk}/?tab=risk"):
        page = words(client, address)
        assert "Medium" in page, address
        assert "a possible hit" not in page, address
