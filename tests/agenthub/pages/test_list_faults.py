"""Why a list was not loaded, in the language of the reader: each sentence of the code has its words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from agenthub.pages import list_faults

SCREENING = Path(settings.BASE_DIR) / "agenthub" / "screening"
# Words of the operating system, and a note that was written before.
NOT_OURS = ("exc.strerror", "row.version.note")
HELD = (
    "Held for a person: It lost 1,200 of 3,000 entries. Names that must be found are not found in"
    " it: “J. Smith”, “Acme Inc.”. The active version stays. If that is right, release it on the page"
    " of the list, or load it with --accept."
)


def written(node: ast.expr) -> str:
    """The text of an expression, with a value at the place of each."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    assert isinstance(node, ast.JoinedStr)
    parts = []
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
        else:
            parts.append(_value(ast.unparse(part)))
    return "".join(parts)


def _value(source: str) -> str:
    if "join(reasons)" in source:
        return "It lost 5 of 9 entries. It grew from 5 entries by 1,700."
    if "stays" in source:
        return "The active version stays"
    if any(word in source for word in ("published_at", "active", "new", "day")):
        return "12" if "count" in source else "2026-03-01"
    return "17"


def texts() -> Iterator[str]:
    for path in sorted(SCREENING.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            source = ast.unparse(node) if isinstance(node, ast.expr) else ""
            if any(words in source for words in NOT_OURS):
                continue
            is_error = isinstance(node, ast.Call) and source.startswith(
                ("ListError(", "held.HeldError(", "HeldError(")
            )
            if is_error:
                assert isinstance(node, ast.Call)
                yield written(node.args[0])
            # What is no text is of another function.
            elif (
                isinstance(node, ast.Yield)
                and isinstance(node.value, ast.Constant | ast.JoinedStr)
                and path.stem == "plausibility"
            ):
                yield written(node.value)


def test_each_reason_that_the_code_writes_is_translated():
    reasons = list(texts())
    assert len(reasons) > 75
    for language in ("de", "fr", "es", "ar"):
        with translation.override(language):
            left = [text for text in reasons if list_faults.in_words(text) == text]
        assert left == []


def test_a_note_of_several_sentences_is_translated_whole():
    with translation.override("de"):
        words = list_faults.in_words(HELD)
    assert words == (
        "Zurückgehalten für einen Menschen: Sie hat 1.200 von 3.000 Einträgen verloren. Namen, die"
        " gefunden werden müssen, werden darin nicht gefunden: “J. Smith”, “Acme Inc.”. Die aktive"
        " Fassung bleibt. Wenn das richtig ist, geben Sie sie auf der Seite der Liste frei, oder laden"
        " Sie sie mit --accept."
    )


@pytest.mark.parametrize(
    "text", ["", "Some other words.", "The file holds no entry. And more."]
)
def test_what_is_not_in_the_catalogue_stays_as_it_is(text):
    with translation.override("de"):
        assert list_faults.in_words(text) == text


def test_english_stays_english():
    assert list_faults.in_words(HELD) == HELD
