"""The words of a document, their places, and how to find the place of a phrase."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol, Self

from checks.text import tunables
from checks.text.characters import count_letters_and_digits
from papers.geometry import IDENTITY, Affine, Box, enclosing

LINE_END = re.compile(r"[\n\f]")
Source = Literal["text layer", "form value", "OCR"]
CoverKind = Literal["fill", "image"]
Hiding = Literal["", "invisible", "behind"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its place.

    `confidence` (0 to 1) is that of OCR; text that the file itself states has 1. `engine` names the
    OCR engine, if there was one. `hidden` is how the text behind a scan is hidden: drawn invisibly,
    or behind a picture of the page. `digit_fonts` are the fonts of its digits, if
    they are in more than one.
    """

    text: str
    box: Box
    source: Source = "text layer"
    font: str = ""
    embedded: bool = True
    confidence: float = 1.0
    engine: str = ""
    hidden: Hiding = ""
    digit_fonts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def box(self) -> Box:
        return enclosing(word.box for word in self.words)


@dataclass(frozen=True, slots=True)
class Covered:
    """Text that a later object of the page hides, and the text that is visible instead."""

    text: str
    visible: str
    cover: CoverKind
    box: Box


@dataclass(frozen=True, slots=True)
class Page:
    """One page as it is displayed. Width and height are in points (pixels for an image).

    `unread` is the reason why the words of a picture are missing; it is empty if they were read.
    `ground` is the share of the page that a picture of it covers, in one piece or in strips.
    """

    number: int
    width: float
    height: float
    lines: tuple[Line, ...] = ()
    covered: tuple[Covered, ...] = ()
    images: tuple[Box, ...] = ()
    transform: Affine = field(default=IDENTITY)
    objects: int = 0
    unread: str = ""
    ground: float = 0.0

    @property
    def words(self) -> list[Word]:
        words: list[Word] = []
        for line in self.lines:
            words += line.words
        return words

    @property
    def letters(self) -> int:
        """The number of letters and digits that the file itself states, without those of OCR."""
        letters = 0
        for line in self.lines:
            for word in line.words:
                if word.source != "OCR":
                    letters += count_letters_and_digits(word.text)
        return letters

    @property
    def has_text_layer(self) -> bool:
        return self.letters >= tunables.MIN_TEXT_LAYER

    @property
    def is_picture(self) -> bool:
        """Whether most of its words are only in pictures.

        A scan may have a few words of text: the stamp of a signing service, a page number.
        """
        if self.is_blank:
            return False
        letters = self.letters
        if letters < tunables.MIN_TEXT_LAYER:
            return True
        return (
            letters < tunables.SCAN_LETTERS and self.image_share >= tunables.SCAN_SHARE
        )

    @property
    def is_blank(self) -> bool:
        return not self.lines and not self.images and not self.objects

    @property
    def image_share(self) -> float:
        """The share of the page that its largest image covers."""
        areas = [image.area for image in self.images]
        return max(areas, default=0.0)


