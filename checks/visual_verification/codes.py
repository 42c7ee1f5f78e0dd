"""Compares the content of barcodes with the words of the document and the attested data."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from rapidfuzz import fuzz

from checks.base import boxes_to_wire
from checks.data import table
from checks.evidence import Evidence
from checks.screening.romanisation.scripts import scripts_of
from checks.text.characters import has_letter, only_letters_and_digits
from checks.text.folding import folded
from checks.visual_verification import tunables
from checks.visual_verification.page_scan import look

if TYPE_CHECKING:
    from checks.vision.codes import Code

State = Literal["agrees", "conflicts", "not_compared"]
# Keys in the codes of registers, for the name of a company and for its numbers: words of programs, in English. Labels of
# other languages are in checks/data/field_labels.csv.
NAMED = re.compile(
    r"(?:company|legal|business|entity|trade|firm|enterprise|proprietor)[\s_]*name|^name$|denomination|raison sociale|firma",
    re.IGNORECASE,
)
NUMBERED = re.compile(
    r"gstin|\bcin\b|llpin|\bpan\b|(?:company|registration|reg|file|rc|bn|entity|certificate)[\s_.]*(?:no|num(?:ber)?|id)\b|^(?:rc|bn)$",
    re.IGNORECASE,
)
PAIR = re.compile(
    r"([^\W\d_][^\r\n:;|=\uff1a]{1,40}?)\s*[:=\uff1a]\s*([^\r\n:;|]+?)(?=\s*(?:[\r\n;|]|$|[A-Z][A-Za-z ]{2,30}\s*:))"
)
NUMBER = re.compile(r"[A-Z0-9]*\d{4,}[A-Z0-9]*", re.IGNORECASE)
YEAR = re.compile(r"(?:19|20)\d{2}")
UNREAD = "not compared: the words of the document could not be read"


@dataclass(frozen=True, slots=True)
class ComparedCode:
    """A code, whether it agrees with the document, and the reason in words."""

    code: Code
    state: State
    how: str

    def to_wire(self) -> dict[str, object]:
        return {
            "format": self.code.format,
            "text": self.code.text,
            "state": self.state,
            "how": self.how,
            "boxes": boxes_to_wire([self.code.box]),
        }


def compared_codes(evidence: Evidence) -> list[ComparedCode]:
    """Return the codes of the document with their comparison, for `Evidence.once`."""
    words = " ".join(evidence.text.value.split())
    facts = _Facts(_folded(words), _packed(words), _packed(_attested(evidence)))
    compared: list[ComparedCode] = []
    for code in evidence.once(look).codes:
        compared.append(ComparedCode(code, *_compare(code, facts)))
    return compared


@dataclass(frozen=True, slots=True)
class _Facts:
    """The words of the document.

    `packed` and `attested` have only letters and digits, without spaces.
    """

    words: str
    packed: str
    attested: str

    def states_name(self, name: str) -> bool:
        if _packed(name) in self.packed:
            return True
        return fuzz.partial_ratio(_folded(name), self.words) >= tunables.LIKE

    def has_letters_of(self, name: str) -> bool:
        """Whether the words have letters of the script of a name: OCR may read those of one script alone."""
        if not has_letter(name):
            return True
        letters = "".join(set(self.words))
        own = scripts_of(letters)
        return bool(scripts_of(name) & own)

    def states_number(self, number: str) -> bool:
        for form in _forms(number):
            if form in self.packed or form in self.attested:
                return True
        return False


def _compare(code: Code, facts: _Facts) -> tuple[State, str]:
    if not facts.packed:
        return "not_compared", UNREAD
    names: dict[str, str] = {}
    numbers: dict[str, str] = {}
    for label, value in _pairs(code.text):
        is_name = bool(NAMED.search(label)) or folded(label) in _labels("name")
        if is_name and facts.has_letters_of(value):
            names[label] = value
        if NUMBERED.search(label) or folded(label) in _labels("number"):
            numbers[label] = value
    # One contradiction is enough, even if other values agree.
    conflict = _conflict(names, numbers, facts)
    if conflict:
        return "conflicts", f"{conflict}, which the document does not state"
    stated = [*names.values(), *numbers.values()]
    if stated:
        return "agrees", f"the document states {', '.join(stated)}, too"
    return _compare_plain(code.text, facts)


@cache
def _labels(field: str) -> frozenset[str]:
    """Return the labels under which papers of many languages state the name of a company, or its number."""
    labels: set[str] = set()
    for row in table("field_labels"):
        if row["field"] == field:
            labels.update(map(folded, row["labels"].split("|")))
    return frozenset(labels)


def _conflict(
    names: Mapping[str, str], numbers: Mapping[str, str], facts: _Facts
) -> str:
    """Return what the code states about the company but the document does not; empty if there is
    nothing.
    """
    for label, value in names.items():
        # A short name is an abbreviation, which the document need not use.
        if len(_packed(value)) < tunables.SHORTEST_NAME:
            continue
        if not facts.states_name(value):
            return f"it names {value} ({label})"
    for label, value in numbers.items():
        if len(_packed(value)) < tunables.SHORTEST_NUMBER:
            continue
        if not facts.states_number(value):
            return f"it holds {value} ({label})"
    return ""


def _compare_plain(text: str, facts: _Facts) -> tuple[State, str]:
    """Compare a code without labels: a number or an address.

    It agrees if it has a number of the document.
    """
    host = _host(text)
    leads = f"it leads to {host}" if host else "it holds a number or text of its own"
    # A number of the document in a URL shows that the code leads to this document.
    for match in NUMBER.finditer(text):
        number = match[0]
        # Nearly every document of the year states it.
        if YEAR.fullmatch(number):
            continue
        if facts.states_number(number):
            return "agrees", f"{leads}, with {number}, which the document states"
    if host and host.removeprefix("www.") in facts.words:
        return "agrees", f"{leads}, which the document names"
    return (
        "not_compared",
        f"not compared: {leads}, and nothing that the document states",
    )


def _host(text: str) -> str | None:
    if not text.lower().startswith(("http://", "https://")):
        return None
    try:
        return urlsplit(text).hostname
    except ValueError:
        # Anybody can print a code: “http://[” is no URL.
        return None


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield labels and values of a code with a JSON object or lines of `label: value`."""
    for label, value in itertools.islice(_every_pair(text), tunables.MAX_PAIRS):
        if value.strip():
            yield label.strip(), value.strip()


def _every_pair(text: str) -> Iterator[tuple[str, str]]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        for match in PAIR.finditer(text):
            yield match[1], match[2]
        return
    for label, value in content.items():
        if isinstance(value, str | int):
            yield str(label), str(value)


def _forms(number: str) -> list[str]:
    """Return the number as it is, and without the letters and zeros that a register adds
    around it.
    """
    packed = _packed(number)
    core = packed.strip("abcdefghijklmnopqrstuvwxyz").lstrip("0")
    # A short core would be part of many other numbers.
    if core.isdigit() and len(core) >= tunables.SHORTEST_CORE:
        return [packed, core]
    return [packed]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _packed(text: str) -> str:
    return only_letters_and_digits(text.casefold())


def _attested(evidence: Evidence) -> str:
    texts = []
    for value in evidence.attested.values():
        if isinstance(value, str):
            texts.append(value)
    return " ".join(texts)
