"""Which digits a font of a file was made with, and no text of the file shows.

A program that writes a PDF puts into it those letters of a font that the text needs, and no others.
Some also number the letters in the order in which the text first needs them.
"""

from __future__ import annotations

import io
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pikepdf

from checks.readers.pdf import tunables
from checks.readers.pdf.limits import TooFarError, inflate
from checks.readers.pdf.structure import ODDITIES

SHOWING = " ".join(("q", "Q", "Tf", "Tj", "TJ", "'", '"', "Do", "gs"))
DIGIT_NAMES = {
    "/zero": "0",
    "/one": "1",
    "/two": "2",
    "/three": "3",
    "/four": "4",
    "/five": "5",
    "/six": "6",
    "/seven": "7",
    "/eight": "8",
    "/nine": "9",
}
PAIRS = re.compile(rb"beginbfchar(.{0,20000}?)endbfchar", re.DOTALL)
PAIR = re.compile(rb"<([0-9A-Fa-f]{2,4})>\s*<([0-9A-Fa-f]{4,16})>")
RANGES = re.compile(rb"beginbfrange(.{0,20000}?)endbfrange", re.DOTALL)
RANGE = re.compile(
    rb"<([0-9A-Fa-f]{2,4})>\s*<([0-9A-Fa-f]{2,4})>\s*"
    rb"(?:<([0-9A-Fa-f]{4,16})>|\[([^\]]{0,6000})\])"
)
BYTES = re.compile(rb"<([0-9A-Fa-f]{4,16})>")

Key = tuple[int, int]


class Unshown(NamedTuple):
    """The name of a font, and letters of it that stand nowhere in the text, or not where they first did."""

    name: str
    letters: str


@dataclass(slots=True)
class _Font:
    font: pikepdf.Object
    # Codes in the order in which the text first needs them.
    codes: dict[int, None] = field(default_factory=dict)

    @property
    def width(self) -> int:
        return 2 if self.font.get("/Subtype") == pikepdf.Name.Type0 else 1


@dataclass(slots=True)
class _Reading:
    fonts: dict[Key, _Font] = field(default_factory=dict)
    drawn: set[Key] = field(default_factory=set)
    left: int = tunables.MAX_SHOWN

    def spend(self, streams: pikepdf.Object | None) -> None:
        """Count the bytes of a drawing before they are parsed, which takes far longer."""
        parts: list[pikepdf.Object | None] = [streams]
        if isinstance(streams, pikepdf.Array):
            parts = [*streams]
        for part in parts:
            if isinstance(part, pikepdf.Stream):
                self.left -= len(inflate(part))
        if self.left < 0:
            raise TooFarError

    def read(
        self, stream: pikepdf.Object, resources: pikepdf.Object | None, depth: int = 0
    ) -> None:
        """Note the codes that a page or a form shows, in their order."""
        current: _Font | None = None
        stack: list[_Font | None] = []
        for instruction in pikepdf.parse_content_stream(stream, SHOWING):
            name = str(instruction.operator)
            operands = [*instruction.operands]
            if name == "q":
                stack.append(current)
            elif name == "Q":
                current = stack.pop() if stack else current
            elif name in ("Tf", "gs"):
                current = self._chosen(name, operands[0], resources, current)
            elif name == "Do":
                self.form(_named(resources, "/XObject", operands[0]), resources, depth)
            elif current is not None:
                _note(current, operands[-1])

    def _chosen(
        self,
        operator: str,
        name: pikepdf.Object,
        resources: pikepdf.Object | None,
        current: _Font | None,
    ) -> _Font | None:
        """Return the font that the text has after `Tf`, or after a state that may set one."""
        if operator == "Tf":
            return self._font(_named(resources, "/Font", name))
        state = _named(resources, "/ExtGState", name)
        if isinstance(state, pikepdf.Dictionary) and "/Font" in state:
            return self._font(state.Font[0])
        return current

    def form(
        self,
        form: pikepdf.Object | None,
        resources: pikepdf.Object | None,
        depth: int,
    ) -> None:
        """Read a form once: its codes are not new the second time."""
        if not isinstance(form, pikepdf.Stream) or form.objgen in self.drawn:
            return
        if form.get("/Subtype") != pikepdf.Name.Form or depth > tunables.MAX_FORMS:
            return
        self.drawn.add(form.objgen)
        self.spend(form)
        self.read(form, form.get("/Resources", resources), depth + 1)

    def _font(self, font: pikepdf.Object | None) -> _Font | None:
        if not isinstance(font, pikepdf.Dictionary) or not font.is_indirect:
            return None
        return self.fonts.setdefault(font.objgen, _Font(font))


