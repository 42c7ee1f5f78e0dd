"""Reads the cells of an XLSX workbook as texts: its first sheet, row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from agenthub.screening.formats.base import ListError
from agenthub.screening.formats.files import Files
from agenthub.screening.formats.publishers.xml_parts import at_depth

_SHEET = re.compile(r"sheet\d+\.xml")
_STRINGS = "sharedstrings.xml"
_COLUMN = re.compile(r"([A-Z]{1,3})\d+")
MOST_COLUMNS = 200  # a cell far to the right would make each row that long
MOST_STRINGS = 1_000_000  # they are held in memory
# The most digits of an index of a text. A longer number is not an index.
_DIGITS = 8


def is_workbook(files: Files) -> bool:
    return "workbook.xml" in files and any(map(_SHEET.fullmatch, files))


def rows(files: Files) -> Iterator[list[str]]:
    """The rows of the first sheet, without formatting. Raises ListError."""
    strings = list(_strings(files))
    name = min(filter(_SHEET.fullmatch, files), key=_number)
    with files[name]() as file:
        # worksheet > sheetData > row
        for row in at_depth(file, 2, root="worksheet"):
            if row.tag == "row":
                yield _cells(row, strings)


def _number(name: str) -> int:
    return int(re.sub(r"\D", "", name))


def _strings(files: Files) -> Iterator[str]:
    if _STRINGS not in files:
        return
    with files[_STRINGS]() as file:
        for number, node in enumerate(at_depth(file, 1, root="sst")):
            if number > MOST_STRINGS:
                raise ListError("The workbook has too many texts.")
            if node.tag == "si":
                yield _text(node)


def _text(element: Element) -> str:
    """The text of an element, all its runs joined. Phonetic readings (rPh) are left out."""
    parts = [element.findtext("t") or ""]
    for run in element.iterfind("r"):
        parts.append(run.findtext("t") or "")
    return "".join(parts)


def _cells(row: Element, strings: list[str]) -> list[str]:
    cells: list[str] = []
    for cell in row.iterfind("c"):
        place = _COLUMN.fullmatch(cell.get("r", ""))
        if place:
            column = _column(place[1])
        else:
            column = len(cells)
        if column >= MOST_COLUMNS:
            raise ListError("The workbook has too many columns.")
        # The file omits empty cells: fill them in.
        cells += [""] * (column - len(cells))
        cells.append(_value(cell, strings))
    return cells


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        # Column letters are a number in base 26: A is 0, Z is 25, AA is 26.
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _value(cell: Element, strings: list[str]) -> str:
    kind = cell.get("t", "")
    if kind == "inlineStr":
        inline = cell.find("is")
        if inline is None:
            return ""
        return _text(inline)
    value = cell.findtext("v") or ""
    # "s": the value is an index into the shared strings.
    if kind != "s":
        return value
    is_number = value.isdecimal() and len(value) < _DIGITS
    if not is_number or int(value) >= len(strings):
        raise ListError(
            "The workbook is damaged: a cell names a text that there is not."
        )
    return strings[int(value)]
