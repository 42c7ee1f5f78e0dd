"""The zone of an identity document: read from its picture, and corrected where check digits allow
it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from checks import readers
from checks.evidence import Evidence
from checks.identity_document import tunables
from checks.identity_document.cells import decoded
from checks.identity_document.zone_names import Names
from checks.subject_data import mrz
from checks.text.words import Line, Page, Text, Word
from papers import countries
from papers.errors import UnreadableError
from papers.geometry import Box, Rectangle

if TYPE_CHECKING:
    from checks.readers import Pixels
    from checks.readers.ocr.zone_lines import ZoneLine

ZONE_READER = "zone reader"
WHOLE: Rectangle = (0.0, 0.0, 1.0, 1.0)
FORMATS = ((2, 44), (2, 36), (3, 30))
# Characters that OCR confuses within a number, where both are allowed.
ALIKE = {"0": "O", "O": "0", "1": "I", "I": "1", "2": "Z", "Z": "2", "5": "S", "S": "5", "8": "B", "B": "8", "6": "G", "G": "6", "Q": "0", "D": "0"}  # fmt: skip
TAKEN_FOR_FILLER = str.maketrans({"«": "<<", "\u2039": "<", "(": "<", "{": "<"})
# Trailing fillers behind the names that OCR read as letters.
FILLER = re.compile(r"<<[<KCSEL]+$")


@dataclass(frozen=True, slots=True)
class ReadZone:
    """A zone that was read.

    `text` has its lines at their place on the page. `mended` names the fields with a corrected
    character. `engine` read the lines.
    """

    zone: mrz.Zone
    lines: Sequence[str]
    text: Text
    mended: Sequence[str]
    engine: str
    # Another engine read the same names, or every letter is certain. No check digit covers names.
    names_agree: bool = False
    # Given names and surname, where the print or the attestation decides between spellings.
    names: Names | None = None
    # What the number may be, where its check digit is wrong and more than one change mends it.
    numbers: Sequence[str] = ()
    # The line of names is missing, and the check digits alone show that the others are a zone.
    is_partial: bool = False
    # The year of birth has four digits elsewhere.
    knows_century: bool = False

    @property
    def broken(self) -> list[mrz.Digit]:
        return [digit for digit in self.zone.digits if not digit.holds]


def zone_of(evidence: Evidence) -> ReadZone | None:
    """Return the reading with the fewest wrong check digits, or None. For `Evidence.once`.

    One engine after the other is used, until the names are certain and every check digit is right.
    """
    zones: list[ReadZone] = []
    for page in evidence.pages[: tunables.MAX_PAGES]:
        for read in _readings(evidence, page):
            zones.append(read)
            if read.is_partial:
                continue
            best = _best([read for read in zones if not read.is_partial])
            # Stop early: every further engine takes seconds.
            is_certain = best.names_agree and not best.mended
            if is_certain and not best.broken:
                return best
    whole = [read for read in zones if not read.is_partial]
    if whole:
        return _best(whole)
    return zones[0] if zones else None


def _best(zones: Sequence[ReadZone]) -> ReadZone:
    """Return the reading with the fewest wrong digits; of several, one whose names another engine
    also read.
    """
    counts = [len(read.broken) for read in zones]
    fewest = min(counts)
    sound: list[ReadZone] = []
    for read, count in zip(zones, counts, strict=True):
        if count == fewest:
            sound.append(read)
    # A corrected number may be wrong by chance, so uncorrected ones come first.
    sound.sort(key=lambda read: "number" in read.mended)
    for read in sound:
        if read.names_agree:
            return read
    for read in sound:
        if _has_same_names(read, zones):
            return replace(read, names_agree=True)
    return sound[0]


def _has_same_names(read: ReadZone, zones: Sequence[ReadZone]) -> bool:
    """Whether another engine read the same names."""
    for other in zones:
        if other.engine == read.engine:
            continue
        same_surname = other.zone.surname == read.zone.surname
        if same_surname and other.zone.given_names == read.zone.given_names:
            return True
    return False


def _readings(evidence: Evidence, page: Page) -> Iterator[ReadZone]:
    try:
        pixels = readers.draw_page(evidence.file, page.number, dpi=tunables.DPI)
    except UnreadableError:
        pixels = None
    if pixels is not None:
        # The zone reader is made for this typeface, so it is used first.
        for cells in readers.read_cells(pixels):
            yield from _of_cells(cells, page.number, evidence.today)
    for texts, places, engine in _engine_readings(evidence, page, pixels):
        for lines, where in _candidates(texts, places):
            read = _read(lines, page.number, where, evidence.today, engine)
            if read:
                yield read
        yield from _partial_zones(texts, places, page.number, evidence.today, engine)


def _of_cells(lines: Sequence[ZoneLine], page: int, today: date) -> Iterator[ReadZone]:
    for zone in decoded(lines):
        read = _with_mended_number(zone.lines, page, zone.place, today, ZONE_READER)
        if read:
            is_sure = zone.name_confidence >= tunables.SURE_LETTER
            yield replace(read, names_agree=is_sure)


def _engine_readings(
    evidence: Evidence, page: Page, pixels: Pixels | None
) -> Iterator[tuple[Sequence[str], Sequence[Rectangle], str]]:
    engine = ""
    if page.lines:
        engine = page.lines[0].words[0].engine
    texts: list[str] = []
    places: list[Rectangle] = []
    for line in page.lines:
        box = line.box
        texts.append(line.text)
        places.append((box.x0, box.y0, box.x1, box.y1))
    whole = (texts, places, engine)
    # The second engine reads the zone together with the page, so its place is less exact than that
    # of a strip.
    second = engine not in {"", "Tesseract"}
    if not second:
        yield whole
    if pixels is None:
        return
    try:
        yield from readers.read_zones(pixels)
    except readers.SecondLookError as exc:
        evidence.note(f"The zone was not looked at again: {exc}.")
    if second:
        yield whole


def _candidates(
    lines: Sequence[str], places: Sequence[Rectangle]
) -> Iterator[tuple[list[str], Rectangle]]:
    """Yield adjacent lines that may be a zone, padded to the width of its format, with
    their place.
    """
    long_lines: list[str] = []
    long_places: list[Rectangle] = []
    for line, place in zip(lines, places, strict=True):
        plain = _plain_line(line)
        if len(plain) >= tunables.FEWEST:
            long_lines.append(plain)
            long_places.append(place)
    for count, width in FORMATS:
        for start in range(len(long_lines) - count + 1):
            end = start + count
            stretch = long_lines[start:end]
            if _may_be_zone(stretch, width):
                full = [line.ljust(width, "<")[:width] for line in stretch]
                yield full, _around(long_places[start:end])


def _plain_line(line: str) -> str:
    return re.sub(r"[^A-Z0-9<]", "", _fillers(line).upper())


def _partial_zones(
    lines: Sequence[str],
    places: Sequence[Rectangle],
    page: int,
    today: date,
    engine: str,
) -> Iterator[ReadZone]:
    """Yield zones whose line of names was lost: lines of the right width with every check digit right.

    All check digits, of which the last covers the others, are right by chance in one of ten thousand lines.
    """
    plain = [_plain_line(line) for line in lines]
    for start, line in enumerate(plain):
        width = len(line)
        if width in {36, 44}:
            stretch, padded = [line], ["<" * width, line]
        else:
            stretch = plain[start : start + 2]
            padded = [*stretch, "<" * 30]
        if any(len(other) != width for other in padded) or len(padded[0]) < 30:
            continue
        zone = mrz.read(padded, today=today)
        if zone and _is_proven(zone):
            place = _around(places[start : start + len(stretch)])
            text = _text(padded, page, place, engine)
            yield ReadZone(zone, padded, text, zone.repaired, engine, is_partial=True)


def _is_proven(zone: mrz.Zone) -> bool:
    """Whether all check digits are right, the last of all fields among them, and number and dates are there."""
    has_composite = False
    for digit in zone.digits:
        if not digit.holds:
            return False
        if digit.field == "composite":
            has_composite = True
    nationality = zone.fields["nationality"]
    if not has_composite or countries.of_zone(nationality) is None:
        return False
    return bool(zone.fields["number"] and zone.birth_date and zone.expiry_date)


def _may_be_zone(lines: Sequence[str], width: int) -> bool:
    """Whether the lines have the length of those of a zone.

    The line of names is mostly fillers, so only one filler is required.
    """
    names = 0
    if len(lines) == 3:
        names = 2
    for index, line in enumerate(lines):
        if index == names:
            if "<" not in line:
                return False
        elif abs(len(line) - width) > tunables.SLACK:
            return False
    return True


def _around(places: Sequence[Rectangle]) -> Rectangle:
    lefts, tops, rights, bottoms = zip(*places, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _fillers(line: str) -> str:
    """Return the line with the fillers that OCR read as other marks."""
    return line.translate(TAKEN_FOR_FILLER)


def _read(
    lines: Sequence[str], page: int, place: Rectangle, today: date, engine: str = ""
) -> ReadZone | None:
    return _with_mended_number(_without_noise(lines), page, place, today, engine)


def _with_mended_number(
    lines: Sequence[str], page: int, place: Rectangle, today: date, engine: str
) -> ReadZone | None:
    zone = mrz.read(lines, today=today)
    if zone is None or not _is_plausible(zone, lines):
        return None  # ordinary lines of letters that are as long as a zone
    mended = list(zone.repaired)
    # Only the number is corrected further: its characters may be letters or digits, so `mrz.read`
    # could not decide.
    broken = {digit.field for digit in zone.digits if not digit.holds}
    numbers: list[str] = []
    if "number" in broken:
        fitting, is_sure = _mended_numbers(lines, today)
        if is_sure:
            [(lines, zone)] = fitting
            mended.append("number")
        else:
            numbers = [other.fields["number"] for _, other in fitting]
    text = _text(lines, page, place, engine)
    return ReadZone(zone, lines, text, mended, engine, numbers=numbers)


def _is_plausible(zone: mrz.Zone, lines: Sequence[str]) -> bool:
    """Whether the lines are a zone: at least two check digits hold, and what has none looks like one.

    The zone reader finds a zone in any two lines of capitals. Of its digits some hold by chance, and that
    of an empty field always does. But a zone has fillers behind its names, and the code of a state.
    """
    if sum(digit.holds for digit in zone.digits) < 2:
        return False
    codes = (zone.fields["issuer"], zone.fields["nationality"])
    has_state = any(countries.of_zone(code) is not None for code in codes)
    return has_state or any("<<" in line for line in lines)


def _without_noise(lines: Sequence[str]) -> list[str]:
    """Remove the letters that OCR read instead of the fillers behind the names."""
    if mrz.format_of(len(lines[0]), lines[0]) == mrz.OLD_FRENCH:
        return list(lines)  # a number stands behind the fillers
    row, start = 0, 5
    if len(lines) == 3:
        row, start = 2, 0
    line = lines[row]
    surname, apart, given_names = line[start:].partition("<<")
    cleaned = line[:start] + surname + apart + FILLER.sub("", given_names)
    mended = list(lines)
    mended[row] = cleaned.ljust(len(line), "<")
    return mended


def _mended_numbers(
    lines: Sequence[str], today: date
) -> tuple[list[tuple[list[str], mrz.Zone]], bool]:
    """Return the lines with a number for which all check digits are right, and whether it is the right one.

    One of ten numbers fits a check digit by chance. So the number is known where one changed character, and
    no other one, mends it. Two changes give so many numbers that the only one that fits may be a wrong one.
    """
    fitting: list[tuple[list[str], mrz.Zone]] = []
    for count in range(1, tunables.MAX_MENDED + 1):
        for other in _other_numbers(lines, count):
            zone = mrz.read(other, today=today)
            if zone and all(digit.holds for digit in zone.digits):
                fitting.append((other, zone))
        if fitting:
            is_sure = count == 1 and len(fitting) == 1
            return fitting[: tunables.MOST_NUMBERS], is_sure
    return [], False


def _other_numbers(lines: Sequence[str], count: int) -> Iterator[list[str]]:
    """Yield the lines with `count` characters of the number replaced by those with which OCR
    confuses them.
    """
    row, start = 1, 0
    if len(lines) == 3:
        row, start = 0, 5
    line = lines[row]
    places = []
    for place in range(start, start + 9):
        if line[place] in ALIKE:
            places.append(place)
    for combination in itertools.combinations(places, count):
        characters = list(line)
        for place in combination:
            characters[place] = ALIKE[characters[place]]
        other = list(lines)
        other[row] = "".join(characters)
        yield other


def _text(lines: Sequence[str], page: int, place: Rectangle, engine: str) -> Text:
    """Return the lines as text, at the place of the strip from which they were read."""
    box = Box(page, *place)
    rows: list[Line] = []
    for line in lines:
        word = Word(line, box, source="OCR", engine=engine)
        rows.append(Line((word,)))
    return Text([Page(page, 0, 0, tuple(rows))])
