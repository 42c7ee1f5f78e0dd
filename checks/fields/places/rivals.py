"""Doubts a country for which only words speak that other countries use, too.

A former colony or a dependent territory has the language, the legal forms and the registers of its state: “Kamer van
Koophandel” heads papers of Aruba, of Suriname and of the Netherlands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checks.fields import tunables
from checks.fields.places.signs import Sign
from checks.text.words import Span

Signs = Mapping[str, Sequence[tuple[str, Span]]]


def is_of_words_alone(code: str, readings: Sequence[Sign]) -> bool:
    """Whether neither a government, an office or law named after it, nor a form of number speaks for the country."""
    return not any(
        item.is_number or item.is_government or item.weight >= tunables.STRONG
        for item in readings
        if item.code[:2] == code[:2]
    )


def rivals_of(code: str, signs: Signs, *, is_hint: bool) -> list[str]:
    """Return the countries for which names, towns and the like speak at least as much, the most likely first.

    One kind of them is enough where only a hint speaks for the country.
    """
    least = 1 if is_hint else tunables.WEAK_SIGNS
    own = len(signs.get(code[:2], ()))
    rivals = [
        other
        for other, kinds in signs.items()
        if other[:2] != code[:2] and len(kinds) >= max(least, own)
    ]
    return sorted(rivals, key=lambda other: len(signs[other]), reverse=True)
