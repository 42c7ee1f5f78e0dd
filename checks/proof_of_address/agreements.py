"""The parties of a lease that its sentences name: “and Ana Ruiz, hereinafter called the tenant”.

Such a phrase stands behind the particulars of its party. The phrase of the party before, or a word such as
“between”, ends the particulars of somebody else, so that the name begins behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from checks.data import table
from checks.evidence import Evidence
from checks.fields.addresses.addressees import blocks_of
from checks.fields.addresses.windows import NO_NAME
from checks.fields.names.companies import is_sentence
from checks.fields.names.shape import looks_like_name
from checks.proof_of_address import tunables
from checks.text.words import Span

LESSEE, OTHER_PARTY, CALLED, BETWEEN, JOINING = (
    "lessee",
    "other_party",
    "called",
    "between",
    "joining",
)
# What follows the name: a comma, a bracket, a dash, or a word in small letters such as “born” or “of”.
END_OF_NAME = re.compile(
    r"[,;(\u201c\u00ab\"]|\s[-\u2013]\s|\s(?=(?:of|who|whose|with)\s)"
)
# Polish names behind “pomiędzy” stand in another case.
DECLINED = re.compile(r"^(?:pani?ą|panem|państwem)\b", re.IGNORECASE)
AROUND = " \t\n\f,.:;()[]-\u2013\u201c\u201d\u201e\u00ab\u00bb\"'"


@dataclass(frozen=True, slots=True)
class Party:
    """A party with its name, if one was read. `span` is that of its particulars, in `blocks_of`."""

    kind: str
    label: str
    name: str
    name_span: Span
    span: Span


@cache
def _words(kind: str) -> Sequence[str]:
    words: list[str] = []
    for row in table("letter_words"):
        if row["kind"] == kind:
            words += row["words"].split("|")
    return sorted(words, key=len, reverse=True)


@cache
def _marks() -> re.Pattern[str]:
    """Return the phrases that call a party the tenant, or something else.

    A role in quotation marks and brackets is such a phrase, too: (“Tenant”).
    """
    roles = []
    for kind in (LESSEE, OTHER_PARTY):
        words = "|".join(map(re.escape, _words(kind)))
        roles.append(rf"(?P<{kind}>(?:{words})\w*)")
    called = "|".join(map(re.escape, _words(CALLED)))
    role = "|".join(roles)
    quote = "[\u201c\u201d\u201e\u00ab\u00bb\"'\u2018\u2019]"
    bracketed = rf"\(\s*(?:\w+ )?{quote}\s*(?:\w+ )?"
    return re.compile(
        rf"(?:\b(?:{called})\b[^.;()]{{0,40}}?|{bracketed})\b(?:{role})",
        re.IGNORECASE,
    )


@cache
def _between() -> re.Pattern[str]:
    words = "|".join(map(re.escape, _words(BETWEEN)))
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


@cache
def _joining_line() -> re.Pattern[str]:
    words = "|".join(map(re.escape, _words(JOINING)))
    # Marks of the line alone: over many lines, the search would take seconds.
    marks = r"[^\w\n\f]*"
    return re.compile(rf"[\n\f]{marks}(?:{words}){marks}[\n\f]", re.IGNORECASE)


def parties_of(evidence: Evidence) -> list[Party]:
    """Return the parties in the order of the text, for `Evidence.once`."""
    text = evidence.once(blocks_of)
    # Lines and blocks are of equal meaning in a sentence. The length stays.
    flat = re.sub(r"[\n\f]", " ", text.value)
    parties = []
    end_of_last = -1
    for mark in _marks().finditer(flat):
        start = _start_of_party(text.value, end_of_last, mark.start())
        end_of_last = mark.end()
        if start < 0:
            continue
        kind = LESSEE if mark[LESSEE] else OTHER_PARTY
        span = _span_of_name(flat, start, mark.start())
        name = flat[span.start : span.end]
        if not _is_name(evidence, name):
            name = ""
        label = mark[LESSEE] or mark[OTHER_PARTY]
        parties.append(Party(kind, label, name, span, Span(start, mark.start())))
    return parties


def _start_of_party(text: str, end_of_last: int, mark: int) -> int:
    """Return where the particulars of the party begin, or -1 if nothing tells it."""
    start = max(end_of_last, mark - tunables.PARTICULARS)
    words = list(_between().finditer(text, max(start, 0), mark))
    alone = list(_joining_line().finditer(text, max(start, 0), mark))
    if alone:
        # “and” on a line of its own: an agent of the party before may stand above it.
        return alone[-1].end()
    if end_of_last > 0 and start == end_of_last:
        return end_of_last
    return words[0].end() if words else -1


def _span_of_name(flat: str, start: int, end: int) -> Span:
    """Return the name at the beginning of the particulars, without words that join the parties."""
    for token in re.compile(r"\S+").finditer(flat, start, end):
        if _joins(token[0]):
            continue
        stop = END_OF_NAME.search(flat, token.start() + 1, end)
        name = flat[token.start() : stop.start() if stop else end].rstrip(AROUND)
        return Span(token.start(), token.start() + len(name))
    return Span(start, start)


def _joins(token: str) -> bool:
    """Whether a word stands before the name of a party, as “and” and “the LESSOR of the one part” do."""
    word = token.strip(AROUND + "/").casefold()
    is_initial = len(token) == 2 and token.endswith(".")
    if is_initial:
        return False
    is_role = any(map(word.startswith, (*_words(LESSEE), *_words(OTHER_PARTY))))
    return not word or token.endswith(":") or is_role or word in _words(JOINING)


def names_role(line: str) -> bool:
    """Whether a line says what a party is called, and so is no name."""
    return bool(_marks().search(line))


def _is_name(evidence: Evidence, name: str) -> bool:
    text = evidence.once(blocks_of)
    if len(name.split()) < 2 or len(name) > tunables.LONGEST_PARTY:
        return False
    if NO_NAME.search(name) or DECLINED.match(name) or is_sentence(name):
        return False
    return looks_like_name(text, name)
