"""Country codes (ISO 3166-1, two letters), and the names of countries in many spellings."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from papers.letters import without_accents


def _rows(table: str) -> list[dict[str, str]]:
    """The rows of a table in papers/data. `table` is the file name without its ending."""
    content = (files("papers") / "data" / f"{table}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(content.splitlines()))


# Two-letter code and common English name.
NAMES: dict[str, str] = {row["code"]: row["name"] for row in _rows("countries")}


# Codes of two letters that are in use beside ISO 3166-1: the tax numbers and the statistics of the
# European Union have EL for Greece.
_OTHER_CODES = {"EL": "GR"}


def code(text: str) -> str:
    """The code of a country, given a code of two or three letters or one of its names, in any of some
    thirty languages; "" if it is unknown.

    A code of three letters is one in capitals: "Per" and "and" are words.
    """
    text = text.strip()
    # “U.K.” and “P.R. China”
    for spelling in (text, text.replace(".", "")):
        named = code_by_name(spelling)
        named = named or _codes_by_more_spellings().get(_fold_any(spelling), "")
        if named:
            return named
    if len(text) == 3 and text.isupper():
        return of_zone(text) or ""
    return ""


def code_by_name(text: str) -> str:
    """The code of a country by one of its names, in English, in its own languages and in those of
    the desk, or by its code of two letters; "" if it is unknown.
    """
    text = text.strip()
    upper = text.upper()
    if len(text) == 2 and upper in NAMES:
        return upper
    if upper in _OTHER_CODES:
        return _OTHER_CODES[upper]
    known = _codes_by_spelling().get(_fold(text), "")
    return known or _codes_by_other_names().get(_fold_any(text), "")


def of_zone(state: str) -> str | None:
    """The country for a code in a machine-readable zone; "" for organisations, None if unknown."""
    return _states_of_zones().get(state)


def name(country: str) -> str:
    """The common English name for a code; the code itself if it is unknown."""
    return NAMES.get(country.upper(), country)


def name_in(country: str, language: str) -> str:
    """The name for a code in a language such as "de"; in English if the table lacks the language.

    The names are from the Unicode CLDR; its licence is in papers/data/LICENSE-CLDR.txt.
    """
    names = _names_in(language)
    return names.get(country.upper()) or name(country)


def code_in(text: str, language: str) -> str:
    """The code of a country by its code or name, in English or that language; "" where it is unknown."""
    return code(text) or _codes_in(language).get(sort_key(text.strip()), "")


def sort_key(text: str) -> str:
    """A key for sorting names as readers expect: lower case, without accents."""
    return without_accents(text.casefold())


def spellings() -> list[str]:
    """All English names of countries, in lower case and without accents."""
    return list(_codes_by_spelling())


def all_names() -> Iterator[tuple[str, str]]:
    """Each country with each of its names: in English, in its own languages and in those of the desk."""
    for row in _rows("countries"):
        for spelling in [row["name"], *row["aliases"].split("|")]:
            if spelling:
                yield row["code"], spelling
    yield from _other_names()


def _fold(text: str) -> str:
    """The words of a text in lower case, without accents and punctuation."""
    # Treat the typographic apostrophe, as in the French name of Ivory Coast, as the plain one.
    text = text.replace("\u2019", "'")
    decomposed = unicodedata.normalize("NFKD", text)
    plain = decomposed.encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z']+", plain.casefold())
    return " ".join(words)


def _fold_any(text: str) -> str:
    """The same for any script: the letters of each word, without the marks of accents."""
    words = re.findall(r"[^\W\d_]+", sort_key(text))
    return " ".join(words)


@cache
def _names_in(language: str) -> dict[str, str]:
    names = {}
    for row in _rows("country_names"):
        if language in row:
            names[row["code"]] = row[language]
    return names


@cache
def _codes_in(language: str) -> dict[str, str]:
    return {sort_key(name): code for code, name in _names_in(language).items()}


@cache
def _states_of_zones() -> dict[str, str]:
    return {row["code"]: row["country"] for row in _rows("mrz_states")}


@cache
def _codes_by_spelling() -> dict[str, str]:
    codes = {}
    for row in _rows("countries"):
        spellings = [row["name"], *row["aliases"].split("|")]
        for spelling in spellings:
            if spelling:
                codes[_fold(spelling)] = row["code"]
    return codes


@cache
def _codes_by_other_names() -> dict[str, str]:
    """Codes by the names of countries in their own languages, and in those of the desk.

    A name that two countries have tells neither.
    """
    codes: dict[str, set[str]] = {}
    for code, name in _other_names():
        codes.setdefault(_fold_any(name), set()).add(code)
    return {name: found.pop() for name, found in codes.items() if len(found) == 1}


@cache
def _codes_by_more_spellings() -> dict[str, str]:
    """Codes by the names of countries in other languages, and by official and short names. People fill a
    field with them, but in a text many are words.
    """
    codes = {}
    for table in ("country_spellings", "country_official_names"):
        for row in _rows(table):
            for name in row["names"].split("|"):
                codes[_fold_any(name)] = row["code"]
    return {**_codes_by_parts(), **codes}


@cache
def _codes_by_parts() -> dict[str, str]:
    """Codes by the two names that stand in one, “Мьянма (Бирма)”, but not by a name that two countries have."""
    codes: dict[str, set[str]] = {}
    names = list(_other_names())
    for row in _rows("country_spellings"):
        names += [(row["code"], name) for name in row["names"].split("|")]
    for code, name in names:
        parts = re.fullmatch(r"(.+?)\s*\((.+)\)", name)
        for part in parts.groups() if parts else ():
            if len(part) > len("RDC"):
                codes.setdefault(_fold_any(part), set()).add(code)
    return {name: found.pop() for name, found in codes.items() if len(found) == 1}


def _other_names() -> Iterator[tuple[str, str]]:
    for row in _rows("country_own_names"):
        for own_name in row["names"].split("|"):
            yield row["code"], own_name
    for row in _rows("country_names"):
        for language, name in row.items():
            if language != "code":
                yield row["code"], name
