"""Questions about the letters and digits of a text, in any script."""

from __future__ import annotations


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
