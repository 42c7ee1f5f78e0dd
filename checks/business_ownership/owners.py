"""Owners and their shares, from tables and from sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from checks.fields.extracted import ExtractedValue
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
    Text,
)

MAX_OWNERS = 100
# Of the sum of percentages, as documents round them.
TOLERANCE = 0.5
PERCENT = re.compile(
    r"(?<![\d.,])(?P<percent>\d{1,3}(?:[.,]\d{1,4})?)\s?(?:%|per ?cent\b)",
    re.IGNORECASE,
)
SHARES = re.compile(
    r"(?<![\d.,$£€])(?P<shares>\d{1,3}(?:[,' ]\d{3})+|\d{1,9})(?![\d.,]*\d|\s?%|[-/])"
)
OWNS = Phrase(
    r"(?P<name>[A-Z][^\n,;:()]{2,60}?),? (?:who )?(?:owns|holds|is the (?:owner|holder) of|has)(?: a(?:n)?)? "
    r"(?P<percent>\d{1,3}(?:\.\d{1,4})?) ?(?:%|per ?cent)",
    re.MULTILINE,
)
TOTAL = re.compile(
    r"(?i)^\W*(?:grand |sub)?totals?\b|\ball (?:shares|members)\b|\b100 ?% of\b"
)
OF_TABLE = re.compile(r"(?i)^\W*(?:grand )?total(?: (?:number of )?shares)?\W*\d")
HEADING = re.compile(
    r"(?i)^\W*(?:name|owner|shareholder|member|holder|class|percent|number of|shares|no\.)"
)
# Words of lines in which a percentage is a rate, a threshold or a rule, and not a share.
NO_OWNER = re.compile(
    r"(?i)\b(?:interest rate|per annum|tax|vat|majority|quorum|at least|more than|or more|not less|threshold|vote|discount|dividend|increase|fee|option pool|unallocated|authori[sz]ed)\b"
)
NO_ROW = re.compile(f"{TOTAL.pattern}|{NO_OWNER.pattern.removeprefix('(?i)')}")
COLUMN = Phrase(
    r"(?:number|no\.?|#) of shares|shares (?:held|owned|issued)|\bshareholding\b"
)
PARTIAL = Phrase(
    r"(?:25|10|5|twenty[- ]five|ten|five) ?(?:%|per ?cent)? ?(?:\(\d+ ?%\) )?(?:% )?or more|more than (?:25|10) ?%|significant control|beneficial owners?"
)
NAME_AT_START = re.compile(
    r"^\W*(?:\d{1,3}[.)]?\s+)?(?P<name>[^\W\d_][\w.'\u2019&,/-]*(?:\s+(?!\d)[\w.'\u2019&,/()-]+){0,8})"
)
END_OF_NAME = re.compile(
    r"(?i)\s+(?:(?:common|ordinary|preferred|class|series|member|manager|director|founder|shareholder|units?|shares?|individual|company|[A-Z] shares)\b.*|[-\u2013—:]+.*|\(.*)$"
)
# A line that may be the upper part of a row, if the cells are so narrow that their words wrap.
CELL = re.compile(
    r"(?i)^(?!.*(?:\bname\b|\bshares?\b|percent|\bnumber\b|[:.]$)).{2,44}$"
)
MAX_CELL = 5
# The last line of an address in its own column. Then the words before a share are not a name.
END_OF_ADDRESS = re.compile(
    r"\b[A-Z]{1,2}\d[A-Z\d]?(?: \d[A-Z]{2})?\b|,? \b[A-Z]{2} \d{5}\b|^\W*\d{4,5} [^\W\d_]+"
)


@dataclass(frozen=True, slots=True)
class Owner:
    """An owner. `percent` is the share of the whole, and `shares` the number of shares if it is
    stated.
    """

    name: str
    percent: float
    shares: int | None = None


def is_partial(text: Text) -> bool:
    """Whether the document says that it only lists owners of a large share."""
    return bool(PARTIAL.search(text.value))


def find_owners(text: Text) -> list[ExtractedValue[Owner]]:
    """Return the owners in the order of the document, each once."""
    # Sentences are the most certain form, then rows with percentages, unless only the rows are complete: a sentence
    # may speak of another company. Numbers of shares are used only if there are no percentages.
    readings = [
        _once(list(_sentences(text))[:MAX_OWNERS]),
        _once(list(_rows_of_percent(text))[:MAX_OWNERS]),
    ]
    for owners in [*filter(_is_whole, readings), *filter(None, readings)]:
        return owners
    return _once(_rows_of_shares(text)[:MAX_OWNERS])


def _is_whole(owners: Sequence[ExtractedValue[Owner]]) -> bool:
    total = sum(owner.value.percent for owner in owners)
    return abs(total - 100) <= TOLERANCE


def _once(owners: Sequence[ExtractedValue[Owner]]) -> list[ExtractedValue[Owner]]:
    """Return each owner once.

    Who holds shares of two classes has two rows, and the sum of both. A list that is repeated adds up to more than
    the whole, so that only its first rows count.
    """
    first: dict[str, ExtractedValue[Owner]] = {}
    added: dict[str, ExtractedValue[Owner]] = {}
    for owner in owners:
        key = owner.value.name.casefold()
        first.setdefault(key, owner)
        added[key] = _with(added[key], owner) if key in added else owner
    if not _is_whole(list(first.values())) and _is_whole(owners):
        return list(added.values())
    return list(first.values())


def _with(
    owner: ExtractedValue[Owner], other: ExtractedValue[Owner]
) -> ExtractedValue[Owner]:
    percent = round(owner.value.percent + other.value.percent, 4)
    shares = None
    if owner.value.shares is not None and other.value.shares is not None:
        shares = owner.value.shares + other.value.shares
    return replace(owner, value=replace(owner.value, percent=percent, shares=shares))


def _sentences(text: Text) -> Iterator[ExtractedValue[Owner]]:
    for match in OWNS.finditer(text.value):
        percent = _number(match["percent"])
        if 0 < percent <= 100 and not NO_OWNER.search(match[0]):
            owner = Owner(match["name"].strip(), percent)
            yield ExtractedValue(owner, Span(*match.span()), "“… owns … %”", 0.85)


def _rows_of_percent(text: Text) -> Iterator[ExtractedValue[Owner]]:
    above: list[tuple[int, str]] = []
    for line, span in text.lines():
        at = span.start
        percents = list(PERCENT.finditer(line))
        # A line with several percentages is no row for one owner. Such a line ends the cells above.
        if len(percents) != 1 or NO_ROW.search(line) or OWNS.search(line):
            if percents or not CELL.match(line):
                above = []
            else:
                above = [*above, (at, line)]
            continue
        # The name may be in the lines above, if narrow cells broke the row.
        if above and len(above) < MAX_CELL and not _name(line[: percents[0].start()]):
            at = above[0][0]
            line = " ".join([*(part for _, part in above), line])
            percents = list(PERCENT.finditer(line))
        above = []
        name = _name(line[: percents[0].start()])
        percent = _number(percents[0]["percent"])
        if name and 0 < percent <= 100:
            counted = []
            for m in SHARES.finditer(line[: percents[0].start()]):
                if m.start() > 2:
                    counted.append(m)
            shares = _whole(counted[-1]["shares"]) if counted else None
            how = "a line with a name and a percentage"
            start = at + line.index(name)
            yield ExtractedValue(
                Owner(name, percent, shares),
                Span(start, at + percents[0].end()),
                how,
                0.85,
            )


def _rows_of_shares(text: Text) -> list[ExtractedValue[Owner]]:
    """Return owners from rows under a heading for numbers of shares.

    Percentages are computed from their sum.
    """
    heading = COLUMN.search(text.value)
    if heading is None:
        return []
    # Percentages are computed at the end, when the sum of all rows is known.
    rows: list[ExtractedValue[Owner]] = []
    # Where the table states more shares than its rows have, a row was not read.
    stated = 0
    for line, span in text.lines():
        at = span.start
        counts = []
        for match in SHARES.finditer(line):
            if match.start() > 2:
                counts.append(match)
        if at > heading.start() and rows and counts and OF_TABLE.search(line):
            stated = max(stated, _whole(counts[-1]["shares"]))
        if (
            at < heading.start()
            or not counts
            or TOTAL.search(line)
            or NO_OWNER.search(line)
        ):
            continue
        name = _name(line[: counts[0].start()])
        if name:
            start = at + line.index(name)
            owner = Owner(name, 0.0, _whole(counts[-1]["shares"]))
            how = "a line with a name and a number of shares"
            rows.append(
                ExtractedValue(owner, Span(start, at + counts[-1].end()), how, 0.75)
            )
    total = max(sum(row.value.shares or 0 for row in rows), stated)
    return [
        replace(
            row,
            value=replace(row.value, percent=round(100 * row.value.shares / total, 2)),
        )
        for row in rows
        if total and row.value.shares
    ]


def _name(before: str) -> str:
    """Return the name at the start of a row, without the columns after it; empty if there
    is none.
    """
    match = NAME_AT_START.match(before)
    if not match or HEADING.match(before):
        return ""
    name = END_OF_NAME.sub("", match["name"]).strip(" ,.:-")
    words = name.split()
    if END_OF_ADDRESS.search(before[: match.end() + 12]):
        return ""
    # A name begins with a capital, and has at least two words.
    capital = words and words[0][0].isupper()
    if capital and 2 <= len(words) <= 9 and len(name) <= 80:
        return name
    return ""


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _whole(text: str) -> int:
    return int(re.sub(r"\D", "", text))