class Standing(Protocol):
    """The picture of a page that OCR read, from which it can read words once more."""

    def read_again(self, words: Sequence[Word]) -> Iterator[str]:
        """Yield readings of these words of one line; none if that is not possible."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """What OCR read on a page. `confidence` (0 to 1) is the mean over its letters.

    `turned` is the number of quarter turns and `skew` the degrees, both clockwise, by which the
    page had to be turned for reading; the boxes are those of the page as it is displayed. `unread`
    is the reason why nothing could be read, and `note` describes the result of a second reading.
    """

    lines: tuple[Line, ...] = ()
    confidence: float = 0.0
    turned: int = 0
    skew: float = 0.0
    unread: str = ""
    note: str = ""
    standing: Standing | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Span:
    """A range of a `Text`, from `start` up to, but not including, `end`."""

    start: int
    end: int

    @classmethod
    def of(cls, start: int, words: str) -> Self:
        """The range of words that begin at `start`."""
        return cls(start, start + len(words))


class Text:
    """The lines of pages as one string. Every range of it still knows its boxes.

    Words are joined by a space and lines by a line feed. A form feed separates pages.
    """

    def __init__(self, pages: Iterable[Page]) -> None:
        parts: list[str] = []
        self._starts: list[int] = []
        self._words: list[tuple[Word, int]] = []
        length = 0
        row = 0
        for page in pages:
            for line in page.lines:
                row += 1
                for word in line.words:
                    self._starts.append(length)
                    self._words.append((word, row))
                    parts += word.text, " "
                    length += len(word.text) + 1
                if line.words:
                    parts[-1] = "\n"
            parts.append("\f")
            length += 1
        self.value = "".join(parts)

    def words(self, span: Span) -> list[Word]:
        return [word for word, _ in self._located(span)]

    def rows(self) -> list[list[tuple[Word, int]]]:
        """Return the words of each line with their start in the text."""
        rows: dict[int, list[tuple[Word, int]]] = {}
        for (word, row), start in zip(self._words, self._starts, strict=True):
            rows.setdefault(row, []).append((word, start))
        return list(rows.values())

    def boxes(self, span: Span) -> list[Box]:
        """Return the boxes of a span, one for each line that it covers."""
        rows: dict[int, list[Box]] = {}
        for word, row in self._located(span):
            rows.setdefault(row, []).append(word.box)
        return [enclosing(boxes) for boxes in rows.values()]

    def span_of(self, words: Sequence[Word]) -> Span | None:
        """Return the span of these words in this text; None if it does not have them.

        The words may come from another text of the same document, which has them in another order.
        They are found by identity.
        """
        wanted = {id(word) for word in words}
        places = [
            (start, start + len(word.text))
            for (word, _), start in zip(self._words, self._starts, strict=True)
            if id(word) in wanted
        ]
        if not places:
            return None
        return Span(places[0][0], places[-1][1])

    def has_ocr(self, span: Span) -> bool:
        """Whether OCR read a word of the span."""
        for word in self.words(span):
            if word.source == "OCR":
                return True
        return False

    def lines(self) -> Iterator[tuple[str, Span]]:
        """Yield each line with its span; the empty ones, too."""
        start = 0
        for line in LINE_END.split(self.value):
            yield line, Span.of(start, line)
            start += len(line) + 1

    def line_start(self, position: int) -> int:
        """Return where the line begins.

        The first line of a page begins with the form feed that ends the page before.
        """
        return self.value.rfind("\n", 0, position) + 1

    def before_on_line(self, span: Span) -> str:
        """Return what stands before the span on its line."""
        return self.value[self.line_start(span.start) : span.start]

    def behind_on_line(self, span: Span) -> str:
        """Return what stands behind the span on its line."""
        return self.value[span.end :].partition("\n")[0]

    def snippet(self, span: Span, around: int = 60) -> str:
        """Return the span with some words around it, on one line, so that a person recognises the
        place.
        """
        start = max(0, span.start - around)
        end = min(len(self.value), span.end + around)
        # Do not cut words.
        while start and not self.value[start - 1].isspace():
            start -= 1
        while end < len(self.value) and not self.value[end].isspace():
            end += 1
        return " ".join(self.value[start:end].split())

    def _located(self, span: Span) -> list[tuple[Word, int]]:
        first = max(bisect_right(self._starts, span.start) - 1, 0)
        last = bisect_right(self._starts, max(span.start, span.end - 1))
        return self._words[first:last]

    @cached_property
    def folded(self) -> str:
        """The text in lower case with the same length, for searches that ignore case."""
        chars: list[str] = []
        for char in self.value:
            lower = char.lower()
            # The lower case of a few letters has two characters. These letters stay as they are.
            if len(lower) > 1:
                lower = char
            chars.append(lower)
        return "".join(chars)


def complete(recognised: Sequence[Line], stated: Sequence[Line]) -> list[Line]:
    """Return the lines that OCR read, completed by the words that the file itself states.

    The words of the file win, because they are certain.
    """
    places: list[Box] = []
    for line in stated:
        for word in line.words:
            places.append(word.box)
    lines: list[Line] = []
    for line in recognised:
        words = [word for word in line.words if _is_new(word, places)]
        if words:
            lines.append(Line(tuple(words)))
    return place_loose(lines, stated)


def _is_new(word: Word, places: Iterable[Box]) -> bool:
    """Whether no other word covers most of the place of this one."""
    half = 0.5 * word.box.area
    for place in places:
        if word.box.overlap(place) > half:
            return False
    return True


def place_loose(lines: Sequence[Line], loose: Iterable[Line]) -> list[Line]:
    """Insert words that are drawn late (form values, retyped words) at the place where they are
    seen.

    Each loose line joins the line on its row that it does not overlap. If there is none, it becomes
    a line of its own above the first lower line.
    """
    placed = list(lines)
    for piece in loose:
        row = _row_of(placed, piece)
        if row is None:
            placed.insert(_first_below(placed, piece), piece)
        else:
            words = (*placed[row].words, *piece.words)
            in_order = sorted(words, key=lambda word: word.box.x0)
            placed[row] = Line(tuple(in_order))
    return placed


def _first_below(lines: Sequence[Line], piece: Line) -> int:
    """Return the index of the first lower line, or the number of lines if there is none."""
    lower_edge = piece.box.y1
    for index, line in enumerate(lines):
        if line.box.y0 >= lower_edge - 0.002:
            return index
    return len(lines)


def _row_of(lines: Sequence[Line], piece: Line) -> int | None:
    """Return the index of the nearest line on the same row; None if there is none."""
    box = piece.box
    nearest: int | None = None
    smallest = math.inf
    for index, line in enumerate(lines):
        if line.box.shared_rows(box) < 0.5 or _overlap(line, piece):
            continue
        gap = _gap(line, box)
        if gap < smallest:
            nearest = index
            smallest = gap
    return nearest


def _gap(line: Line, box: Box) -> float:
    """Return the horizontal distance from the box to the nearest word of the line."""
    gap = math.inf
    for word in line.words:
        gap = min(gap, word.box.gap_across(box))
    return gap


def _overlap(line: Line, piece: Line) -> bool:
    """Whether a word of the line covers more than a fifth of a word of the piece."""
    for other in piece.words:
        fifth = 0.2 * other.box.area
        for word in line.words:
            if word.box.overlap(other.box) > fifth:
                return True
    return False
