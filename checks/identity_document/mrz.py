"""The zone of an identity document: read from its picture, and mended where its digits allow."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from checks import readers
from checks.evidence import Evidence
from checks.readers.extras import has_second_engine
from checks.subject_data import mrz
from checks.text.words import Line, Page, Text, Word
from papers.errors import UnreadableError
from papers.geometry import Box, Rectangle

DPI = 150
MAX_PAGES = 2
WHOLE: Rectangle = (0.0, 0.0, 1.0, 1.0)
FORMATS = ((2, 44), (2, 36), (3, 30))
# Characters that OCR drops or adds at the end of a line, where the filler stands; of the line
# with the names, which is mostly filler, it may drop half.
SLACK, FEWEST = 4, 15
# What OCR takes for one another within a number, where both can stand.
ALIKE = {"0": "O", "O": "0", "1": "I", "I": "1", "2": "Z", "Z": "2", "5": "S", "S": "5", "8": "B", "B": "8", "6": "G", "G": "6", "Q": "0", "D": "0"}  # fmt: skip
MAX_MENDED = 2
# Trailing filler that OCR took for letters, behind the names.
FILLER = re.compile(r"<<[<KCSEL]+$")


@dataclass(frozen=True, slots=True)
class ReadZone:
    """`text` has the lines of the zone at their place on the page; `mended` names the fields in
    which a character was taken for the one that it is mistaken for; `engine` read the lines."""

    zone: mrz.Zone
    lines: Sequence[str]
    text: Text
    mended: Sequence[str]
    engine: str
    # Another engine read the same names: no check digit covers them.
    names_agree: bool = False

    @property
    def broken(self) -> list[mrz.Digit]:
        return [digit for digit in self.zone.digits if not digit.holds]


def zone_of(evidence: Evidence) -> ReadZone | None:
    """For `Evidence.once`: the reading with the fewest broken digits; None where there is none.

    Where there is a second engine, it is asked on, until both have read the same names.
    """
    zones: list[ReadZone] = []
    for page in evidence.pages[:MAX_PAGES]:
        for read in _readings(evidence, page):
            zones.append(read)
            best = _best(zones)
            if not best.broken and (best.names_agree or not has_second_engine()):
                return best
    return _best(zones) if zones else None


def _best(zones: Sequence[ReadZone]) -> ReadZone:
    """The first of those with the fewest broken digits; one whose names another engine read, too."""
    fewest = min(len(read.broken) for read in zones)
    sound = [read for read in zones if len(read.broken) == fewest]
    agreed = next(
        (zone for zone in sound if any(_same_names(zone, other) for other in zones)),
        None,
    )
    if agreed:
        return replace(agreed, names_agree=True)
    return sound[0]


def _same_names(first: ReadZone, other: ReadZone) -> bool:
    names = [(read.zone.surname, read.zone.given_names) for read in (first, other)]
    return first.engine != other.engine and names[0] == names[1]


def _readings(evidence: Evidence, page: Page) -> Iterator[ReadZone]:
    for texts, places, engine in _engine_readings(evidence, page):
        for lines, where in _candidates(texts, places):
            read = _read(lines, page.number, where, evidence.today, engine)
            if read:
                yield read


def _engine_readings(
    evidence: Evidence, page: Page
) -> Iterator[tuple[Sequence[str], Sequence[Rectangle], str]]:
    if page.lines:
        engine = page.lines[0].words[0].engine
    else:
        engine = ""
    places = []
    for line in page.lines:
        places.append((line.box.x0, line.box.y0, line.box.x1, line.box.y1))
    whole = [line.text for line in page.lines], places, engine
    # The second engine reads the zone with the page, which tells less of its place than a strip.
    second = engine not in {"", "Tesseract"}
    if not second:
        yield whole
    try:
        pixels = readers.draw_page(evidence.file, page.number, dpi=DPI)
        yield from readers.read_zones(pixels)
    except UnreadableError:
        return
    except readers.SecondLookError as exc:
        evidence.note(f"The zone was not looked at again: {exc}.")
    if second:
        yield whole


def _candidates(
    lines: Sequence[str], places: Sequence[Rectangle]
) -> Iterator[tuple[list[str], Rectangle]]:
    """Stretches of lines that may be a zone, each as wide as its format wants, and their place."""
    cleaned = []
    for line in lines:
        cleaned.append(re.sub(r"[^A-Z0-9<]", "", _fillers(line).upper()))
    long = [n for n, line in enumerate(cleaned) if len(line) >= FEWEST]
    plain = [cleaned[n] for n in long]
    for count, width in FORMATS:
        names = 0 if count == 2 else 2
        for start in range(len(plain) - count + 1):
            some = plain[start : start + count]
            others = [line for n, line in enumerate(some) if n != names]
            if "<" in some[names] and all(
                abs(len(line) - width) <= SLACK for line in others
            ):
                where = [places[n] for n in long[start : start + count]]
                yield [(line + "<" * width)[:width] for line in some], _around(where)


def _around(places: Sequence[Rectangle]) -> Rectangle:
    lefts, tops, rights, bottoms = zip(*places, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _fillers(line: str) -> str:
    return (
        line.replace("«", "<<")
        .replace("\u2039", "<")
        .replace("(", "<")
        .replace("{", "<")
    )


def _read(
    lines: Sequence[str], page: int, place: Rectangle, today: date, engine: str = ""
) -> ReadZone | None:
    lines = _without_noise(lines)
    zone = mrz.read(lines, today=today)
    if zone is None or sum(digit.holds for digit in zone.digits) < 2:
        return None  # lines of letters that are as long as a zone
    mended = list(zone.repaired)
    if any(digit.field == "number" and not digit.holds for digit in zone.digits):
        better = _mended_number(lines, today)
        again = mrz.read(better, today=today) if better else None
        if better and again:
            lines = better
            zone = again
            mended = [*mended, "number"]
    return ReadZone(zone, lines, _text(lines, page, place, engine), mended, engine)


def _without_noise(lines: Sequence[str]) -> list[str]:
    if len(lines) == 2:
        at, head = (0, 5)
    else:
        at, head = (2, 0)
    line = lines[at]
    surname, apart, given_names = line[head:].partition("<<")
    cleaned = line[:head] + surname + apart + FILLER.sub("", given_names)
    return [*lines[:at], cleaned.ljust(len(line), "<"), *lines[at + 1 :]]


def _mended_number(lines: Sequence[str], today: date) -> list[str] | None:
    """The lines with the number with which all digits hold; None where there are several or none.

    One of ten numbers fits a digit by chance: where two do, nothing tells which stands there.
    """
    for count in range(1, MAX_MENDED + 1):
        fitting = []
        for other in _other_numbers(lines, count):
            zone = mrz.read(other, today=today)
            if zone and all(digit.holds for digit in zone.digits):
                fitting.append(other)
        if fitting:
            if len(fitting) == 1:
                return fitting[0]
            return None
    return None


def _other_numbers(lines: Sequence[str], count: int) -> Iterator[list[str]]:
    """The lines with so many characters of the number taken for what they are mistaken for."""
    if len(lines) == 3:
        row, start = (0, 5)
    else:
        row, start = (1, 0)
    places = [i for i in range(start, start + 9) if lines[row][i] in ALIKE]
    for some in itertools.combinations(places, count):
        characters = list(lines[row])
        for i in some:
            characters[i] = ALIKE[characters[i]]
        yield [*lines[:row], "".join(characters), *lines[row + 1 :]]


def _text(lines: Sequence[str], page: int, place: Rectangle, engine: str) -> Text:
    """The lines, at the place of the strip that they were read from."""
    box = Box(page, *place)
    words = [Word(line, box, source="OCR", engine=engine) for line in lines]
    return Text([Page(page, 0, 0, tuple(Line((word,)) for word in words))])
