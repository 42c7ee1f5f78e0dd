"""Draws the texts as pages with a text layer."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import fontpkg_inter  # type: ignore[import-untyped]
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

FIELDS = ("name", "number", "date", "jurisdiction", "address", "issuer", "total")
FOLDER = Path(__file__).parent
WIDTH, HEIGHT = A4
SIZE, TITLE, SMALL = 9.5, 13.0, 7.0
LEFT, RIGHT = 50, WIDTH - 50
# Not the name of the font of reports: reportlab keeps one font for each name in a process.
LATIN = "Inter-of-tests"
EAST = {"jp": "HeiseiMin-W3", "cn": "STSong-Light"}


@dataclass(frozen=True)
class MadeText:
    """`truth` has the fields of a label, `kind` decides the check that reads it."""

    name: str
    kind: str
    truth: dict[str, tuple[str, ...]]
    font: str
    columns: tuple[int, ...]
    body: str


def made_texts(file: str) -> Iterator[MadeText]:
    """The texts of one file of this folder."""
    content = (FOLDER / file).read_text(encoding="utf-8")
    for part in content.split("@@ ")[1:]:
        head, _, body = part.partition("\n===\n")
        name, *members = head.split("\n")
        values = {}
        for member in members:
            key, _, value = member.partition(":")
            values[key.strip()] = value.strip()
        truth: dict[str, tuple[str, ...]] = {}
        for key in FIELDS:
            value = values.get(key, "")
            if value == "-":
                truth[key] = ()
            elif value:
                truth[key] = tuple(value.split("|"))
        columns = tuple(map(int, values.get("cols", "50 250").split()))
        font = EAST.get(values.get("font", ""), LATIN)
        yield MadeText(name.strip(), values["kind"], truth, font, columns, body)


@cache
def _register(font: str) -> None:
    if font == LATIN:
        folder = Path(fontpkg_inter.__file__).parent / "files"
        pdfmetrics.registerFont(TTFont(LATIN, str(folder / "Inter[opsz,wght].ttf")))
    else:
        pdfmetrics.registerFont(UnicodeCIDFont(font))


def draw(text: MadeText) -> bytes:
    """The text as a PDF."""
    _register(text.font)
    buffer = io.BytesIO()
    page = _Page(Canvas(buffer, pagesize=A4, invariant=1), text.font, text.columns)
    for line in text.body.split("\n"):
        page.line(line.rstrip())
    page.canvas.save()
    return buffer.getvalue()


@dataclass
class _Page:
    canvas: Canvas
    font: str
    columns: tuple[int, ...]
    y: float = field(default=HEIGHT - 60)

    def line(self, line: str) -> None:
        if line == "%%":
            self.canvas.showPage()
            self.y = HEIGHT - 60
        elif line == "---":
            self.canvas.line(LEFT, self.y + 4, RIGHT, self.y + 4)
            self.y -= 9
        elif not line:
            self.y -= 9
        elif line[:2] in {"^ ", "# ", "> ", "~ "}:
            self._set(line[2:].strip(), line[0])
        elif re.search(r" \|(?= |$)", line):
            self._row(re.split(r" \|(?= )", f"{line} "))
        else:
            self._set(line.strip(), "")

    def _set(self, line: str, mark: str) -> None:
        size = {"#": TITLE, "~": SMALL}.get(mark, SIZE)
        self.canvas.setFont(self.font, size)
        for row in self._wrapped(line, size, RIGHT - LEFT):
            width = pdfmetrics.stringWidth(row, self.font, size)
            x = {"^": (WIDTH - width) / 2, "#": (WIDTH - width) / 2, ">": RIGHT - width}
            self.canvas.drawString(x.get(mark, LEFT), self.y, row)
            self.y -= size * 1.25
        self.y -= 3

    def _row(self, cells: list[str]) -> None:
        self.canvas.setFont(self.font, SIZE)
        deepest = 1
        for index, cell in enumerate(cells):
            if not cell.strip():
                continue
            x = self.columns[min(index, len(self.columns) - 1)]
            later = [
                place
                for place, other in zip(self.columns, cells, strict=False)
                if place > x and other.strip()
            ]
            end = min(later, default=WIDTH - 45) - 6
            rows = self._wrapped(cell.strip(), SIZE, end - x)
            for number, row in enumerate(rows):
                self.canvas.drawString(x, self.y - number * 11.5, row)
            deepest = max(deepest, len(rows))
        self.y -= 11.5 * deepest + 3.5

    def _wrapped(self, line: str, size: float, width: float) -> list[str]:
        mark = " " if self.font == LATIN else ""
        words = line.split(" ") if mark else re.findall(r"[\x21-\x7e]+|\s|.", line)
        rows = [words[0]]
        for word in words[1:]:
            longer = f"{rows[-1]}{mark}{word}"
            if pdfmetrics.stringWidth(longer, self.font, size) > width:
                rows.append(word)
            else:
                rows[-1] = longer
        return rows
