"""Letters of scripts that Inter lacks: their fonts, their shapes, and their order in a line.

reportlab draws shaped letters, but it orders only whole paragraphs of one font. So each line is
ordered here when it is drawn: the lines themselves are broken in the order of reading.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from threading import Lock
from typing import Any

from bidi import algorithm, mirror
from reportlab.lib.abag import ABag
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import (
    SUBSETN,
    ShapeData,
    ShapedStr,
    TTFont,
    shapeFragWord,
)
from reportlab.platypus.paragraph import Paragraph

from papers.fonts import SCRIPTS, script_file

# Of reportlab, which states no types: a part of a line in one font, and a text as its glyphs.
Part = Any
Glyphs = Any
# Of the library for directions, which states none either: a mapping of "ch", "type" and "level".
Char = Part
BRACKETS = {"(": ")", "[": "]", "{": "}"}

JOINERS = "\u200c\u200d"  # no ink, but parts of words
RANGES = {
    "Arabic": "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc",
    "Hebrew": "\u0591-\u05f4\ufb1d-\ufb4f",
    "Devanagari": "\u0900-\u097f\ua8e0-\ua8ff",
    "Thai": "\u0e01-\u0e5b",
}
RUNS = re.compile(
    "|".join(
        f"(?P<{name}>[{letters}][{letters}{JOINERS}]*)"
        for name, letters in RANGES.items()
    )
)
ORDERED = re.compile(f"[{RANGES['Arabic']}{RANGES['Hebrew']}]")
NOTHING = "\x00"  # viewers leave it out of what they search and copy
FIRST_CODE = 0xF0000  # of the codes for glyphs: no text has these characters
_parents: list[Path] = []


def made_in(parent: Path) -> None:
    """Name the folder where the fonts are made. They are made when a text needs them."""
    _parents[:] = [parent]


def characters(script: str) -> frozenset[int]:
    """The characters that the font of this script has. It is loaded when it is first asked for."""
    if script not in pdfmetrics.getRegisteredFontNames():
        path = script_file(_parents[0], SCRIPTS[script])
        pdfmetrics.registerFont(ScriptFont(script, path))
    known: frozenset[int] = pdfmetrics.getFont(script).characters
    return known


def has(char: str) -> bool:
    """Whether a font of a script has this character."""
    run = RUNS.match(char)
    return bool(run and run.lastgroup and ord(char) in characters(run.lastgroup))


class ScriptFont(TTFont):
    """A font whose shaped glyphs can be searched and copied.

    A glyph is not a letter: one glyph is the body of several Arabic letters, whose dots are other
    glyphs. So each glyph has a code for each text that it stands for, and the file says which.
    """

    def __init__(self, name: str, path: Path) -> None:
        super().__init__(name, path)
        # Codes are added below. They are no characters.
        self.characters = frozenset(self.face.charToGlyph)
        self.codes: dict[tuple[int, str], int] = {}
        # Several threads of a process may write reports. No two glyphs may get the same code.
        self.lock = Lock()

    def readable(self, drawn: Glyphs, text: str) -> Glyphs:
        """The glyphs with the codes for their parts of the text."""
        data = drawn.__shapeData__
        starts = sorted({glyph.cluster for glyph in data if glyph.x_advance})
        # Marks have no width. Their letters go with those before them.
        # Marks alone stand for nothing.
        bounds = [0, *starts[1:], len(text)]
        meanings = {}
        for start, (first, end) in zip(starts, pairwise(bounds), strict=False):
            letters = text[first:end]
            # Viewers turn round what they find in scripts that are read from the right.
            meanings[start] = letters[::-1] if ORDERED.search(text) else letters
        codes = []
        for char, glyph in zip(drawn, data, strict=True):
            meaning = NOTHING
            if glyph.x_advance:
                # Of several glyphs for the same letters, the first stands for them.
                meaning = meanings.pop(glyph.cluster, NOTHING)
            codes.append(chr(self._code(ord(char), meaning)))
        return ShapedStr("".join(codes), data)

    def _code(self, char: int, meaning: str) -> int:
        glyph = self.face.charToGlyph[char]
        with self.lock:
            code = self.codes.get((glyph, meaning))
            if code is None:
                code = FIRST_CODE + len(self.codes)
                self.codes[glyph, meaning] = code
                self.face.charToGlyph[code] = glyph
                self.face.charWidths[code] = self.face.charWidths[char]
        return code

    def addObjects(self, doc: Any) -> None:  # noqa: N802 - the name is reportlab's
        subsets = self.state[doc].subsets
        super().addObjects(doc)
        with self.lock:
            meanings = {code: meaning for (_, meaning), code in self.codes.items()}
        for number, subset in enumerate(subsets):
            face = b"".join(
                (SUBSETN(number), b"+", self.face.name, self.face.subfontNameX)
            ).decode("pdfdoc")
            stream = doc.idToObject[f"toUnicodeCMap:{face}"]
            for code in subset:
                if code in meanings:
                    words = meanings[code].encode("utf-16-be").hex().upper()
                    stream.content = stream.content.replace(
                        f"<{code:04X}>", f"<{words}>"
                    )


class Letters(Paragraph):
    """A paragraph with letters of these scripts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # With this name, reportlab keeps the parts of a line that has only one font, too. The rest of
        # a paragraph that was split has parts already, as lists.
        for part in self.frags[:1]:
            if not isinstance(part, list):
                part.backColor = None

    def draw(self) -> None:
        logical = self.blPara
        text = " ".join(part.text for line in logical.lines for part in line.words)
        base = _base_level(text)
        lines = []
        for line in logical.lines:
            lines.append(line.clone(words=list(_drawn(line.words, base))))
        self.blPara = logical.clone(lines=lines)
        try:
            super().draw()
        finally:
            # A paragraph can be drawn on each page.
            self.blPara = logical


