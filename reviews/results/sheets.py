"""The pages of a document with their findings: the geometry of the overlay, in SVG units.

A page is 1,000 units wide, which keeps the numbers short. A box is drawn where the service places
its finding. The words form a transparent layer that can be selected and searched; the browser
fetches it for each page that comes near.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import NamedTuple

from reviews.models import Page
from reviews.results.details.places import area, overlap
from reviews.results.kinds import Box, Finding

# The width of every page in SVG units.
WIDTH = 1000
BIG = 0.012  # share of the page's area; larger boxes get a coloured edge only
AIR = 3.0  # units of space around the letters, so that the line does not touch them
TWIN = 0.6  # two boxes that overlap by this share of the larger one are the same place
# The worst tone first.
TONES = ("fail", "warn", "pass", "info")


class Rectangle(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    look: str  # "", "big", or "twin": visible only while its finding is highlighted


class Word(NamedTuple):
    """A word of a page. Its edges are fractions of the page, measured from the top left."""

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
    highlights: str  # the ref of the finding that is highlighted together with it
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
    hits: Sequence[Rectangle] = ()  # the words that match the search


# Maps a finding to the ref of the finding that its boxes highlight.
Highlights = Callable[[Finding], str]
_ITSELF: Highlights = attrgetter("ref")


def sheets(
    pages: Sequence[Page],
    findings: Sequence[Finding],
    *,
    highlights: Highlights = _ITSELF,
    is_hit: Callable[[str], bool] | None = None,
) -> list[Sheet]:
    """One sheet for each page, with the boxes of the findings on it.

    `highlights` maps a finding to the ref that its boxes highlight. `is_hit` tells whether a word
    matches the search.
    """
    all_sheets = []
    for page in pages:
        marks = marks_on(page, findings, highlights=highlights)
        tones = {mark.finding.tone for mark in marks}
        sheet = Sheet(
            number=page.number,
            width=page.width,
            height=page.height,
            units=units(page),
            marks=marks,
            tones=[tone for tone in TONES if tone in tones],
            hits=_hits(page, is_hit) if is_hit else (),
        )
        all_sheets.append(sheet)
    return all_sheets


def _hits(page: Page, is_hit: Callable[[str], bool]) -> list[Rectangle]:
    height = units(page)
    rectangles = []
    for word in words_of(page):
        if is_hit(word.text):
            rectangles.append(_place(word, page.number, height))
    return rectangles


def places(page: Page, words: Iterable[Word]) -> list[Rectangle]:
    """Where words of a page stand."""
    height = units(page)
    return [_place(word, page.number, height) for word in words]


def _place(word: Word, number: int, height: int) -> Rectangle:
    box = Box(number, word.x0, word.y0, word.x1, word.y1)
    return _rectangle(box, height, ())


def units(page: Page) -> int:
    """The height of a page in SVG units."""
    width = max(1, page.width)
    height = round(WIDTH * page.height / width)
    return max(1, height)


def lines(page: Page) -> list[Line]:
    """The words of a page, joined into lines where one word follows the other."""
    runs: list[list[Word]] = []
    for word in words_of(page):
        run = runs[-1] if runs else []
        if run and _follows(run[-1], word):
            run.append(word)
        else:
            runs.append([word])
    height = units(page)
    return [_line(run, height) for run in runs]


def words_of(page: Page) -> list[Word]:
    """The words of a page. Entries that are malformed or far outside the page are left out."""
    words: list[Word] = []
    if not isinstance(page.words, list):
        return words
    for item in page.words:
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


def _follows(word: Word, after: Word) -> bool:
    """Whether `after` stands on the same line as `word`, directly behind it."""
    # The gap is a fraction of the page width. Boxes of words may overlap a little.
    gap = after.x0 - word.x1
    if not -0.01 <= gap <= 0.03:
        return False
    # On the same line: the boxes overlap by more than half of the smaller height.
    height = min(word.y1 - word.y0, after.y1 - after.y0)
    top = max(word.y0, after.y0)
    bottom = min(word.y1, after.y1)
    common_height = bottom - top
    return common_height > 0.5 * height


def _line(words: Sequence[Word], height: int) -> Line:
    first = words[0]
    last = words[-1]
    top = min(word.y0 for word in words)
    bottom = max(word.y1 for word in words)
    size = (bottom - top) * height
    left = first.x0
    right = last.x1
    # The parts of letters below the baseline, such as in "g", take about a fifth of the box.
    baseline = top * height + size * 0.8
    # A huge box must not produce a huge font.
    font_size = min(size * 0.9, 80)
    length = (right - left) * WIDTH
    text = " ".join([word.text for word in words])
    return Line(
        x=round(left * WIDTH, 1),
        baseline=round(baseline, 1),
        size=round(font_size, 1),
        length=round(length, 1),
        text=text,
    )


def marks_on(
    page: Page, findings: Sequence[Finding], *, highlights: Highlights = _ITSELF
) -> list[Mark]:
    """The marks on a page, those with large boxes first: later boxes lie on top and can be
    clicked.
    """
    height = units(page)
    marks: list[tuple[float, Mark]] = []
    earlier: list[Box] = []
    # The worst finding takes a place first; others at the same place become "twin".
    for finding in sorted(findings, key=_rank):
        boxes = [box for box in finding.boxes if box.page == page.number]
        if not boxes:
            continue
        anchor = f"box-{finding.ref}"
        if finding.page != page.number:
            anchor = f"{anchor}-{page.number}"
        rectangles = []
        for box in boxes:
            rectangle = _rectangle(box, height, earlier)
            rectangles.append(rectangle)
            earlier.append(box)
        total = sum(area(box) for box in boxes)
        mark = Mark(anchor, highlights(finding), finding, rectangles)
        marks.append((total, mark))
    marks.sort(key=itemgetter(0), reverse=True)
    return [mark for _, mark in marks]


def _rectangle(box: Box, height: int, earlier: Sequence[Box]) -> Rectangle:
    # Some space around the words, but within the page.
    left = max(0.0, box.x0 * WIDTH - AIR)
    top = max(0.0, box.y0 * height - AIR)
    right = min(WIDTH, box.x1 * WIDTH + AIR)
    bottom = min(height, box.y1 * height + AIR)
    rectangle_width = right - left
    rectangle_height = bottom - top
    return Rectangle(
        x=round(left, 1),
        y=round(top, 1),
        width=round(rectangle_width, 1),
        height=round(rectangle_height, 1),
        look=_look(box, earlier),
    )


def _look(box: Box, earlier: Sequence[Box]) -> str:
    # Several findings may rest on one place. A second box there would hide the words.
    for other in earlier:
        if _is_same_place(box, other):
            return "twin"
    if area(box) > BIG:
        return "big"
    return ""


def _is_same_place(box: Box, other: Box) -> bool:
    shared = overlap(box, other)
    if not shared:
        return False
    larger = max(area(box), area(other))
    return shared > TWIN * larger


def _rank(finding: Finding) -> int:
    if finding.tone not in TONES:
        return len(TONES)
    return TONES.index(finding.tone)