def unshown_letters(content: bytes, *, max_pages: int) -> list[Unshown]:
    """Return fonts of which one or two digits, or a few letters, do not fit the text of the file."""
    try:
        with pikepdf.open(io.BytesIO(content), suppress_warnings=True) as pdf:
            # Text of other pages may need the letters.
            if len(pdf.pages) > max_pages:
                return []
            reading = _Reading()
            for page in pdf.pages:
                reading.spend(page.obj.get("/Contents"))
                reading.read(page.obj, page.resources)
            # Looks of fields and patterns have letters, too.
            for thing in pdf.objects:
                if isinstance(thing, pikepdf.Stream) and "/Resources" in thing:
                    reading.form(thing, None, 0)
            found = [_unshown(font) for font in reading.fonts.values()]
    except (*ODDITIES, TooFarError):
        return []
    return [unshown for unshown in found if unshown]


def _named(
    resources: pikepdf.Object | None, kind: str, name: pikepdf.Object
) -> pikepdf.Object | None:
    group = resources.get(kind) if isinstance(resources, pikepdf.Dictionary) else None
    if not isinstance(group, pikepdf.Dictionary):
        return None
    return group.get(str(name))


def _note(font: _Font, shown: pikepdf.Object) -> None:
    strings = [*shown] if isinstance(shown, pikepdf.Array) else [shown]
    for string in strings:
        if isinstance(string, pikepdf.String):
            data = bytes(string)
            for at in range(0, len(data) - font.width + 1, font.width):
                code = int.from_bytes(data[at : at + font.width], "big")
                font.codes.setdefault(code)


def _unshown(font: _Font) -> Unshown | None:
    """Return the digits of a font that stand nowhere; None if the font has more letters that do not.

    A font with more was not made for this text: pages were taken out, or the program keeps all.
    """
    if len(font.codes) < tunables.MIN_SHOWN or not _is_embedded(font.font):
        return None
    meanings = _meanings(font.font)
    name = str(font.font.get("/BaseFont", ""))[1:]
    moved = _out_of_turn([*font.codes], meanings)
    if moved is not None:
        letters = "".join(meanings.get(code, "") for code in moved)
    else:
        made_with = _made_with(font, meanings)
        letters = "".join(sorted(meanings.get(code, "?") for code in made_with))
        if not letters.isdecimal() or len(letters) > tunables.FEW_UNSHOWN:
            return None
    return Unshown(name, letters) if letters else None


def _is_embedded(font: pikepdf.Object) -> bool:
    holder = font.DescendantFonts[0] if "/DescendantFonts" in font else font
    descriptor = holder.get("/FontDescriptor")
    if not isinstance(descriptor, pikepdf.Dictionary):
        return False
    return any(key in descriptor for key in ("/FontFile", "/FontFile2", "/FontFile3"))


def _out_of_turn(codes: Sequence[int], meanings: Mapping[int, str]) -> list[int] | None:
    """Return the letters that do not come where the numbering of the font has them.

    None if the font does not number its letters as the text needs them.
    """
    shown = set(codes)
    first, last = min(shown), max(shown)
    # With more gaps, the letters are not numbered in this way.
    if last - first >= len(shown) + tunables.FEW_OUT_OF_TURN:
        return None
    missing = [code for code in range(first, last) if code not in shown]
    rise = _longest_rise(codes)
    late = [code for code in codes if code not in rise]
    if len(missing) + len(late) > tunables.FEW_OUT_OF_TURN:
        return None
    if len(codes) < tunables.MIN_NUMBERED or not all(
        meanings.get(code, "").isalnum() for code in (*missing, *late)
    ):
        return None
    return sorted({*missing, *late})