def _base_level(text: str) -> int:
    """The direction of most words: 1 from right to left. Unicode's rule takes the first letter: an
    English sentence that begins with an Arabic name would run from right to left.
    """
    levels = []
    for word in text.split():
        if any(unicodedata.bidirectional(char) in {"L", "R", "AL"} for char in word):
            levels.append(algorithm.get_base_level(word))
    from_right = sum(levels)
    if from_right * 2 == len(levels):
        return int(algorithm.get_base_level(text))
    return int(from_right * 2 > len(levels))


def _drawn(parts: Sequence[Part], base: int) -> Iterator[Part]:
    """The parts of a line from left to right, shaped."""
    for part, text, level in _visual(parts, base):
        if part.fontName not in SCRIPTS:
            yield part.clone(text=_mirrored(text) if level % 2 else text)
        elif level % 2 == 0 and ORDERED.search(text):
            # Arabic digits: they go from left to right, and have one shape.
            yield part.clone(text=text)
        else:
            yield from _placed(part, shaped(text, part.fontName, part.fontSize))


def _placed(part: Part, drawn: Glyphs) -> Iterator[Part]:
    """First the letters, then their marks: a mark between letters looks like a space to viewers.

    Each part has one height: reportlab loses the height of a mark that follows another one.
    """
    pen = 0
    letters = []
    marks = []
    width = sum(glyph.x_advance for glyph in drawn.__shapeData__)
    for char, glyph in zip(str(drawn), drawn.__shapeData__, strict=True):
        if glyph.x_advance:
            letters.append((char, glyph))
        else:
            # Marks are written from the end of the word.
            marks.append((char, glyph._replace(x_offset=pen + glyph.x_offset - width)))
        pen += glyph.x_advance
    for height, run in groupby([*letters, *marks], key=lambda pair: pair[1].y_offset):
        pairs = list(run)
        data = [ShapeData(*glyph._replace(y_offset=0)) for _, glyph in pairs]
        text = ShapedStr("".join(char for char, _ in pairs), data)
        yield part.clone(text=text, rise=part.rise + height * part.fontSize / 1000)


