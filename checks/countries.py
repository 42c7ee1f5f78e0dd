"""Countries as they are written anywhere, as two-letter codes of ISO 3166-1."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from checks.data import table


def code(said: str) -> str:
    """The code of a country given by code or name, or "" where it is none that we know."""
    text = said.strip()
    if len(text) == 2 and text.upper() in _names():
        return text.upper()
    return _codes().get(_folded(text), "")


def of_zone(said: str) -> str | None:
    """The country of a code of a machine-readable zone, "" for organisations; None: no such code."""
    return _states().get(said)


def name(country: str) -> str:
    """The common English name of a code; the code itself where it is unknown."""
    return _names().get(country.upper(), country)


def _folded(text: str) -> str:
    plain = (
        unicodedata.normalize("NFKD", text.replace("\u2019", "'"))
        .encode("ascii", "ignore")
        .decode()
    )
    return " ".join(re.findall(r"[a-z']+", plain.casefold()))


@cache
def _names() -> dict[str, str]:
    return {row["code"]: row["name"] for row in table("countries")}


@cache
def _states() -> dict[str, str]:
    return {row["code"]: row["country"] for row in table("mrz_states")}


@cache
def _codes() -> dict[str, str]:
    found = {}
    for row in table("countries"):
        for spelling in (row["name"], *row["aliases"].split("|")):
            if spelling:
                found[_folded(spelling)] = row["code"]
    return found
