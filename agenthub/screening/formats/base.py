"""Common parts of the readers: dates, identifiers and XML in the notations of lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import IO, TypeVar
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from checks.screening.identifiers.normal_forms import IdentifierType
from checks.screening.matching.names import form_classes, parse
from checks.screening.records import (
    BirthDate,
    Identifier,
    ListedName,
    NameKind,
)
from papers import countries, sexes

Item = TypeVar("Item")


class ListError(Exception):
    """The file cannot be loaded. The message says why, for the person who loads it."""


@dataclass
class Header:
    """The file's statements about itself. `nameless` counts entities omitted for lack of a name."""

    published_at: str = ""
    record_count: int | None = None
    nameless: int = 0


@dataclass(frozen=True)
class Options:
    """Settings of a list: columns of a CSV (meaning → heading), and topics of its entries."""

    columns: Mapping[str, str] = field(default_factory=dict)
    topics: Sequence[str] = ("sanction",)


@contextmanager
def faults_of_xml() -> Iterator[None]:
    """Raise ListError for what the parser refuses, and for document types and entities, because
    they can make a small file expand enormously.
    """
    try:
        yield
    except ParseError as exc:
        line, column = exc.position
        raise ListError(
            f"The XML ends early or is damaged at line {line}, column {column}."
        ) from exc
    except DefusedXmlException as exc:
        raise ListError(
            "The XML declares a document type or entities, which is refused."
        ) from exc
    except (LookupError, ValueError) as exc:
        # The parser raises these for encodings of several bytes, and for names that it does not know.
        raise ListError("The XML is in an encoding that cannot be read.") from exc


def elements(file: IO[bytes], tag: str, *, root: str) -> Iterator[Element]:
    """Yield the root, then each element named `tag`, cleared after its turn to save memory.

    Namespaces are removed from names. Raises ListError, also for document types and entities.
    """
    top: Element | None = None
    with faults_of_xml():
        for event, element in iterparse(file, events=("start", "end"), forbid_dtd=True):
            element.tag = element.tag.rpartition("}")[2]
            if top is None:
                top = element
                if element.tag != root:
                    raise ListError(
                        f"The file is another one: <{element.tag}>, not <{root}>."
                    )
                yield element
            elif event == "end" and element.tag == tag:
                yield element
                element.clear()


def text(element: Element, path: str) -> str:
    """The text at a path with folded whitespace; empty if there is none."""
    return " ".join((element.findtext(path) or "").split())


def texts(element: Element, path: str) -> list[str]:
    """The distinct texts at a path with folded whitespace."""
    return unique(
        " ".join((child.text or "").split()) for child in element.findall(path)
    )


_UN_REFERENCE = re.compile(r"\b([A-Z]{2}[ie])\.?(\d{1,4})\b")


def un_references(texts_of_list: Iterable[str]) -> list[str]:
    """The permanent reference numbers of the UN in these texts, in its notation: QDi.043."""
    references = []
    for text_of_list in texts_of_list:
        for prefix, number in _UN_REFERENCE.findall(text_of_list):
            references.append(f"{prefix}.{int(number):03}")
    return unique(references)


def unique(values: Iterable[str]) -> list[str]:
    """The distinct non-empty texts in their order."""
    return list(dict.fromkeys(filter(None, values)))


def listed_names(pairs: Iterable[tuple[str, NameKind]]) -> list[ListedName]:
    """The distinct names, without blanks and placeholders such as "n/a" and "-"."""
    names: dict[str, ListedName] = {}
    for text, kind in pairs:
        name = " ".join(text.split())
        key = name.casefold()
        if key in _NO_NAMES or not any(map(str.isalnum, name)):
            continue
        names.setdefault(key, ListedName(name, kind))
    return list(names.values())


def is_legal_form(name: str) -> bool:
    """Whether the words are nothing but a legal form: "Ltd."."""
    words = set(parse(name, person=False).tokens)
    return bool(words) and words <= form_classes()


def present(values: Iterable[Item | None]) -> list[Item]:
    """The values that are not None."""
    return [value for value in values if value is not None]


