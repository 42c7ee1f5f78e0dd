"""The content of the barcode on a North American driver's licence or identity card.

It follows the AAMVA DL/ID Card Design Standard, versions 1 to 10: a header, a directory of
subfiles, then elements, one on each line, with an id of three letters. A forged card may have any
content, so nothing is trusted: lengths are limited, and a malformed date is ignored. The directory
is not used, because genuine cards often have wrong offsets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

MAX_BYTES, MAX_ELEMENTS, LONGEST_VALUE = 4000, 100, 120
HEADER = re.compile(r"(?:ANSI |AAMVA)(?P<issuer>\d{6})(?P<version>\d{2})")
# The start of the elements of the card itself: its subfile repeats the kind as its name.
SUBFILE = re.compile(r"(?P<kind>DL|ID)(?=D[A-Z]{2}[^\x00-\x1f])")
ELEMENT = re.compile(r"(D[A-Z]{2})(.*)")
NOTHING = frozenset({"", "NONE", "UNAVL", "UNAVAIL", "N/A"})
SEXES = {"1": "M", "2": "F", "M": "M", "F": "F"}
COUNTRIES = {"USA": "US", "CAN": "CA"}
# Elements that every version from the second on requires. The first had names and dates under other
# ids.
MANDATORY = ("DAQ", "DBB", "DBA")


@dataclass(frozen=True, slots=True)
class Record:
    """The data of a card from its barcode.

    `elements` are unchanged, by id. A missing value is empty or None.
    """

    kind: str  # DL: driver's licence, ID: identity card
    issuer: str
    version: int
    elements: Mapping[str, str]
    # Ids that occur more than once with different values.
    contradicted: Sequence[str]

    @property
    def family_name(self) -> str:
        return self._element("DCS") or self._element("DAB") or self._of_whole(0)

    @property
    def given_names(self) -> str:
        first = self._element("DAC") or self._element("DCT") or self._of_whole(1)
        middle = self._element("DAD") or self._of_whole(2)
        # DCT has all given names, and some cards repeat the middle name.
        given = " ".join(first.replace(",", " ").split())
        more = " ".join(middle.replace(",", " ").split())
        # Whole words only: “ANN” is another name than the end of “JOANN”.
        if f" {more} " in f" {given} ":
            return given
        return f"{given} {more}".strip()

    @property
    def name(self) -> str:
        return f"{self.given_names} {self.family_name}".strip()

    @property
    def is_truncated(self) -> bool:
        marks = map(self._element, ("DDE", "DDF", "DDG"))
        return "T" in marks

    @property
    def number(self) -> str:
        return self._element("DAQ")

    @property
    def birth_date(self) -> date | None:
        return day(self._element("DBB"))

    @property
    def expiry_date(self) -> date | None:
        return day(self._element("DBA"))

    @property
    def issue_date(self) -> date | None:
        return day(self._element("DBD"))

    @property
    def sex(self) -> str:
        return SEXES.get(self._element("DBC").upper(), "")

    @property
    def country(self) -> str:
        return COUNTRIES.get(self._element("DCG").upper(), "")

    @property
    def address(self) -> dict[str, str]:
        """The address with the names of the interface; empty if the card has no street."""
        street = self._element("DAG") or self._element("DAL")
        if not street:
            return {}
        return {
            "street_1": street,
            "street_2": self._element("DAH"),
            "city": self._element("DAI"),
            "state": self._element("DAJ"),
            "postal_code": self._postal_code(),
            "country_code": self.country,
        }

    def _postal_code(self) -> str:
        """Return a ZIP code as people write it: nine digits have a hyphen, and four zeros are left
        out.
        """
        code = self._element("DAK")
        if self.country == "CA" or not re.fullmatch(r"\d{9}", code):
            return code
        area, rest = code[:5], code[5:]
        if rest == "0000":
            return area
        return f"{area}-{rest}"

    @property
    def missing(self) -> list[str]:
        missing = [name for name in MANDATORY if not self._element(name)]
        if not self.name:
            missing.append("DCS")
        return missing

    def _element(self, name: str) -> str:
        value = self.elements.get(name, "")
        if value.upper() in NOTHING:
            return ""
        return value

    def _of_whole(self, part: int) -> str:
        """Return a part of the single name of version 1, `FAMILY,GIVEN,MIDDLE`."""
        parts = self._element("DAA").split(",")
        if part < len(parts):
            return parts[part].strip()
        return ""


def read(content: bytes) -> Record | None:
    """Return the card in a decoded barcode; None if it contains something else."""
    text = content[:MAX_BYTES].decode("latin-1")
    # A barcode of something else, such as a boarding pass, has no such header.
    header = HEADER.search(text[:40])
    if header is None:
        return None
    start = SUBFILE.search(text, header.end())
    if start is None:
        return None
    elements: dict[str, str] = {}
    contradicted: list[str] = []
    for line in re.split(r"[\n\r\x1c-\x1f]", text[start.end() :]):
        element = ELEMENT.match(line)
        if element is None or len(elements) >= MAX_ELEMENTS:
            continue
        name = element[1]
        value = _plain(element[2])
        first = elements.setdefault(name, value)
        # A genuine card may repeat an element, but only with the same value.
        if value != first and name not in contradicted:
            contradicted.append(name)
    version = int(header["version"])
    return Record(start["kind"], header["issuer"], version, elements, contradicted)


def day(text: str) -> date | None:
    """Return the date of MMDDCCYY, as in the United States, or CCYYMMDD, as in Canada and version
    1.

    No date fits both, because no month begins like a century.
    """
    if not re.fullmatch(r"[0-9]{8}", text):
        return None
    year_last = (text[4:], text[:2], text[2:4])
    year_first = (text[:4], text[4:6], text[6:])
    for year, month, number in (year_last, year_first):
        if "1900" <= year < "2200":
            try:
                return date(int(year), int(month), int(number))
            except ValueError:
                continue
    return None


def _plain(value: str) -> str:
    printable = ""
    for char in value:
        if not char.isprintable():
            char = " "
        printable += char
    words = printable.split()
    return " ".join(words)[:LONGEST_VALUE]
