"""The arguments of checks. Each is declared, so that a wrong one is rejected before a run."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_LANGUAGES = re.compile(r"\w+(/\w+)?(\+\w+(/\w+)?)*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument. `takes` describes the allowed values in words; null is the same as no value."""

    name: str
    takes: str
    fits: Callable[[Any], bool]


def whole_number(name: str, *, of: str, least: int, most: int) -> Argument:
    """Declare an argument that is a whole number, as a number or as digits."""

    def fits(value: object) -> bool:
        if isinstance(value, bool):
            text = ""
        else:
            text = str(value)
        # Limit the length first: int() is slow for very many digits, and raises an error beyond its
        # limit.
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
