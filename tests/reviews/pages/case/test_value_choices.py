"""An unsure field is settled by a person: a candidate, a typed value, or a correction."""

from __future__ import annotations

import re

import pytest

from reviews.findings.review_state import ReviewState
from reviews.models import Case, CheckResult, Document, ValueChoice
from reviews.results import Comparison
from tests.reviews.pages.case.rows import words
from tests.reviews.pages.case.unsure_rows import (
    NAMES,
    candidate,
    unsure_case,
    unsure_data,
)
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db


def key_of(case: Case, field: str = "business_name") -> str:
    state = ReviewState.of(case)
    for part in state.parts:
        for row in part.findings:
            if isinstance(row, Comparison) and row.field == field:
                return state.values.key(row)
    raise AssertionError(field)


def choose(client, case: Case, field: str = "business_name", **values):
    data = {"key": key_of(case, field), **values}
    return client.post(f"/cases/{case.pk}/choose-value/", data)


def is_open(case: Case) -> bool:
    return bool(ReviewState.of(case).open)


def test_the_page_shows_each_candidate_as_a_button(analyst):
    case, _document = unsure_case()
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    buttons = re.findall(r'<button\s+class="candidate".*?</button>', html, re.DOTALL)
    assert len(buttons) == 2
    assert [NAMES[0] in buttons[0], NAMES[1] in buttons[1]] == [True, True]
    assert 'data-choice="1"' in buttons[0]
    # Each has its own box on the picture of the page.
    assert html.count('data-evidence="f0-1"') == 2
    text = words(analyst, f"/cases/{case.pk}/")
    assert "1 unsure" in text
    assert "page 1 · labelled as the name · 80%" in text
    assert "None of these…" in text


def test_a_candidate_settles_the_finding(analyst):
    case, document = unsure_case()
    assert is_open(case)
    response = choose(analyst, case, candidate="1")
    assert response.status_code == 303
    choice = ValueChoice.objects.get()
    assert (choice.kind, choice.value, choice.candidates) == ("first", NAMES[0], 2)
    assert choice.offered == list(NAMES)
    assert choice.document == document
    assert not is_open(case)
    text = words(analyst, f"/cases/{case.pk}/")
    assert "Chosen by Ana Lindqvist" in text
    assert f"{NAMES[0]} (The first candidate)" in text
    assert "unsure: a person chooses" not in text
    # What the service sent is as it was.
    [result] = CheckResult.objects.all()
    assert result.body["payload"]["extraction_data"]["business_name"] is None


@pytest.mark.parametrize("unsure", [[], ["another"]])
def test_a_service_that_names_no_unsure_field_settles_nothing(unsure):
    """`only_unsure` counts together with the fields that a person has settled, never alone."""
    case, _document = unsure_case(data=unsure_data(unsure=unsure, comparisons=[]))
    assert is_open(case)


def test_a_check_that_failed_is_settled_by_no_choice(analyst):
    case, _document = unsure_case(verdict="fail")
    choose(analyst, case, candidate="1")
    assert ValueChoice.objects.get().kind == "first"
    assert is_open(case)


def test_a_value_that_differs_from_the_attested_one_settles_nothing(analyst):
    case, _document = unsure_case()
    choose(analyst, case, candidate="2")
    assert ValueChoice.objects.get().kind == "other"
    assert is_open(case)
    assert "It differs from what was attested." in words(analyst, f"/cases/{case.pk}/")


def test_none_of_these_keeps_what_was_typed(analyst):
    case, _document = unsure_case("Nortwind Ltd", "Northwnd Ltd")
    page = analyst.get(f"/cases/{case.pk}/", {"correct": key_of(case)})
    assert 'name="value"' in page.content.decode()
    choose(analyst, case, value="  Northwind  Bakery Ltd ")
    choice = ValueChoice.objects.get()
    assert (choice.kind, choice.value) == ("none", "Northwind Bakery Ltd")
    assert not is_open(case)


def test_who_types_a_candidate_has_chosen_it(analyst):
    case, _document = unsure_case()
    choose(analyst, case, value=NAMES[1])
    assert ValueChoice.objects.get().kind == "other"


