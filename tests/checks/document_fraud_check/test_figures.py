"""Words in the figures of genuine files, where shapes lie about them."""

from __future__ import annotations

from checks.base import Indicator
from checks.document_fraud_check.page.overlays import text_covered
from checks.evidence import Evidence
from tests.checks.document_fraud_check.editing import drawn, rewritten
from tests.checks.documents import TODAY, make_pdf

PLAIN = make_pdf("A report with a figure.\n    The axes of the figure have labels.")


def covered(stream: str) -> Indicator | None:
    file = rewritten(PLAIN, drawn(stream.encode()))
    found = text_covered(Evidence(file, today=TODAY))
    assert found is None or isinstance(found, Indicator)
    return found


def word(text: str, x: int, y: int) -> str:
    return f"BT 0 g /Typed 12 Tf {x} {y} Td ({text}) Tj ET "


def test_words_beside_a_slanted_shape_are_not_hidden():
    # The words stand in a corner of the bounds of the shape, and not on it.
    shape = "1 1 .9 rg 100 200 m 300 300 l 320 340 l 120 240 l f "

    assert covered(word("likelihood", 105, 320) + shape) is None


def test_words_under_a_slanted_shape_are_hidden():
    shape = "1 1 .9 rg 90 300 m 300 310 l 300 350 l 90 340 l f "

    finding = covered(word("likelihood", 105, 320) + shape)

    assert finding is not None
    assert finding.strong


def test_a_word_that_is_drawn_once_more_over_its_shape_is_seen():
    # The text that PDFium reads has such a word only once.
    box = ".9 .9 1 rg 100 310 90 30 re f "
    label = word("Waldtest", 110, 320)

    finding = covered(label + box + label)

    assert finding is None or finding.type == "INFO"


def test_a_word_that_is_drawn_once_more_upwards_is_seen():
    box = ".9 .9 1 rg 100 300 30 100 re f 0 G 100 300 30 100 re S "
    label = "BT 0 g /Typed 12 Tf 0 1 -1 0 120 320 Tm (Waldtest) Tj ET "

    finding = covered(label + box + label)

    assert finding is None or not finding.strong


def test_a_box_with_nothing_on_it_is_a_strong_sign():
    finding = covered(word("No. 08412773", 110, 320) + "1 g 100 310 120 30 re f ")

    assert finding is not None
    assert finding.strong


def test_a_box_with_a_drawing_that_cannot_be_read_is_for_a_person():
    curves = []
    for x in range(104, 210, 5):
        start = f"{x} {312 + x * 7 % 13} m"
        bend = f"{x + 9} {330 - x * 5 % 11} {x - 8} {318 + x * 3 % 9}"
        curves.append(f"{start} {bend} {x + 3} {336 - x % 7} c S")
    scribble = "0 G 2 w " + " ".join(curves)
    box = "1 g 100 310 120 30 re f "

    finding = covered(word("No. 08412773", 110, 320) + box + scribble)

    assert finding is not None
    assert finding.type == "RISK"
    assert not finding.strong
