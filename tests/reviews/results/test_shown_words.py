"""Words that the desk writes itself, in the language of the reader."""

from __future__ import annotations

import pytest
from django.utils import translation

from reviews.models import Case
from reviews.records import report_content
from reviews.records.report_content import state_word
from reviews.results import shown, text
from reviews.templatetags.reviews import mark_tag


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "PEP: yes; Resident: no"), ("de", "PEP: ja; Resident: nein")],
)
def test_yes_and_no_are_translated(language, expected):
    with translation.override(language):
        assert shown({"pep": True, "resident": False}) == expected


def test_what_is_stored_keeps_its_language():
    with translation.override("de"):
        assert text([True, {"pep": False}]) == "yes; (PEP: no)"


def test_a_word_alone_begins_with_a_capital_and_keeps_those_of_its_nouns():
    with translation.override("de"):
        assert state_word("unknown") == "Kein Urteil"
        assert "Kein Urteil" in mark_tag("unknown")


def test_attested_data_is_shown_without_members_that_only_hold_others():
    card = {"document_type": "passport", "issuing_country": "NO"}
    data = {"government_id_verification_data": {"id_data": card}}
    case = Case(self_attested_data=data)
    [(label, words)] = report_content.attested(case)
    assert label == "Government ID verification data"
    assert words == "Document type: Passport; Issuing country: Norway (NO)"


def test_values_among_arabic_words_keep_their_order():
    zone = "P<NORAASGAARD<<RAGNHILD"
    with translation.override("ar"):
        words = shown(
            {"mrz": zone, "document_type": "driver's license", "issuing_country": "NO"}
        )
    # The isolates are U+2068 and U+2069.
    assert f"\u2068{zone}\u2069" in words
    assert "رخصة قيادة" in words
    assert "النرويج (NO)" in words
