"""What the readers share: dates, identifiers and XML as lists write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import IO
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from checks.screening.records import BirthDate, Identifier, IdentifierType, ListedName, NameKind
from papers import countries


class ListError(Exception):
    """The file cannot be loaded. The text says why, for the person who loads it."""


@dataclass
class Header:
    """What a file says of itself; `nameless` counts entries that were left out for want of a name."""

    published_at: str = ""
    record_count: int | None = None
    nameless: int = 0


@dataclass(frozen=True)
class Options:
    """What the reader is told beside the file: which column of a CSV holds what, and topics."""

    columns: Mapping[str, str] = field(default_factory=dict)
    topics: Sequence[str] = ("sanction",)


def elements(file: IO[bytes], wanted: str, *, root: str) -> Iterator[Element]:
    """The elements of a name, one by one, each forgotten after its turn; and the root first.

    Names are without namespaces. Entities and document types are refused.
    """
    try:
        top: Element | None = None
        for event, element in iterparse(file, events=("start", "end"), forbid_dtd=True):
            element.tag = element.tag.rpartition("}")[2]
            if top is None:
                top = element
                if element.tag != root:
                    raise ListError(f"The file is another one: <{element.tag}>, not <{root}>.")
                yield element
            elif event == "end" and element.tag == wanted:
                yield element
                element.clear()
    except ParseError as exc:
        line, column = exc.position
        raise ListError(
            f"The XML ends early or is damaged at line {line}, column {column}."
        ) from exc
    except DefusedXmlException as exc:
        raise ListError("The XML declares a document type or entities, which is refused.") from exc


def text(element: Element, path: str) -> str:
    """The text at a path, blanks folded; "" where there is none."""
    return " ".join((element.findtext(path) or "").split())


def texts(element: Element, path: str) -> list[str]:
    found = (" ".join((one.text or "").split()) for one in element.findall(path))
    return list(dict.fromkeys(one for one in found if one))


def named(said: Iterable[tuple[str, NameKind]]) -> list[ListedName]:
    """The names, each once, without blanks and dashes that stand for none."""
    found: dict[str, ListedName] = {}
    for one, kind in said:
        folded = " ".join(one.split())
        if any(c.isalnum() for c in folded) and folded.lower() not in {"n/a", "na", "none", "-"}:
            found.setdefault(folded.casefold(), ListedName(folded, kind))
    return list(found.values())


_FORMS = (
    "%d %b %Y", "%d %B %Y", "%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y/%m/%d", "%B %d, %Y",
    "%b %Y", "%B %Y", "%m/%Y",
)  # fmt: skip
_MONTHS = {"%b %Y", "%B %Y", "%m/%Y"}
_CIRCA = re.compile(r"\b(circa|approximately|approx\.?|about|c\.|ca\.)\s*", re.IGNORECASE)
_SPAN = re.compile(r"(?:between\s+)?(?:.*?\b)?(\d{4})\s*(?:to|and|-|–)\s*(?:.*?\b)?(\d{4})$")  # noqa: RUF001
_LONGEST_SPAN = 20


def dates(said: str) -> list[BirthDate]:
    """The date or dates that a list writes: exact, a month, a year, about, or a span of years."""
    plain = _CIRCA.sub("", said.strip())
    circa = plain != said.strip()
    if one := date(plain):
        return [BirthDate(one, circa)]
    if span := _SPAN.fullmatch(plain):
        first, last = int(span[1]), int(span[2])
        if 0 <= last - first <= _LONGEST_SPAN:
            return [BirthDate(str(year), circa=True) for year in range(first, last + 1)]
    years = re.findall(r"\b(?:1[89]|20)\d\d\b", plain)
    return [BirthDate(year, circa) for year in dict.fromkeys(years)]


@lru_cache(50_000)
def date(said: str) -> str:
    """A date as YYYY-MM-DD, YYYY-MM or YYYY, or "" where it is none."""
    plain = said.strip().rstrip(".")
    if iso := re.match(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?=$|[T ])|$)|$)", plain):
        return _known_part(*iso.groups())
    if day := re.fullmatch(r"(?:00|dd)/(?:(\d\d)|mm)/(\d{4})", plain):  # the UK's unknown days
        return f"{day[2]}-{day[1]}" if day[1] and day[1] != "00" else day[2]
    for form in _FORMS:
        try:
            found = datetime.strptime(plain, form)  # noqa: DTZ007 - a day, not a moment
        except ValueError:
            continue
        return found.strftime("%Y-%m" if form in _MONTHS else "%Y-%m-%d")
    return ""


def _known_part(year: str, month: str | None, day: str | None) -> str:
    """The date without a day or month that there is not: 00 for an unknown one, 13, 31 April."""
    if not month or not 1 <= int(month) <= 12:
        return year
    try:
        datetime(int(year), int(month), int(day or 1))  # noqa: DTZ001 - a day, not a moment
    except ValueError:
        return f"{year}-{month}"
    return f"{year}-{month}-{day}" if day else f"{year}-{month}"


_KINDS: tuple[tuple[IdentifierType, str], ...] = (
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
_NOT_IDENTIFIERS = re.compile(
    r"gender|sanction|website|email|phone|telephone|digital currency|executive order|organization"
    r"|transactions|target|aircraft model|manufacture|operator|prohibited|directive|fax|flag"
    r"|effective|listing date|purchase|substantial|section|blocking|peesa|caatsa|former|ifca"
    r"|organisation|determination",
    re.IGNORECASE,
)


def identifier(kind: str, value: str, country: str = "") -> Identifier | None:
    """An identifier of a kind as the list words it; None for what is no number."""
    value = " ".join(_NOTE.sub(" ", value).split())
    known = _identifier_type(kind)
    if known is None or not re.search(r"\d", value):
        return None
    if known == "imo" and not re.search(r"\d{7}", value):
        known = "registration"
    return Identifier(known, value, country)


# (Expired 25 Jan. 2016), valid until 2019, National ID no.
_NOTE = re.compile(
    r"\([^)]*\)|,?\s*\b(?:issued|expire[sd]|valid|dated)\b.*|^[^\d]*\b(?:no|number|nr)\b[.:]?\s*",
    re.IGNORECASE,
)


@lru_cache(10_000)
def _identifier_type(kind: str) -> IdentifierType | None:
    if _NOT_IDENTIFIERS.search(kind):
        return None
    found = (known for known, pattern in _KINDS if re.search(pattern, kind, re.IGNORECASE))
    return next(found, "other")


def gender(said: str) -> list[str]:
    first = said.strip().casefold()[:1]
    return [first] if first in {"m", "f"} else []


def codes(said: Iterable[str]) -> list[str]:
    """The countries among these words, as codes, each once."""
    return list(dict.fromkeys(code for one in said if (code := countries.code(one))))