_NO_NAMES = frozenset({"n/a", "na", "none", "-"})


# Notations of dates for strptime. Those without a day are also in _MONTHS.
_FORMS = (
    "%d %b %Y", "%d %B %Y", "%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y/%m/%d", "%B %d, %Y",
    "%b %Y", "%B %Y", "%m/%Y",
)  # fmt: skip
_MONTHS = {"%b %Y", "%B %Y", "%m/%Y"}
# Words before an approximate date.
_CIRCA = re.compile(
    r"\b(circa|approximately|approx\.?|about|c\.|ca\.)\s*", re.IGNORECASE
)
# "between 1960 and 1965", "1960-1965"; text before each year is ignored.
_SPAN = re.compile(
    r"(?:between\s+)?(?:.*?\b)?(\d{4})\s*(?:to|and|until|[-&~–])\s*(?:.*?\b)?(\d{4})$"  # noqa: RUF001
)
# "1960-01-01 to 1965-12-31", and the interval of ISO 8601.
_SPAN_OF_DAYS = re.compile(
    r"(?:between\s+)?(\d{4})-\d\d-\d\d\s*(?:to|and|until|[-&~/–])\s*(\d{4})-\d\d-\d\d"  # noqa: RUF001
)
# "1957-58"; 2001-12 is a month.
_SHORT_SPAN = re.compile(r"(\d\d)(\d\d)\s*[-/–]\s*(1[3-9]|[2-9]\d)")  # noqa: RUF001
# "1960s", "late 1960s".
_DECADE = re.compile(r"(?:\w+[\s-]+)?(\d{3})0'?s", re.IGNORECASE)
# Years. A longer span is an error of the list: only its first and its last year are taken.
_LONGEST_SPAN = 60


def dates(text: str) -> list[BirthDate]:
    """Parse a date of birth: exact, a month, a year, approximate, or a span of years.

    A span of up to _LONGEST_SPAN years becomes one approximate date per year. Otherwise each year
    in the text is taken.
    """
    text = text.strip()
    plain = _CIRCA.sub("", text).strip(" ()")
    circa = bool(_CIRCA.search(text))
    first, last = _span(plain)
    if first and 0 <= last - first <= _LONGEST_SPAN:
        return [BirthDate(str(year), circa=True) for year in range(first, last + 1)]
    exact = date(plain)
    if exact:
        return [BirthDate(exact, circa)]
    years = unique(re.findall(r"\b(?:1[89]|20)\d\d\b", plain))
    return [BirthDate(year, circa) for year in years]


def _span(text: str) -> tuple[int, int]:
    """The first and the last year of a span; 0 and 0 if the text is none."""
    if span := _SPAN.fullmatch(text) or _SPAN_OF_DAYS.fullmatch(text):
        return int(span[1]), int(span[2])
    if span := _SHORT_SPAN.fullmatch(text):
        return int(span[1] + span[2]), int(span[1] + span[3])
    if decade := _DECADE.fullmatch(text):
        return int(decade[1] + "0"), int(decade[1] + "9")
    return 0, 0


def all_dates(values: Iterable[str]) -> list[BirthDate]:
    """The dates of birth in several texts."""
    birth_dates: list[BirthDate] = []
    for value in values:
        birth_dates += dates(value)
    return birth_dates


@lru_cache(50_000)
def date(text: str) -> str:
    """A date as YYYY-MM-DD, YYYY-MM or YYYY; empty if the text is not a date."""
    plain = text.strip().rstrip(".")
    iso = re.match(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?=$|T|\s\d\d:)|$)|$)", plain)
    if iso:
        return _existing_part(*iso.groups())
    # The UK writes unknown days and months as 00, or as dd and mm.
    without_day = re.fullmatch(r"(?:00|dd)/(?:(\d\d)|mm)/(\d{4})", plain)
    if without_day:
        month, year = without_day.groups()
        if month is None or month == "00":
            return str(year)
        return f"{year}-{month}"
    for form in _FORMS:
        try:
            moment = datetime.strptime(plain, form)  # noqa: DTZ007 - a day, not a moment
        except ValueError:
            continue
        return moment.strftime("%Y-%m" if form in _MONTHS else "%Y-%m-%d")
    return ""