def test_the_latest_choice_counts_and_the_earlier_one_is_kept(analyst):
    case, _document = unsure_case()
    choose(analyst, case, candidate="2")
    choose(analyst, case, candidate="1")
    choose(analyst, case, candidate="1")  # sent twice
    standing, ended = ValueChoice.objects.all()
    assert (standing.value, standing.ended_at) == (NAMES[0], None)
    assert ended.ended_at is not None
    assert case.events.filter(what="value_chosen").count() == 2


def test_a_choice_is_taken_back(analyst):
    case, _document = unsure_case()
    choose(analyst, case, candidate="1")
    undo = {"undo": ValueChoice.objects.get().pk}
    analyst.post(f"/cases/{case.pk}/choose-value/", undo)
    assert is_open(case)
    assert case.events.latest("pk").what == "value_choice_taken_back"
    analyst.post(f"/cases/{case.pk}/choose-value/", undo)
    assert case.events.filter(what="value_choice_taken_back").count() == 1


def test_a_value_that_was_given_is_corrected(analyst):
    case, _document = unsure_case()
    assert "Correct…" in words(analyst, f"/cases/{case.pk}/")
    choose(analyst, case, "jurisdiction", value="Nevada")
    choice = ValueChoice.objects.get()
    assert (choice.kind, choice.value) == ("corrected", "Nevada")
    assert (choice.candidates, choice.offered) == (0, ["Delaware"])
    event = case.events.get(what="value_corrected")
    # No value is in clear text: it is erased with the case.
    assert "Delaware" not in str(event.data)
    assert "Nevada" not in str(event.data)
    assert event.details == {
        "field": "jurisdiction", "value": "Nevada", "choice": "corrected", "read": "Delaware",
    }  # fmt: skip


def test_a_misreading_that_is_corrected_is_no_difference(analyst):
    data = unsure_data(
        business_name="Nortwind Bakery Ltd",
        unsure=[],
        only_unsure=False,
        comparisons=[
            {
                "field": "business_name",
                "attested": "Northwind Bakery Ltd",
                "extracted": "Nortwind Bakery Ltd",
                "state": "differs",
            }
        ],
    )
    case, _document = unsure_case(data=data)
    choose(analyst, case, value="Northwind Bakery Lmtd")
    assert is_open(case)
    choose(analyst, case, value="Northwind Bakery Ltd")
    assert not is_open(case)


def test_a_document_that_asks_for_more_stays_open(analyst):
    case, _document = unsure_case(data=unsure_data(only_unsure=False))
    choose(analyst, case, candidate="1")
    assert is_open(case)


def test_every_unsure_field_needs_its_value(analyst):
    data = unsure_data(
        unsure=["business_name", "registry"],
        registry=None,
        evidence={
            "business_name": {"candidates": [{"value": name} for name in NAMES]},
            "registry": {"candidates": [{"value": "17"}, {"value": "71"}]},
        },
    )
    case, _document = unsure_case(data=data)
    choose(analyst, case, candidate="1")
    assert is_open(case)
    choose(analyst, case, "registry", candidate="2")
    assert not is_open(case)


def test_a_choice_does_not_count_for_other_candidates(analyst):
    case, _document = unsure_case()
    choose(analyst, case, candidate="1")
    result = CheckResult.objects.get()
    body = result.body
    body["payload"]["extraction_data"] = unsure_data("Northwind Ltd", "Southwind Ltd")
    result.body = body
    result.save()
    assert is_open(case)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"candidate": "3"}, "no such candidate"),
        ({"candidate": "x"}, "Write the value"),
        ({"value": "  "}, "Write the value"),
        ({}, "Write the value"),
    ],
)
def test_what_is_no_choice_is_refused(analyst, values, why):
    case, _document = unsure_case()
    response = choose(analyst, case, **values)
    assert response.status_code == 422
    assert why in response.content.decode()
    assert not ValueChoice.objects.exists()


def test_a_field_that_is_gone_is_refused(analyst):
    case, _document = unsure_case()
    response = analyst.post(
        f"/cases/{case.pk}/choose-value/", {"key": "0" * 64, "candidate": "1"}
    )
    assert response.status_code == 409


def test_a_decided_case_refuses(analyst):
    case, _document = unsure_case()
    one_person()
    choose(analyst, case, candidate="1")
    decide(case, someone("senior"))
    before = ValueChoice.objects.get()
    response = choose(analyst, case, candidate="2")
    assert response.status_code == 422
    undo = {"undo": before.pk}
    assert analyst.post(f"/cases/{case.pk}/choose-value/", undo).status_code == 422
    assert ValueChoice.objects.get().ended_at is None
    assert "data-choice" not in analyst.get(f"/cases/{case.pk}/").content.decode()


