"""Measures how many words OCR reads correctly: born-digital pages, rendered as a scanner would."""

from __future__ import annotations

import io
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageFilter

from bench.document_rows.corpus import Corpus
from bench.report import Report
from checks import readers
from checks.evidence import OCR_DPI, Evidence
from checks.readers.drawing import Pixels
from checks.text.words import Page, Word
from papers.geometry import Box

# Limits of the sample: pages per document, pages in total, words that a page must have.
EDGES = re.compile(r"^\W+|\W+$")
LEADERS = re.compile(r"[.…_]{3,}")
PAGES_EACH = 2
MAX_PAGES = 16
MIN_WORDS = 150
# Sources of words that are visible on the page and stated by the file. Form values belong to them
# if they have a place.
STATED = {"text layer", "form value"}


@dataclass(frozen=True, slots=True)
class BornDigital:
    """A page whose file states its words.

    Words in pictures and under annotations (`untold`) are not counted on either side, because their
    true text is unknown.
    """

    name: str
    content: bytes
    page: Page
    untold: tuple[Box, ...]

    def bag(self, words: Iterable[Word]) -> Counter[str]:
        rows = (
            w
            for w in words
            if not any(box.contains_centre_of(w.box) for box in self.untold)
        )
        return _bag(word.text for word in rows)


def measure(report: Report, corpus: Corpus) -> None:
    pages = list(_born_digital(corpus))
    report.row("", "pages", "precision", "recall", "CPU s a page")
    for goal, name, bound, spoil in (
        ("R1", "clean at 200 dpi", 0.985, lambda pixels, _: pixels),
        ("R2", "degraded at 200 dpi", 0.98, _degraded),
    ):
        precision, recall, seconds = _score(pages, spoil, corpus)
        cells = (f"{len(pages)}", f"{precision:.3f}", f"{recall:.3f}", f"{seconds:.2f}")
        report.row(name, *cells)
        f1 = 2 * precision * recall / (precision + recall)
        report.least(goal, f"F1 of words, {name}", f1, bound)
    report.not_run(
        "R3", "F1 of words on receipts", "the corpus has no transcriptions of them"
    )


def _born_digital(corpus: Corpus) -> Iterator[BornDigital]:
    text = 0
    for names in corpus.documents():
        evidence = Evidence(names.content, arguments={"ocr": "off"})
        # Pages whose words come from the file and not from a scan.
        words = [
            page
            for page in evidence.pages
            if page.has_text_layer and not _scanned(page)
        ]
        for page in words[:PAGES_EACH]:
            if len(page.words) >= MIN_WORDS and not page.covered and text < MAX_PAGES:
                text += 1
                yield BornDigital(
                    names.name, names.content, page, _untold(page, evidence)
                )


def _untold(page: Page, evidence: Evidence) -> tuple[Box, ...]:
    # Annotations may cover words.
    over = [
        page.transform.box(page.number, note.rectangle)
        for note in evidence.structure.annotations
        if note.page == page.number
    ]
    return (*page.images, *evidence.signature_boxes, *over)


def _scanned(page: Page) -> bool:
    return page.image_share > 0.3 or page.is_picture


def _score(
    pages: list[BornDigital],
    spoil: Callable[[Pixels, int], Pixels],
    corpus: Corpus,
) -> tuple[float, float, float]:
    right = read = stated = 0
    seconds = 0.0
    for index, one in enumerate(pages):
        page = one.page
        pixels = spoil(readers.draw_page(one.content, page.number, dpi=OCR_DPI), index)
        began = time.process_time()
        result = readers.recognise(pixels, page=page.number)
        seconds += time.process_time() - began
        own = one.bag(word for line in result.lines for word in line.words)
        truth = one.bag(
            word for word in page.words if word.source in STATED and word.box.area
        )
        # A multiset intersection: the order of words does not matter.
        shared = (own & truth).total()
        corpus.note(
            f"{one.name} p{page.number}: {shared} of {truth.total()} words, {own.total()} read"
        )
        right, read, stated = right + shared, read + own.total(), stated + truth.total()
    return right / read, right / stated, seconds / len(pages)


def _bag(words: Iterator[str]) -> Counter[str]:
    """The words in lower case, without punctuation before and after.

    The dots that lead to a page number in a table of contents are not part of a word.
    """
    parts = (part for word in words for part in LEADERS.split(word.casefold()))
    bare = (EDGES.sub("", part) for part in parts)
    return Counter(word for word in bare if word)


def _degraded(pixels: Pixels, seed: int) -> Pixels:
    """The page as from a cheap scanner: rotated, blurred, unevenly lit, noisy, and compressed."""
    pick = random.Random(seed)  # noqa: S311 - variety, not secrecy
    noise = np.random.default_rng(seed)
    angle = pick.choice((-1, 1)) * pick.uniform(0.8, 1.8)
    image = Image.fromarray(pixels).convert("L")
    image = image.rotate(angle, Image.Resampling.BICUBIC, fillcolor=255)
    image = image.filter(ImageFilter.GaussianBlur(0.8))
    height, width = image.height, image.width
    light = (
        1
        - 0.18
        * np.linspace(0, 1, width)[None, :]
        * np.linspace(0.3, 1, height)[:, None]
    )
    grey = np.asarray(image, dtype=np.float64) * light + noise.normal(
        0, 7, (height, width)
    )
    out = io.BytesIO()
    Image.fromarray(grey.clip(0, 255).astype(np.uint8)).save(out, "JPEG", quality=45)
    return np.asarray(Image.open(out).convert("RGB"))
