"""Words that the desk writes itself, in the language of the reader."""

from __future__ import annotations

import pytest
from django.utils import translation

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