@pytest.mark.parametrize("role", ["auditor", "administrator"])
def test_only_reviewers_choose(client, role):
    case, _document = unsure_case()
    client.force_login(someone(role))
    key = key_of(case)
    data = {"key": key, "candidate": "1"}
    assert client.post(f"/cases/{case.pk}/choose-value/", data).status_code == 403
    assert not ValueChoice.objects.exists()


def test_a_value_that_was_given_although_unsure_is_the_only_candidate(analyst):
    data = unsure_data(
        unsure=["jurisdiction"],
        business_name="Northwind Bakery Ltd",
        comparisons=[],
    )
    case, _document = unsure_case(data=data)
    choose(analyst, case, "jurisdiction", candidate="1")
    choice = ValueChoice.objects.get()
    assert (choice.kind, choice.value, choice.candidates) == ("first", "Delaware", 1)
    assert Document.objects.get() == choice.document


def test_whoever_sees_no_names_learns_none(analyst, client, settings):
    case, _document = unsure_case()
    choose(analyst, case, candidate="1")
    settings.MASKED_ROLES = frozenset({"auditor"})
    client.force_login(someone("auditor"))
    text = words(client, f"/cases/{case.pk}/")
    assert NAMES[0] not in text
    assert NAMES[1] not in text
    assert "Dakery" not in client.get(f"/cases/{case.pk}/report/").content.decode()


def test_the_document_states_none_of_a_field(analyst):
    """With nothing attested the field is settled. The check asks for a value, so it stays open."""
    data = unsure_data(comparisons=[])
    case, _document = unsure_case(data=data, self_attested_data={})
    assert "The document states none" in words(analyst, f"/cases/{case.pk}/")
    assert choose(analyst, case, candidate="0").status_code == 303
    choice = ValueChoice.objects.get()
    assert (choice.kind, choice.value, choice.candidates) == ("absent", "", 2)
    assert is_open(case)
    text = words(analyst, f"/cases/{case.pk}/")
    assert "Chosen by Ana Lindqvist" in text
    assert "The document states none" in text
    assert "unsure: a person chooses" not in text
    assert case.events.filter(what="value_chosen").count() == 1
    choose(analyst, case, candidate="1")
    newest = ValueChoice.objects.first()
    assert newest is not None
    assert newest.kind == "first"
    assert not is_open(case)


def test_none_settles_nothing_that_was_attested(analyst):
    case, _document = unsure_case()
    choose(analyst, case, candidate="0")
    assert ValueChoice.objects.get().kind == "absent"
    assert is_open(case)


def test_a_value_that_was_given_is_not_called_absent(analyst):
    case, _document = unsure_case()
    choose(analyst, case, "jurisdiction", candidate="0")
    assert not ValueChoice.objects.exists()


def test_the_tag_of_a_document_tells_what_is_left(analyst):
    case, _document = unsure_case()
    assert "1 unsure" in words(analyst, f"/cases/{case.pk}/")
    choose(analyst, case, candidate="1")
    text = words(analyst, f"/cases/{case.pk}/")
    assert "1 unsure" not in text
    assert "all chosen" in text


@pytest.mark.parametrize(("chosen", "open_after"), [("1", False), ("2", True)])
def test_a_country_is_compared_by_its_name(analyst, chosen, open_after):
    """The attested place has the code of its country, and the candidates have names."""
    comparison: dict[str, object] = {
        "field": "jurisdiction",
        "label": "Jurisdiction",
        "attested": "AW",
        "extracted": None,
        "state": "cannot_compare",
        "how": "unsure",
        "boxes": [],
    }
    several = [candidate("Aruba"), candidate("Netherlands", 0.4)]
    data = unsure_data(
        jurisdiction=None,
        unsure=["jurisdiction"],
        comparisons=[comparison],
        evidence={"jurisdiction": {"value": None, "boxes": [], "candidates": several}},
    )
    case, _document = unsure_case(data=data)
    choose(analyst, case, "jurisdiction", candidate=chosen)

    assert is_open(case) is open_after