def shaped(text: str, font: str, size: float) -> Glyphs:
    """The text as its glyphs, with their places, from left to right."""
    word = [0, (ABag(fontName=font, fontSize=size), text)]
    # Its types do not know `force`, which it has where uharfbuzz is installed.
    shape: Any = shapeFragWord
    drawn = shape(word, features={}, force=True)[1][1]
    return pdfmetrics.getFont(font).readable(drawn, text)


def _visual(parts: Sequence[Part], base: int) -> Iterator[tuple[Part, str, int]]:
    """Runs of one part and one level of direction, from left to right; their texts as they are read."""
    owners = [part for part in parts for _ in part.text]
    text = "".join(part.text for part in parts)
    levels = _levels(text, base)
    places = range(len(text))
    runs = []
    for (_, level), run in groupby(places, key=lambda at: (id(owners[at]), levels[at])):
        at = list(run)
        runs.append((owners[at[0]], text[at[0] : at[-1] + 1], level))
    # Unicode's rule L2: from the highest level down, what is at least so high is reversed.
    for lowest in range(max(levels, default=0), 0, -1):
        ordered: list[tuple[Part, str, int]] = []
        for high, group in groupby(runs, key=lambda run: run[2] >= lowest):
            together = list(group)
            ordered += reversed(together) if high else together
        runs = ordered
    yield from runs


def _levels(text: str, base: int) -> list[int]:
    """The level of direction of each character: odd ones go from right to left (Unicode, annex 9)."""
    if not ORDERED.search(text):
        return [0] * len(text)
    storage = algorithm.get_empty_storage()
    storage["base_level"] = base
    storage["base_dir"] = "LR"[base]
    algorithm.get_embedding_levels(text, storage)
    for at, char in enumerate(storage["chars"]):
        char["at"] = at
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    _resolve_brackets(storage["chars"], "LR"[base])
    algorithm.resolve_neutral_types(storage, False)  # noqa: FBT003 - it has no default
    algorithm.resolve_implicit_levels(storage, False)  # noqa: FBT003
    known = {char["at"]: char["level"] for char in storage["chars"]}
    levels: list[int] = []
    for at in range(len(text)):
        # The algorithm drops joiners. They go with the letter before them.
        levels.append(known.get(at, levels[-1] if levels else base))
    return levels


def _resolve_brackets(chars: Sequence[Char], start: str) -> None:
    """Unicode's rule N0, which the library lacks: the brackets of a pair have one direction.

    `start` is the direction before the first character.
    """
    for opening, closing in _pairs(chars):
        own = "LR"[chars[opening]["level"] % 2]
        inside = {_strong(char) for char in chars[opening + 1 : closing]} - {""}
        if not inside:
            continue
        side = own
        if own not in inside:
            # Only words of the other direction: the brackets go with the word before them.
            before = [_strong(char) for char in chars[:opening]]
            side = next(filter(None, reversed(before)), start)
        chars[opening]["type"] = chars[closing]["type"] = side


def _pairs(chars: Sequence[Char]) -> list[tuple[int, int]]:
    """The places of opening and closing brackets, by the place of the opening one."""
    pairs = []
    opened: list[int] = []
    for place, char in enumerate(chars):
        letter = char["ch"]
        if char["type"] != "ON":
            continue
        if letter in BRACKETS:
            opened.append(place)
        elif letter in BRACKETS.values():
            for at, opening in reversed(list(enumerate(opened))):
                if BRACKETS[chars[opening]["ch"]] == letter:
                    pairs.append((opening, place))
                    del opened[at:]
                    break
    return sorted(pairs)


def _strong(char: Char) -> str:
    """The direction of a character; numbers count as from right to left. "" if it has none."""
    if char["type"] == "L":
        return "L"
    return "R" if char["type"] in {"R", "AL", "EN", "AN"} else ""


def _mirrored(text: str) -> str:
    return "".join(mirror.MIRRORED.get(char, char) for char in reversed(text))
