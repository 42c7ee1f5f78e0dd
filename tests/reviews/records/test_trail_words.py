"""Lines of the audit trail are in words, and in the language of the reader."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise

from reviews.audit import trail
from reviews.models import CaseEvent
from reviews.records.trail_words import DETAILS, EVENTS, Event
from tests.factories import make_case, make_connection

PACKAGES = ("agenthub", "reviews", "webhooks")


def recorded() -> Iterator[str]:
    """The acts that the source records about a case, where they are fixed."""
    for package in PACKAGES:
        for path in Path(settings.BASE_DIR, package).rglob("*.py"):
            yield from recorded_in(path.read_text(encoding="utf-8"))


def recorded_in(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        is_trail = getattr(node.func.value, "id", "") == "trail"
        if not is_trail or node.func.attr != "record" or len(node.args) < 2:
            continue
        case, what = node.args[:2]
        is_of_case = not (isinstance(case, ast.Constant) and case.value is None)
        if is_of_case and isinstance(what, ast.Constant):
            yield str(what.value)


def test_each_act_about_a_case_has_words():
    assert set(recorded()) - set(EVENTS) == set()


def test_a_new_act_would_be_seen():
    source = 'trail.record(case, "painted_blue", {})\ntrail.record(None, "slept")'
    assert list(recorded_in(source)) == ["painted_blue"]


@pytest.mark.parametrize("what", EVENTS)
def test_the_words_of_an_act_are_marked(what):
    assert isinstance(EVENTS[what][1], Promise)


def test_each_member_that_stays_in_the_clear_has_words():
    assert trail.CLEAR - set(DETAILS) == set()


@pytest.mark.django_db
def test_codes_are_shown_in_words():
    case = make_case(make_connection())
    data = {
        "outcome": "approve",
        "checks": ["kyb.proof_of_address_verification"],
        "kinds": ["ein_documents"],
        "verdict": "fail",
        "recommendation": "Deny",
        "pages": 2,
    }
    line = CaseEvent(case=case, what="decided", data=data)
    with translation.override("de"):
        event = Event.of(line)
        assert event.words == "entschied den Fall"
        assert dict(event.details) == {
            "Ergebnis": "Genehmigen",
            "Prüfungen": "Adressnachweis",
            "Arten": "EIN-Schreiben",
            "Urteil": "nicht bestanden",
            "Empfehlung": "Ablehnen",
            "Seiten": "2",
        }


@pytest.mark.django_db
def test_why_a_second_person_was_asked_is_in_the_language_of_the_reader():
    case = make_case(make_connection())
    why = ["2 RISK indicators found", "A document is of high risk"]
    trail.record(case, "proposed", {"second": why})
    event = CaseEvent.objects.get(case=case, what="proposed")
    with translation.override("de"):
        words = dict(Event.of(event).details)
    assert "2 RISK-Indikatoren gefunden" in str(words)
    assert "RISK indicators" not in str(words)


@pytest.mark.django_db
def test_the_answer_of_an_applicant_is_in_the_language_of_the_reader():
    case = make_case(make_connection())
    documents = [{"file": "bill.pdf", "sha256": "ab12"}]
    data = {"documents": documents, "said": "We moved."}
    trail.record(case, "info_received", data)
    with translation.override("de"):
        event = Event.of(CaseEvent.objects.get(what="info_received"))
    assert dict(event.details) == {
        "Dokumente": "Datei: bill.pdf; SHA-256: ab12",
        "Text": "We moved.",
    }
