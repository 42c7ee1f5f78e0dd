"""Addresses with the postal code before the town. The word for the street tells the country."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# The words for a street that only one country uses. Several countries have postal codes of four
# digits; for such a code no country is returned.
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
# If the house number stands first, the text before it is a label.
NUMBERED = re.compile(
    r"\b\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|boulevard|place|chemin|quai)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Place:
    """An address. `start` and `end` are its positions in the text.

    `country` is empty if several fit.
    """

    street: str
    code: str
    town: str
    country: str
    start: int
    end: int


def find_places(value: str, gaps: Sequence[int] = ()) -> Iterator[Place]:
    """Yield the addresses. `gaps` are the places where one cell of a row ends and the next one begins.

    A town does not go over a gap: another value stands behind it. What stands before a gap is a label or the number
    of an entry, unless the street has the number of its house there.
    """
    for match in PLACE.finditer(value):
        first, last = match.span("street")
        within = [gap for gap in gaps if first < gap < last - 1]
        if within and HOUSE.search(value[within[-1] : last].strip()):
            first = within[-1]
        street = value[first:last].strip()
        numbered = NUMBERED.search(street)
        if numbered:
            street = street[numbered.start() :]
        country = _country(street, match["code"])
        if country is not None and HOUSE.search(street):
            start = first + value[first:last].index(street)
            begin, end = match.span("town")
            for gap in gaps:
                if begin < gap < end:
                    end = gap
            town = " ".join(value[begin:end].split())
            yield Place(street, match["code"], town, country, start, end)


def _country(street: str, code: str) -> str | None:
    """Return the country: empty if several fit, None if no word shows that this is a street."""
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
    # Several countries use codes of four digits, so these tell nothing. Dutch codes have letters,
    # so five digits are never Dutch.
    if len(digits) == 5 and len(countries) == 1 and countries[0] != "NL":
        return countries[0]
    return ""


def _country_of_code(code: str) -> str:
    """Return the only country that writes its codes like this; empty if several do."""
    for country, form in CODES.items():
        if re.fullmatch(form, code, re.IGNORECASE):
            return country
    return ""
