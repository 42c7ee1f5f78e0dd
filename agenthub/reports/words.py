"""Text of any origin as reportlab's markup: escaped, shortened, in fonts that have its letters."""

from __future__ import annotations

import re
import unicodedata
from html import escape

from agenthub.reports import fonts

LONGEST = 1200
MISSING = "\u25a1"

_EAST_ASIAN = re.compile(
    "[\u2e80-\u2fdf\u3000-\u30ff\u3100-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]+"
)


def marked(text: object, *, longest: int = LONGEST) -> str:
    """Markup of a paragraph that shows this text and nothing else."""
    plain = unicodedata.normalize("NFC", str(text))
    if len(plain) > longest:
        plain = f"{plain[: longest - 1]}…"
    parts: list[str] = []
    last = 0
    for run in _EAST_ASIAN.finditer(plain):
        parts += [_own(plain[last : run.start()])]
        parts += [f'<font name="{fonts.EAST_ASIAN}">{escape(run[0])}</font>']
        last = run.end()
    return "".join([*parts, _own(plain[last:])])


def _own(text: str) -> str:
    has = fonts.register()
    shown = "".join(
        " " if char.isspace() else char if ord(char) in has else MISSING for char in text
    )
    return escape(shown)


def label(name: str) -> str:
    """A member's name as a person would write it."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