def _longest_rise(codes: Sequence[int]) -> set[int]:
    """Return the codes of the longest rising sequence within these."""
    ends: list[int] = []
    ends_at: list[int] = []
    before: list[int] = []
    for index, code in enumerate(codes):
        length = bisect_left(ends, code)
        before.append(ends_at[length - 1] if length else -1)
        ends[length : length + 1] = [code]
        ends_at[length : length + 1] = [index]
    rise: set[int] = set()
    index = ends_at[-1]
    while index >= 0:
        rise.add(codes[index])
        index = before[index]
    return rise


def _made_with(font: _Font, meanings: Mapping[int, str]) -> set[int]:
    """Return the codes that the font was made with, and the text does not show."""
    unshown: set[int] = set()
    for table in (_codes_with_meaning(font.font), _codes_with_width(font.font)):
        rest = {
            code for code in table - font.codes.keys() if _is_letter(meanings, code)
        }
        # A table that names many more is one of the whole font.
        if len(rest) <= tunables.FEW_UNSHOWN:
            unshown |= rest
    return unshown


def _is_letter(meanings: Mapping[int, str], code: int) -> bool:
    meaning = meanings.get(code, "?")
    return bool(code) and bool(meaning.strip("\0\xad\ufffd").strip())


def _codes_with_meaning(font: pikepdf.Object) -> set[int]:
    return {code for code, _ in _to_unicode(font.get("/ToUnicode"))}


def _codes_with_width(font: pikepdf.Object) -> set[int]:
    """Return the codes that have a width, if the font gives none to letters that it lacks."""
    widths = font.get("/Widths")
    if not isinstance(widths, pikepdf.Array):
        return set()
    first = int(font.get("/FirstChar", 0))
    given = {first + i for i, width in enumerate(widths) if float(width)}
    if len(given) == len(widths):
        return set()
    return given


def _meanings(font: pikepdf.Object) -> dict[int, str]:
    meanings: dict[int, str] = {}
    if font.get("/Subtype") != pikepdf.Name.Type0:
        meanings.update({code: chr(code) for code in range(33, 127)})
        meanings.update(_differences(font.get("/Encoding")))
    meanings.update(_to_unicode(font.get("/ToUnicode")))
    return meanings


def _differences(encoding: pikepdf.Object | None) -> Iterator[tuple[int, str]]:
    if not isinstance(encoding, pikepdf.Dictionary):
        return
    code = 0
    for entry in encoding.get("/Differences", pikepdf.Array()):
        if isinstance(entry, pikepdf.Name):
            name = str(entry)
            letter = DIGIT_NAMES.get(name, name[1:] if len(name) == 2 else "?")
            yield code, letter
            code += 1
        else:
            code = int(entry)


def _to_unicode(stream: pikepdf.Object | None) -> Iterator[tuple[int, str]]:
    if not isinstance(stream, pikepdf.Stream):
        return
    data = inflate(stream)
    for block in PAIRS.findall(data):
        for code, meaning in PAIR.findall(block):
            yield int(code, 16), _decoded(meaning)
    for block in RANGES.findall(data):
        for low, high, start, listed in RANGE.findall(block):
            yield from _range(int(low, 16), int(high, 16), start, listed)


def _range(
    low: int, high: int, start: bytes, listed: bytes
) -> Iterator[tuple[int, str]]:
    codes = range(low, min(high, low + 0xFF) + 1)
    if not start:
        for code, meaning in zip(codes, BYTES.findall(listed), strict=False):
            yield code, _decoded(meaning)
        return
    base = int(start, 16)
    for code in codes:
        number = f"{base + code - low:0{len(start)}x}"
        yield code, _decoded(number.encode())


def _decoded(digits: bytes) -> str:
    return bytes.fromhex(digits.decode()).decode("utf-16-be", "replace")
