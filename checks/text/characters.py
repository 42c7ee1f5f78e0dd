"""Questions about the letters and digits of a text, in any script."""

from __future__ import annotations

import unicodedata


def has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def count_digits(text: str) -> int:
    return sum(map(str.isdigit, text))


def count_letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def count_letters_and_digits(text: str) -> int:
    return sum(map(str.isalnum, text))


def only_digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def only_letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def only_letters_and_digits(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def with_ascii_digits(text: str) -> str:
    """Return the text with 0 to 9 for the digits of other scripts: ١٢٣ are 123."""
    if text.isascii():
        return text
    return "".join(map(_ascii_digit, text))


def _ascii_digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)
