"""Addresses whose postal code stands before the town: the country is told by the word for the street."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Each with the words that only its streets bear; of codes of four digits several countries write
# the same words, and none is then named.
STREETS = (
    (
        "DE",
        r"\w*(?:straße|strasse|str\.|weg|platz|allee|gasse|ufer|damm|ring|chaussee)",
    ),
    (
        "FR",
        r"(?:rue|avenue|av\.|boulevard|bd\.?|place|chemin|quai|impasse|allée|route|cours)",
    ),
    ("ES", r"(?:calle|c/|avenida|avda\.?|plaza|paseo|carretera|rambla|camino)"),
    ("IT", r"(?:via|viale|piazza|piazzale|corso|vicolo|largo|strada)"),
    ("NL", r"\w*(?:straat|laan|gracht|kade|plein|dijk|singel)"),
    ("PT", r"(?:rua|avenida|praça|travessa|largo|estrada)"),
)
CODES = {
    "NL": r"\d{4} ?[A-Z]{2}",
    "PT": r"\d{4}-\d{3}",
    "": r"(?:[A-Z]{1,2}-)?\d{4,5}",
}
TOWN = r"[A-ZÀ-Þ][^\W\d_]+(?:[ '\u2019.-]{1,2}[^\W\d_]+){0,4}(?: \d{1,2}| cedex(?: \d{1,2})?)?"
PLACE = re.compile(
    rf"(?P<street>[^\n,;:·|]{{4,60}}(?:, ?(?:n[.º°]?|número|no\.?)? ?\d{{1,4}}[a-z]?)?)"
    rf"(?:, ?|\n| [·|-] | )(?P<code>{'|'.join(CODES.values())}) (?P<town>{TOWN})",
    re.IGNORECASE,
)
HOUSE = re.compile(
    r"^\d{1,4}(?: ?(?:bis|ter|[a-z]))?,? |[ ,]\d{1,4} ?[a-z]?(?:[-/]\d{1,4} ?[a-z]?)?$",
    re.IGNORECASE,
)
# Where the number stands first, whatever is before it is a label.
NUMBERED = re.compile(
    r"\b\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|boulevard|place|chemin|quai)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Place:
    """`start` and `end` are those of the whole in the text."""

    street: str
    code: str
    town: str
    country: str
    start: int
    end: int


def find_places(value: str) -> Iterator[Place]:
    for match in PLACE.finditer(value):
        street = match["street"].strip()
        numbered = NUMBERED.search(street)
        if numbered:
            street = street[numbered.start() :]
        country = _country(street, match["code"])
        if country is not None and HOUSE.search(street):
            start = match.start("street") + match["street"].index(street)
            town = " ".join(match["town"].split())
            yield Place(street, match["code"], town, country, start, match.end())


def _country(street: str, code: str) -> str | None:
    """The country; empty where several fit, None where no word says that this is a street."""
    countries = []
    for country, words in STREETS:
        if re.search(rf"(?<!\w)(?:{words})(?!\w)", street, re.IGNORECASE):
            countries.append(country)
    if not countries:
        return None
    country_of_code = _country_of_code(code)
    if country_of_code:
        return country_of_code
    _, _, digits = code.rpartition("-")
    # A code of four digits is that of several countries, and the Dutch have letters.
    if len(digits) == 5 and len(countries) == 1 and countries[0] != "NL":
        return countries[0]
    return ""


def _country_of_code(code: str) -> str:
    """The country that alone writes its codes so; empty where several do."""
    for country, form in CODES.items():
        if re.fullmatch(form, code, re.IGNORECASE):
            return country
    return ""
