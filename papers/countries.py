"""Countries as they are written anywhere, and their two-letter codes of ISO 3166-1."""

from __future__ import annotations

import csv
import re
import unicodedata
from functools import cache
from importlib.resources import files


def _rows(table: str) -> list[dict[str, str]]:
    """The rows of a table in papers/data, by its name without the ending."""
    content = (files("papers") / "data" / f"{table}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(content.splitlines()))


# Two-letter code and common English name.
NAMES: dict[str, str] = {row["code"]: row["name"] for row in _rows("countries")}


def code(text: str) -> str:
    """The code of a country by its code or name, or "" where it is none that we know."""
    stripped = text.strip()
    if len(stripped) == 2 and stripped.upper() in NAMES:
        return stripped.upper()
    return _codes_by_spelling().get(_folded(stripped), "")


def of_zone(state: str) -> str | None:
    """The country of a code of a machine-readable zone, "" for organisations; None: no such code."""
    return _states_of_zones().get(state)


def name(country: str) -> str:
    """The common English name of a code; the code itself where it is unknown."""
    return NAMES.get(country.upper(), country)


def spellings() -> list[str]:
    """All names of countries in English, in small letters, without accents."""
    return list(_codes_by_spelling())


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.replace("\u2019", "'"))
    plain = decomposed.encode("ascii", "ignore").decode()
    return " ".join(re.findall(r"[a-z']+", plain.casefold()))


@cache
def _states_of_zones() -> dict[str, str]:
    return {row["code"]: row["country"] for row in _rows("mrz_states")}


@cache
def _codes_by_spelling() -> dict[str, str]:
    codes = {}
    for row in _rows("countries"):
        for spelling in (row["name"], *row["aliases"].split("|")):
            if spelling:
                codes[_folded(spelling)] = row["code"]
    return codes
