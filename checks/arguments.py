"""The arguments that checks take: each declared, so that a wrong one is told before a run."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_LANGUAGES = re.compile(r"\w+(/\w+)?(\+\w+(/\w+)?)*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Argument:
    """`takes` says in words which values fit; the value null is as good as none."""

    name: str
    takes: str
    fits: Callable[[Any], bool]


def whole_number(name: str, *, of: str, least: int, most: int) -> Argument:
    """An argument that is a whole number, as such or in digits."""

    def fits(value: object) -> bool:
        if isinstance(value, bool):
            text = ""
        else:
            text = str(value)
        # Not longer than the most: int() is slow on very many digits, and refuses more.
        digits = text.isascii() and text.isdigit() and len(text) <= len(str(most))
        return digits and least <= int(text) <= most

    return Argument(name, f"{of}, a whole number from {least} to {most}", fits)


# Every check that reads documents takes these.
OF_DOCUMENTS = (
    Argument(
        "ocr",
        "off: pictures are not read; else on",
        lambda value: value in ("on", "off"),
    ),
    Argument(
        "ocr_languages",
        "languages as Tesseract names them, joined by a plus: eng+deu",
        lambda value: (
            isinstance(value, str) and _LANGUAGES.fullmatch(value) is not None
        ),
    ),
)
