"""A word of a scan that was copied to another place, and changed a little on the way."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from PIL import Image

from checks.base import Indicator
from checks.document_fraud_check.page import pictures
from checks.evidence import Evidence
from tests.checks.document_fraud_check.editing import picture_of, place_of
from tests.checks.document_fraud_check.genuine_kinds.scans import scan_of
from tests.checks.document_fraud_check.test_grain import saved
from tests.checks.documents import make_pdf

Change = Callable[[Image.Image], Image.Image]

WORDS = (
    "annual return company shares members register office director secretary capital transfer "
    "allotment resolution meeting notice charge mortgage debenture auditor account balance"
)
PICK = random.Random(5)  # noqa: S311 - the same words in each run
LINES = "\n".join(" ".join(PICK.sample(WORDS.split(), 9)) for _ in range(30))
DOCUMENT = make_pdf(f"Company number 5594810 of the register\n{LINES}")
# Dots of a scan in a point of the page.
DOTS = 150 / 72


def resized(word: Image.Image) -> Image.Image:
    size = (round(word.width * 1.12), round(word.height * 1.12))
    return word.resize(size, Image.Resampling.BICUBIC)


def turned(word: Image.Image) -> Image.Image:
    # A turned copy has corners of nothing, which are cut off.
    whole = word.rotate(2, Image.Resampling.BICUBIC, fillcolor=(246, 246, 244))
    return whole.crop((2, 2, word.width - 2, word.height - 2))


def lighter(word: Image.Image) -> Image.Image:
    return word.point(lambda value: min(255, int(value * 0.93 + 10)))


def copied(page: Image.Image, change: Change) -> Image.Image:
    """The first three words are put below the last line, where the page is empty."""
    x0, y0, _, y1 = place_of(DOCUMENT, "Company")
    x1 = place_of(DOCUMENT, "5594810")[2]
    frame = (
        x0 * DOTS - 6,
        page.height - y1 * DOTS - 12,
        x1 * DOTS + 6,
        page.height - y0 * DOTS + 4,
    )
    word = change(page.crop(tuple(map(int, frame))))
    page = page.copy()
    page.paste(word, (700, 1350))
    return page


def places(file: bytes) -> list[tuple[float, float]]:
    result = pictures.duplicated_glyphs(Evidence(file))
    if result is None:
        return []
    assert isinstance(result, Indicator)
    return sorted((box.x0, box.y0) for box in result.boxes)


@pytest.mark.parametrize("change", [resized, turned, lighter])
@pytest.mark.parametrize(("kind", "options"), [("PNG", {})])
def test_a_changed_copy_is_shown_beside_its_original(change, kind, options):
    found = places(saved(copied(scan_of(DOCUMENT), change), kind, **options))

    assert len(found) == 2
    # The copy is the one at the foot.
    x, y = max(found, key=lambda place: place[1])
    assert 0.54 < x < 0.72
    assert y == pytest.approx(0.83, abs=0.04)


def test_words_that_were_printed_twice_are_no_copies():
    """Thirty lines have the same few words, each with a grain of its own."""
    assert not places(saved(scan_of(DOCUMENT)))
    assert not places(saved(scan_of(DOCUMENT, noise=0.02)))
    for quality in (60, 75, 85, 95):
        assert not places(saved(scan_of(DOCUMENT), "JPEG", quality=quality))


def test_on_a_page_without_grain_nothing_is_concluded():
    page = picture_of(DOCUMENT)

    assert not places(saved(page))
    assert not places(saved(copied(page, resized)))