def _existing_part(year: str, month: str | None, day: str | None) -> str:
    """The date without a day or month that cannot be: 31 April, month 13, or 00 for unknown."""
    if not month or not 1 <= int(month) <= 12:
        return year
    if not day:
        return f"{year}-{month}"
    try:
        datetime(int(year), int(month), int(day))  # noqa: DTZ001 - a day, not a moment
    except ValueError:
        return f"{year}-{month}"
    return f"{year}-{month}-{day}"


# Patterns for the wording of an identifier's kind. The first match decides.
_KINDS: tuple[tuple[IdentifierType, str], ...] = (
    ("wallet", r"digital currency|crypto|wallet|blockchain"),
    ("imo", r"\bimo\b|vessel registration"),
    ("lei", r"\blei\b|legal entity identifier"),
    ("swift", r"swift|\bbic\b"),
    ("passport", r"passport|passeport|pasaporte|travel document"),
    ("tax", r"tax|fiscal|v\.?a\.?t\.?|\binn\b|r\.f\.c|\bnit\b|\bruc\b|\btin\b|\brif\b|social credit"),
    ("national_id", r"national id|identity|identification card|c\.u\.r\.p|cedula|d\.n\.i|"
                    r"personal id|ssn|social security|national identification|electoral|birth cert"),
    ("registration", r"regist|company number|folio|ogrn|c\.r\. no|trade license|enterprise|"
                     r"legal entity number|chamber of commerce|commercial|matricula|uscc"),
)  # fmt: skip
# Kinds of entries that lists file under identifiers, but that are none.
_NOT_IDENTIFIERS = re.compile(
    r"gender|sanction|website|email|phone|telephone|executive order|organization"
    r"|transactions|target|aircraft model|manufacture|operator|prohibited|directive|fax|flag"
    r"|effective|listing date|purchase|substantial|section|blocking|peesa|caatsa|former|ifca"
    r"|organisation|determination",
    re.IGNORECASE,
)


def identifier(kind: str, value: str, country: str = "") -> Identifier | None:
    """The identifier of a kind in the list's own wording; None if the value is not a number."""
    number_type = _identifier_type(kind)
    number = " ".join(value.split())
    if number_type == "wallet":
        return Identifier(number_type, number)
    number = " ".join(_NOTE.sub(" ", number).split())
    if number_type is None:
        return None
    # Every identifier but a SWIFT code contains a digit.
    if number_type != "swift" and not re.search(r"\d", number):
        return None
    # An IMO number has 7 digits; anything else is a number of another registry.
    if number_type == "imo" and not re.search(r"\d{7}", number):
        number_type = "registration"
    return Identifier(number_type, number, country)


def identifiers(kind: str, values: Iterable[str]) -> list[Identifier]:
    """The identifiers among the values."""
    numbers = (identifier(kind, value) for value in values)
    return [number for number in numbers if number]


# Notes around a number, for example: (Expired 25 Jan. 2016), valid until 2019, National ID no.
_NOTE = re.compile(
    r"\([^)]*\)|,?\s*\b(?:issued|expire[sd]|valid|dated)\b.*|^[^\d]*\b(?:no|number|nr)\b[.:]?\s*",
    re.IGNORECASE,
)


@lru_cache(10_000)
def _identifier_type(kind: str) -> IdentifierType | None:
    if _NOT_IDENTIFIERS.search(kind):
        return None
    for number_type, pattern in _KINDS:
        if re.search(pattern, kind, re.IGNORECASE):
            return number_type
    return "other"


def gender(text: str) -> list[str]:
    return list(filter(None, [sexes.letter(text)]))


def genders(values: Iterable[str]) -> list[str]:
    """The distinct letters m and f in several texts, in alphabetical order."""
    letters: set[str] = set()
    for value in values:
        letters.update(gender(value))
    return sorted(letters)


def codes(texts_of_countries: Iterable[str]) -> list[str]:
    """The distinct ISO codes of the countries in these texts; unknown words are omitted."""
    return unique(map(countries.code, texts_of_countries))
