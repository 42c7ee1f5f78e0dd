"""The sentence of a fraud check says what its strong signs say, and no more."""

from __future__ import annotations

import pytest

from checks.document_fraud_check import catalogue, meaning


def sign(
    category: str, description: str = "", *, strong: bool = True
) -> dict[str, object]:
    return {
        "type": "RISK",
        "category": category,
        "strong": strong,
        "description": description,
    }


def verification(*signs: dict[str, object]) -> dict[str, object]:
    return {"verification_result": "HIGH_RISK", "verification_data": list(signs)}


@pytest.mark.parametrize(
    ("category", "words"),
    [
        ("network", "The document was already submitted in another case. It was."),
        ("content", "The document looks like a sample or a template. It was."),
        ("cross-check", "The document contradicts its own codes. It was."),
        ("revisions", "The document shows strong signs of editing. It was."),
    ],
)
def test_a_strong_sign_is_called_what_it_is(category, words):
    assert meaning.of_documents([verification(sign(category, "It was."))], 1) == words


def test_several_documents_are_counted_by_what_they_show():
    rows = [verification(sign("network"), sign("overlay", strong=False)), verification(sign("overlay"))]  # fmt: skip

    result = meaning.of_documents(rows, 3)

    assert result == (
        "1 of 3 documents was already submitted in another case. "
        "1 of 3 documents shows strong signs of editing."
    )


def change(before: str, after: str) -> dict[str, object]:
    return {"page": 1, "before": before, "after": after, "boxes": []}


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("2015", "2009", "the year was 2015, now 2009"),
        ("12345678", "87654321", "“12345678” is now “87654321”"),
        ("Ada Marsh", "", "“Ada Marsh” is hidden"),
        ("", "Director", "“Director” was added"),
    ],
)
def test_an_edit_is_named_by_what_it_changed(before, after, words):
    edited = sign("revisions", "Long words.") | {"changes": [change(before, after)]}

    rows = [
        meaning.of_documents([verification(edited)], count, ["a.pdf"][: count - 1])
        for count in (1, 2)
    ]

    assert rows == [
        f"This document was edited: {words}.",
        f"a.pdf was edited: {words}.",
    ]


def test_one_change_that_two_signs_show_is_named_once():
    signs = [
        sign(category) | {"changes": [change("2015", "2009")]}
        for category in ("revisions", "overlay")
    ]

    assert meaning.of_documents([verification(*signs)], 1).count("2015") == 1


def test_every_strong_indicator_has_words_of_its_own():
    categories = {
        rule.category for rule in catalogue.EVERY if rule.type == "RISK" and rule.strong
    }

    assert categories <= {*meaning.EDITS, *meaning.OTHERS}
