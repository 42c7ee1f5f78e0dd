"""The pages of a document with their evidence: geometry for the overlay, in SVG units.

A page is 1,000 units wide, so that all numbers are short. A box is drawn where the service says
that its finding lies; the words are a transparent layer that can be selected and found.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from django.utils.safestring import SafeString

from reviews.models import Page
from reviews.results.kinds import Box, Finding

WIDTH = 1000
# Words written into the page itself; the text of what lies beyond is fetched when it is near.
INLINE_WORDS = 1_500
BIG = 0.012  # of the page: only the edge of a large box is drawn
AIR = 3.0  # units about the letters, so that the line does not touch them
TWIN = 0.6  # two boxes that share this much of the larger one are one place
TONES = ("fail", "warn", "pass", "info")


class Rectangle(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    look: str  # "", "big", or "twin": seen only while its finding is lit


class Word(NamedTuple):
    """A word of a page; its edges are fractions of the page, from the top left."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


class Line(NamedTuple):
    x: float
    baseline: float
    size: float
    length: float
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """The boxes of one finding on one page."""

    anchor: str
    lights: str  # the finding that is lit with it
    finding: Finding
    rectangles: Sequence[Rectangle]


@dataclass(frozen=True, slots=True)
class Sheet:
    number: int
    width: int
    height: int
    units: int  # the height in SVG units
    marks: Sequence[Mark]
    tones: Sequence[str]
    text: SafeString | None  # its words as SVG; None: the browser fetches them later


Lights = Callable[[Finding], str]
_ITSELF: Lights = attrgetter("ref")


def sheets(
    pages: Sequence[Page], findings: Sequence[Finding], *, lights: Lights = _ITSELF
) -> list[Sheet]:
    made: list[Sheet] = []
    inline = INLINE_WORDS
    for page in pages:
        inline -= len(page.words) if isinstance(page.words, list) else 0
        marks = list(marks_on(page, findings, lights=lights))
        found = {mark.finding.tone for mark in marks}
        made.append(
            Sheet(
                number=page.number,
                width=page.width,
                height=page.height,
                units=units(page),
                marks=marks,
                tones=[tone for tone in TONES if tone in found],
                text=text_layer(page) if inline >= 0 else None,
            )
        )
    return made


def units(page: Page) -> int:
    return max(1, round(WIDTH * page.height / max(1, page.width)))


def lines(page: Page) -> list[Line]:
    """The words of a page, joined where one follows the other on a line."""
    runs: list[list[Word]] = []
    for word in _words(page):
        if runs and _follows(runs[-1][-1], word):
            runs[-1].append(word)
        else:
            runs.append([word])
    height = units(page)
    return [_line(run, height) for run in runs]


def text_layer(page: Page) -> SafeString:
    """The lines of a page as elements of an SVG.

    Written here because a template takes ten times as long, and a page has hundreds of lines.
    """
    texts = [
        f'<text x="{line.x}" y="{line.baseline}" font-size="{line.size}"'
        f' textLength="{line.length}" lengthAdjust="spacingAndGlyphs">{html.escape(line.text)} </text>'
        for line in lines(page)
    ]
    return SafeString("".join(texts))


def _words(page: Page) -> list[Word]:
    """The words of a page, without what is no word with a place on or near it."""
    words: list[Word] = []
    for item in page.words if isinstance(page.words, list) else []:
        match item:
            case [
                str(text),
                float() | int() as x0,
                float() | int() as y0,
                float() | int() as x1,
                float() | int() as y1,
                *_,
            ] if -9 < x0 <= x1 < 9 and -9 < y0 <= y1 < 9:
                words.append(Word(text, x0, y0, x1, y1))
    return words


def _follows(one: Word, other: Word) -> bool:
    """Beside the word before it, at most three letters' width apart."""
    height = min(one.y1 - one.y0, other.y1 - other.y0)
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    gap = other.x0 - one.x1
    return shared > 0.5 * height and -0.01 <= gap <= 0.03


def _line(words: Sequence[Word], height: int) -> Line:
    top = min(map(attrgetter("y0"), words))
    bottom = max(map(attrgetter("y1"), words))
    size = (bottom - top) * height
    left = words[0].x0
    return Line(
        x=round(left * WIDTH, 1),
        baseline=round(top * height + size * 0.8, 1),
        size=round(min(size * 0.9, 80), 1),
        length=round((words[-1].x1 - left) * WIDTH, 1),
        text=" ".join(word.text for word in words),
    )


def marks_on(
    page: Page, findings: Sequence[Finding], *, lights: Lights = _ITSELF
) -> Iterator[Mark]:
    """Large boxes first: what is drawn later lies above and can be pointed at."""
    high = units(page)
    found: list[tuple[float, Mark]] = []
    drawn: list[Box] = []
    # The worst claims a place first.
    for finding in sorted(findings, key=lambda finding: _rank(finding.tone)):
        here = [box for box in finding.boxes if box.page == page.number]
        if not here:
            continue
        first = finding.boxes[0].page == page.number
        anchor = f"box-{finding.ref}" if first else f"box-{finding.ref}-{page.number}"
        area = sum(_area(box) for box in here)
        rectangles = [_rectangle(box, high, drawn) for box in here]
        found.append((area, Mark(anchor, lights(finding), finding, rectangles)))
    found.sort(key=lambda pair: -pair[0])
    return (mark for _, mark in found)


def _rectangle(box: Box, high: int, drawn: list[Box]) -> Rectangle:
    """Several findings may rest on one place; drawing it more than once would hide the words."""
    look = "big" if _area(box) > BIG else ""
    if any(_shared(box, other) > TWIN * max(_area(box), _area(other)) for other in drawn):
        look = "twin"
    drawn.append(box)
    left, top = max(0.0, box.x0 * WIDTH - AIR), max(0.0, box.y0 * high - AIR)
    right, bottom = min(WIDTH, box.x1 * WIDTH + AIR), min(high, box.y1 * high + AIR)
    return Rectangle(
        x=round(left, 1),
        y=round(top, 1),
        width=round(right - left, 1),
        height=round(bottom - top, 1),
        look=look,
    )


def _rank(tone: str) -> int:
    return TONES.index(tone) if tone in TONES else len(TONES)


def _area(box: Box) -> float:
    return (box.x1 - box.x0) * (box.y1 - box.y0)


def _shared(one: Box, other: Box) -> float:
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return max(width, 0.0) * max(height, 0.0)
