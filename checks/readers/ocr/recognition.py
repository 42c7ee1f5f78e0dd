"""OCR of a picture on this machine. Nothing is ever downloaded.

Tesseract reads first. If it is unsure and a second engine is installed, that one reads, too.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
import tesserocr

from checks.readers.drawing import Pixels
from checks.readers.extras import has_second_engine
from checks.readers.ink import Grey, ink_of
from checks.readers.ocr import rapid, tunables
from checks.readers.ocr.dot_leaders import without_leaders
from checks.readers.ocr.second_reading import StandingPage
from checks.readers.ocr.sheets import Sheet, sheet_of, whole, without_tints
from checks.readers.ocr.stray_words import Place, leftovers
from checks.text.rows import in_rows
from checks.text.words import Line, Recognised, Word, place_loose
from papers.geometry import Box, box_within_page

# The folder of the language data that the wheels install.
DATA = Path(sys.prefix) / "share" / "tessdata"
LANGUAGE, ORIENTATION = "eng", "osd"
TESSERACT = "Tesseract"
# The two rows of an affine matrix.
Matrix = Grey
_IDENTITY: Matrix = np.eye(2, 3)


class OcrUnavailableError(Exception):
    """This installation cannot do OCR. The message says what is missing."""


def recognise(
    pixels: Pixels, *, page: int, languages: str = LANGUAGE, again: bool = True
) -> Recognised:
    """Return the words of a page given as pixels (height x width x RGB), at any orientation.

    `again`: the second engine may be used, which takes several times as long. On a photograph only
    the sheet of paper is read, after it was flattened and evenly lit.
    """
    # Step 1: find the sheet on a photograph, and read it.
    sheet = sheet_of(pixels)
    first = _upright(sheet, page, languages)
    if sheet.to_picture is not None and not _is_read(first):
        # The area with four sides may not be the sheet, or only a part of it. The whole picture is
        # read as well, and the reading with more sure letters wins.
        picture = whole(pixels)
        other = _upright(picture, page, languages)
        if _sure_letters(other) > _sure_letters(first):
            sheet, first = picture, other
    # Step 2: a doubtful reading, or a small picture, is read again by the second engine.
    is_small = max(pixels.shape) < tunables.SMALL
    doubtful = first.confidence < tunables.UNSURE or is_small
    # The second engine has models for English only.
    if again and doubtful and languages == LANGUAGE and has_second_engine():
        return _second_look(sheet, page, first)
    return first


def _is_read(reading: Recognised) -> bool:
    count = len(list(_words(reading.lines)))
    return reading.confidence >= tunables.DOUBTFUL and count >= tunables.FEW_WORDS


def _upright(sheet: Sheet, page: int, languages: str) -> Recognised:
    upright = _read(sheet, page, languages, turned=0)
    if _is_read(upright):
        return upright
    best = upright
    plain = without_tints(sheet)
    other = _read(plain, page, languages, turned=0)
    if _sure_letters(other) > _sure_letters(best):
        sheet, best = plain, other
    if _is_read(best):
        return best
    for turns in _quarter_turns(sheet.grey):
        turned = _read(sheet, page, languages, turned=turns)
        if _sure_letters(turned) > _sure_letters(best):
            best = turned
        # A good reading ends the search; every further turn costs another reading.
        if _is_read(best):
            break
    return best


def _second_look(sheet: Sheet, page: int, first: Recognised) -> Recognised:
    """Return the reading with more letters, weighted by confidence.

    The first stays if the second fails.
    """
    standing, place, skew = _straightened(sheet, page, first.turned)
    try:
        read = rapid.read_lines(standing)
    except rapid.SecondLookError as exc:
        return replace(first, note=f"read by {TESSERACT}: {exc}")
    lines: list[Line] = []
    for pieces in read:
        words = [_word(piece, place) for piece in pieces]
        lines.append(Line(tuple(words)))
    confidence = _mean_confidence(lines)
    second = Recognised(tuple(lines), confidence, first.turned, skew)
    better, by = first, TESSERACT
    if _sure_letters(second) > _sure_letters(first):
        better, by = second, rapid.ENGINE
    how = f"{TESSERACT} {first.confidence:.0%}, {rapid.ENGINE} {second.confidence:.0%} sure"
    return replace(better, note=f"read by {by}, the better of two readings ({how})")


def _word(piece: rapid.Piece, place: _Placing) -> Word:
    left, top, right, bottom = piece.edges
    return Word(
        piece.text,
        place.box(left, top, right - left, bottom - top),
        source="OCR",
        confidence=round(piece.confidence, 2),
        engine=rapid.ENGINE,
    )


def _straightened(sheet: Sheet, page: int, turned: int) -> tuple[Grey, _Placing, float]:
    """Return the upright sheet, the transform back to the page, and the skew in degrees."""
    standing = np.ascontiguousarray(np.rot90(sheet.grey, -turned))
    skew = _skew(standing)
    matrix = _turning(standing, skew)
    height, width = standing.shape
    if skew:
        standing = cv2.warpAffine(
            standing,
            matrix,
            (width, height),
            flags=cv2.INTER_CUBIC,
            borderMode=cv2.BORDER_REPLICATE,
        )
    back = cv2.invertAffineTransform(matrix)
    place = _Placing(page, back, width, height, turned, sheet.to_picture)
    return standing, place, round(skew, 1)


def _read(sheet: Sheet, page: int, languages: str, *, turned: int) -> Recognised:
    standing, place, skew = _straightened(sheet, page, turned)
    standing = without_leaders(standing)
    upright = _Placing(page, _IDENTITY, place.width, place.height, 0)
    table = _table(standing, languages, tesserocr.PSM.AUTO)
    lines = _in_rows(table, upright)
    places = [row.place for row in table if row.confidence >= tunables.MIN_CONFIDENCE]
    # Tesseract's layout analysis drops isolated words. They are searched once more in what is left
    # of the page.
    left = leftovers(standing, places)
    if left is not None:
        sparse = _table(left, languages, tesserocr.PSM.SPARSE_TEXT)
        alone = filter(_stands_alone, sparse)
        lines = place_loose(lines, _lines(alone, upright))
    placed: list[Line] = []
    pixels_of: dict[Box, Place] = {}
    for line in lines:
        moved = tuple(map(place.moved, line.words))
        for word, before in zip(moved, line.words, strict=True):
            pixels_of[word.box] = place.pixels(before.box)
        placed.append(Line(moved))
    again = StandingPage(standing, pixels_of, partial(read_line, languages=languages))
    confidence = _mean_confidence(placed)
    return Recognised(tuple(placed), confidence, turned, skew, standing=again)


def read_line(grey: Grey, languages: str = LANGUAGE) -> str:
    """Return the words of an upright picture of one line."""
    rows = _table(grey, languages, tesserocr.PSM.SINGLE_LINE)
    return " ".join(row.text for row in rows)


def read_block(grey: Grey, languages: str = LANGUAGE) -> list[tuple[str, float]]:
    """Return the words of a small upright piece of a page, each with its confidence (0 to 1)."""
    picture = np.ascontiguousarray(grey)
    words: list[tuple[str, float]] = []
    for row in _table(picture, languages, tesserocr.PSM.SINGLE_BLOCK):
        if row.confidence >= tunables.MIN_CONFIDENCE:
            words.append((row.text, row.confidence))
    return words


@dataclass(frozen=True, slots=True)
class _Row:
    """A word of Tesseract's table: its place in pixels, its confidence (0 to 1), and the key of its
    line.
    """

    text: str
    place: Place
    confidence: float
    line: tuple[str, ...]


def _table(picture: Grey, languages: str, mode: int) -> list[_Row]:
    """Return the words from the columns that Tesseract documents for its TSV output."""
    engine = _engine(languages)
    height, width = picture.shape
    engine.SetPageSegMode(mode)
    engine.SetImageBytes(picture.tobytes(), width, height, 1, width)
    engine.SetSourceResolution(tunables.DPI)
    table: list[_Row] = []
    for text_row in engine.GetTSVText(0).split("\n"):
        columns = text_row.split("\t")
        # Rows of level 5 are words; the others are pages, blocks and lines.
        if len(columns) < 12 or columns[0] != "5":
            continue
        text = columns[11]
        if text.strip():
            left, top, wide, high = map(int, columns[6:10])
            confidence = float(columns[10]) / 100
            line = tuple(columns[2:5])
            table.append(_Row(text, (left, top, wide, high), confidence, line))
    engine.Clear()
    return table


def _stands_alone(row: _Row) -> bool:
    return (
        row.confidence >= tunables.ALONE
        and len(row.text) >= tunables.SHORTEST_ALONE
        and any(map(str.isalnum, row.text))
    )


@cache
def _engine(languages: str) -> tesserocr.PyTessBaseAPI:
    missing = []
    for name in languages.split("+"):
        if not _data_of(name).exists():
            missing.append(name)
    if missing:
        raise OcrUnavailableError(
            f"the language data {', '.join(missing)} are not installed"
        )
    return tesserocr.PyTessBaseAPI(
        path=str(data_folder()),
        lang=languages,
        psm=tesserocr.PSM.AUTO,
        oem=tesserocr.OEM.LSTM_ONLY,
    )


def _data_of(language: str) -> Path:
    return data_folder() / f"{language}.traineddata"


@cache
def data_folder() -> Path:
    """Return the folder of TESSDATA_PREFIX, Tesseract's own variable, if it has the data; else that
    of the wheels.

    Tesseract itself would look through all folders below the current one.
    """
    folder = os.environ.get("TESSDATA_PREFIX")
    if folder and (Path(folder) / f"{LANGUAGE}.traineddata").exists():
        return Path(folder)
    return DATA


def _quarter_turns(grey: Grey) -> Sequence[int]:
    """Return how many clockwise quarter turns may make the text upright, the likeliest first.

    Empty if it is upright already. The detection may be wrong for little or skewed print, so that
    all turns are candidates.
    """
    if not _data_of(ORIENTATION).exists():
        return ()
    height, width = grey.shape
    with tesserocr.PyTessBaseAPI(
        path=str(data_folder()), lang=ORIENTATION, psm=tesserocr.PSM.OSD_ONLY
    ) as engine:
        engine.SetImageBytes(grey.tobytes(), width, height, 1, width)
        engine.SetSourceResolution(tunables.DPI)
        orientation = engine.DetectOrientationScript()
    # Tesseract could not decide, so all turns are tried.
    if not orientation:
        return (1, 2, 3)
    quarters: int = orientation["orient_deg"] // 90
    turns = -quarters % 4
    if not turns:
        return ()
    others = {1, 2, 3} - {turns}
    return (turns, *sorted(others))


def _skew(grey: Grey) -> float:
    """Return the skew of the text lines in degrees, clockwise.

    The right angle is the one at which the sums of the rows change most sharply. A coarse search is
    followed by a fine one.
    """
    scale = tunables.SKEW_DOTS / max(grey.shape)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    ink = ink_of(small)
    height, width = ink.shape

    def sharpness(angle: float) -> float:
        turned = cv2.warpAffine(
            ink, _turning(ink, angle), (width, height), flags=cv2.INTER_NEAREST
        )
        rows = turned.sum(axis=1, dtype=np.float64)
        steps = np.diff(rows)
        return float((steps**2).sum())

    coarse_angles = np.arange(
        -tunables.MAX_SKEW, tunables.MAX_SKEW + tunables.COARSE / 2, tunables.COARSE
    )
    coarse = max(coarse_angles, key=sharpness)
    fine_angles = np.arange(
        coarse - 4 * tunables.FINE, coarse + 4.5 * tunables.FINE, tunables.FINE
    )
    best = float(max(fine_angles, key=sharpness))
    # A tiny angle is not worth turning the picture, which softens it.
    if abs(best) > tunables.LEVEL:
        return best
    return 0.0


def _turning(grey: Grey, angle: float) -> Matrix:
    height, width = grey.shape
    middle = (width / 2, height / 2)
    matrix: Matrix = cv2.getRotationMatrix2D(middle, angle, 1)
    return matrix


@dataclass(frozen=True, slots=True)
class _Placing:
    """Maps pixels of the picture that was read to fractions of the original page."""

    page: int
    back: Matrix
    width: int
    height: int
    turned: int
    # Maps fractions of a sheet to fractions of the photograph that shows it.
    to_picture: Grey | None = None

    def box(self, left: int, top: int, width: int, height: int) -> Box:
        right = left + width
        bottom = top + height
        corners = np.array(
            [[left, top, 1], [left, bottom, 1], [right, top, 1], [right, bottom, 1]],
            dtype=float,
        )
        points = []
        for x, y in (corners @ self.back.T).tolist():
            points.append(self._unturned(x / self.width, y / self.height))
        xs, ys = zip(*points, strict=True)
        edges = (min(xs), min(ys), max(xs), max(ys))
        return box_within_page(self.page, edges)

    def moved(self, word: Word) -> Word:
        """Return a word of the straightened picture with its place on the page."""
        return replace(word, box=self.box(*self.pixels(word.box)))

    def pixels(self, box: Box) -> Place:
        """Return left, top, width and height of a box of the straightened picture."""
        left = round(box.x0 * self.width)
        top = round(box.y0 * self.height)
        right = round(box.x1 * self.width)
        bottom = round(box.y1 * self.height)
        return left, top, right - left, bottom - top

    def _unturned(self, x: float, y: float) -> tuple[float, float]:
        for _ in range(self.turned):
            x, y = y, 1 - x
        if self.to_picture is None:
            return x, y
        across, down, scale = (self.to_picture @ np.array([x, y, 1.0])).tolist()
        return across / scale, down / scale


def _lines(table: Iterable[_Row], place: _Placing) -> Iterator[Line]:
    rows = [row for row in table if row.confidence >= tunables.MIN_CONFIDENCE]
    for _, rows_of_line in itertools.groupby(rows, key=lambda row: row.line):
        words: list[Word] = []
        for row in rows_of_line:
            confidence = round(row.confidence, 2)
            box = place.box(*row.place)
            words.append(
                Word(
                    row.text, box, source="OCR", confidence=confidence, engine=TESSERACT
                )
            )
        yield Line(tuple(words))


def _in_rows(table: Iterable[_Row], place: _Placing) -> list[Line]:
    """Return the lines of a page row by row, where the engine read a table column by column."""
    blocks = []
    for _, rows in itertools.groupby(table, key=lambda row: row.line[0]):
        lines = list(_lines(rows, place))
        if lines:
            blocks.append(lines)
    return in_rows(blocks, place.width / place.height)


def _mean_confidence(lines: Iterable[Line]) -> float:
    """Return the mean confidence of all words, weighted by their number of letters."""
    letters = 0
    total = 0.0
    for word in _words(lines):
        letters += len(word.text)
        total += len(word.text) * word.confidence
    if not letters:
        return 0.0
    return total / letters


def _sure_letters(reading: Recognised) -> float:
    """Return the number of letters, multiplied by their mean confidence."""
    letters = sum(len(word.text) for word in _words(reading.lines))
    return letters * reading.confidence


def _words(lines: Iterable[Line]) -> Iterator[Word]:
    for line in lines:
        yield from line.words
