"""Compares names of people by the rules of screening, which take a while to load."""

from __future__ import annotations

from checks.fields import tunables
from checks.screening import engine
from checks.screening.readable import COMPARABLE
from checks.screening.romanisation.scripts import are_of_one_script, scripts_of

# Scripts that are romanised as passports do it. Chinese characters have a reading in each language.
READ_IN_ONE_WAY = COMPARABLE - {"CJK"}


def likeness(first: str, second: str) -> float:
    """Return the similarity of two names (0 to 1), in the better direction."""
    return max(engine.compare(first, second), engine.compare(second, first))


def are_distinct(first: str, second: str) -> bool:
    """Whether names that are not the same are surely of two people, as in one script they are.

    In two scripts nobody can tell it by characters with several readings, or by letters without the vowels.
    """
    if are_of_one_script(first, second):
        return True
    if not scripts_of(first) | scripts_of(second) <= READ_IN_ONE_WAY:
        return False
    least = min(engine.compare(first, second), engine.compare(second, first))
    return least < tunables.MAYBE_PERSON
