"""Words that were taken out of a file and written anew, on a patch in the colour of the paper."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from tests.checks.documents import FRAUD, indicators_of, results_of

LINES = (
    "CERTIFICATE OF INCORPORATION",
    "The registrar of companies hereby certifies",
    "that QUILLHAVEN LIMITED is this day",
    "incorporated under the Companies Act,",
    "and that the company is limited by shares.",
    "Its registered office is in Leeds.",
    "Company number",
    "Given at the registry",
    "on the day that is written here",
    "by the registrar",
    "under the seal of the office",
    "which stands below.",
)
LEFT, TOP, STEP = 72, 760, 24
Draw = Callable[[Canvas, float, float, str], None]


def plain(canvas: Canvas, x: float, y: float, text: str) -> None:
    canvas.setFillGray(0)
    canvas.drawString(x, y, text)


def with_number(canvas: Canvas, x: float, y: float, text: str) -> None:
    """A line in one piece, which reaches behind the place of the number."""
    if text == "Company number":
        text = "Company number                87654321 of the register of companies"
    plain(canvas, x, y, text)


def on_patch(canvas: Canvas, x: float, y: float, text: str) -> None:
    canvas.setFillGray(1)
    canvas.rect(x - 1, y - 3, canvas.stringWidth(text) + 2, 14, stroke=0, fill=1)
    plain(canvas, x, y, text)


def document(
    *, line: Draw = plain, last: Draw | None = None, at: float = TOP - 6 * STEP
) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont("Times-Roman", 11)
    for number, words in enumerate(LINES):
        line(canvas, LEFT, TOP - number * STEP, words)
    if last:
        last(canvas, 200, at, "87654321")
    canvas.save()
    return buffer.getvalue()


def test_a_number_that_was_written_anew_is_for_a_person():
    fraud = results_of(document(last=on_patch))[FRAUD]["payload"]
    data = fraud["fraud_verification_data"]
    by_id = {item["indicator_id"]: item for item in data["verification_data"]}
    indicator = by_id["words_on_patch"]
    assert (indicator["type"], indicator["strong"]) == ("RISK", False)
    assert "87654321" in indicator["description"]
    assert len(indicator["boxes"]) == 1
    assert data["verification_result"] == "WARNING"


def longer_than_its_patch(canvas: Canvas, x: float, y: float, text: str) -> None:
    canvas.setFillGray(1)
    canvas.rect(x - 1, y - 3, 16, 14, stroke=0, fill=1)
    plain(canvas, x, y, text)


def test_words_that_are_longer_than_the_ones_before_run_over_their_patch():
    indicator = indicators_of(document(last=longer_than_its_patch))["words_on_patch"]

    assert "87654321" in indicator["description"]


def behind_a_white_mark(canvas: Canvas, x: float, y: float, text: str) -> None:
    """The shape lies beside the words, as a box that nobody ticked."""
    canvas.setFillGray(1)
    canvas.rect(x - 20, y - 3, 14, 14, stroke=0, fill=1)
    plain(canvas, x, y, text)


@pytest.mark.parametrize(
    "genuine",
    [
        document(),
        document(last=plain),
        document(last=behind_a_white_mark),
        # Each line has a ground, as programs draw them that come from the web.
        document(line=on_patch),
        document(line=on_patch, last=on_patch),
        # The same number lies beneath it: it was printed twice.
        document(line=with_number, last=on_patch),
        # Nothing stands below it: it is the last line.
        document(last=on_patch, at=TOP - len(LINES) * STEP),
    ],
    ids=[
        "plain",
        "number",
        "box",
        "grounds",
        "grounds and number",
        "twice",
        "last line",
    ],
)
def test_grounds_and_last_lines_are_no_patches(genuine):
    assert "words_on_patch" not in indicators_of(genuine)
