"""Owners and their shares, from tables and from sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from checks.business_ownership import words
from checks.fields.extracted import ExtractedValue
from checks.fields.layout.cells import cells_of
from checks.fields.names.companies import split_legal_form
from checks.fields.names.forms_of_address import person_of
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
    Text,
)

MAX_OWNERS = 100
# Of the sum of percentages, as documents round them.
TOLERANCE = 0.5
_NUMBER = r"\d{1,3}(?:[.,\u066b]\d{1,4})?"
# “65 %”, and “%65” as in Turkish.
PERCENT = re.compile(
    rf"(?<![\d.,])(?P<percent>{_NUMBER})\s?"
    r"(?:[%\u066a\uff05](?!\d)|(?:per ?cent|prozent|procent|pour ?cent|por ciento|per cento|процент\w*|százalék|pct)\b)"
    rf"|[%\u066a]\s?(?P<behind>{_NUMBER})(?![\d.,]*\d)",
    re.IGNORECASE,
)
SHARES = re.compile(
    r"(?<![\d.,$£€])(?P<shares>\d{1,3}(?:[.,' \u2019\u00a0]\d{3})+|\d{1,9})(?![\d.,]*\d|\s?%|[-/])"
)
OWNS = Phrase(
    r"(?P<name>[A-Z][^\n,;:()]{2,60}?),? (?:who )?(?:owns|holds|is the (?:owner|holder) of|has)(?: a(?:n)?)? "
    r"(?P<percent>\d{1,3}(?:\.\d{1,4})?) ?(?:%|per ?cent)",
    re.MULTILINE,
)
ALL_OF = re.compile(r"(?i)\ball (?:shares|members)\b|\b100 ?% of\b")
OF_TABLE = re.compile(r"(?: (?:number of )?shares)?\W*\d", re.IGNORECASE)
PARTIAL = Phrase(
    r"(?:25|10|5|twenty[- ]five|ten|five) ?(?:%|per ?cent)? ?(?:\(\d+ ?%\) )?(?:% )?or more|more than (?:25|10) ?%|significant control|beneficial owners?"
)
# A part of a word: a letter, a digit, or a vowel mark of Indic scripts and Thai.
_LETTER = r"[\w\u0900-\u0d7f\u0e31-\u0e4e]"
NAME_AT_START = re.compile(
    rf"^[^\w«“„]*(?:\d{{1,3}}[.)]?\s+)?(?P<name>[«“„]?[^\W\d_](?:{_LETTER}|[.'\u2019&,/«»“”„()-])*"
    rf"(?:\s+(?!\d)[«“„(]?{_LETTER}(?:{_LETTER}|[.'\u2019&,/«»“”„()-])*)"
    r"{0,8})"
)
# Behind a name: a remark in brackets or behind a dash. Brackets within the name of a company stay.
REMARK = re.compile(r"\s+(?:[-\u2013—:]+.*|\([^)]*\)?$)")
# A number of a person or a company within a row, such as an Italian tax code.
CODE = re.compile(r"\s+\S*\d\S*.*$")
FIRST_DIGIT = re.compile(r"(?=\d)")
CASED = re.compile(r"[^\W\d_]")
# Chinese, Japanese and Korean put no blank into a name.
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
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
    by_words = words.within("partial").search(text.value)
    return bool(PARTIAL.search(text.value) or by_words)


def find_owners(text: Text, *, is_list: bool = True) -> list[ExtractedValue[Owner]]:
    """Return the owners in the order of the document, each once.

    `is_list`: the document is a list of owners. In others, a row with a percentage may be a margin or
    a growth, so rows count only if they have the whole.
    """
    # Sentences are the most certain form, then rows with percentages, unless only the rows are complete: a sentence
    # may speak of another company. Numbers of shares are used only if there are no percentages.
    readings = [
        _once(list(_sentences(text))[:MAX_OWNERS]),
        _sure(_once(list(_rows_of_percent(text))[:MAX_OWNERS]), is_list=is_list),
    ]
    for owners in [*filter(_is_whole, readings), *filter(None, readings)]:
        return owners
    return _sure(_once(_rows_of_shares(text)[:MAX_OWNERS]), is_list=is_list)


def _sure(
    owners: list[ExtractedValue[Owner]], *, is_list: bool
) -> list[ExtractedValue[Owner]]:
    """The owners of rows. Unless all together have the whole, none of them counts in a document that
    is no list, and none in a script without capitals, where nothing else tells a name from a sentence.
    """
    if _is_whole(owners):
        return owners
    if not is_list:
        return []
    return [owner for owner in owners if _is_cased(owner.value.name)]


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
        if 0 < percent <= 100 and not _is_rule(match[0]):
            owner = Owner(match["name"].strip(), percent)
            yield ExtractedValue(owner, Span(*match.span()), "“… owns … %”", 0.85)


def _rows_of_percent(text: Text) -> Iterator[ExtractedValue[Owner]]:
    above: list[tuple[int, str]] = []
    cells = _Cells(text)
    for line, span in text.lines():
        at = span.start
        percents = list(PERCENT.finditer(line))
        # A line with several percentages is no row for one owner. Such a line ends the cells above.
        if len(percents) != 1 or _is_no_row(line) or OWNS.search(line):
            if percents or not CELL.match(line):
                above = []
            else:
                above = [*above, (at, line)]
            continue
        # The name may be in the lines above, if narrow cells broke the row.
        if (
            above
            and len(above) < MAX_CELL
            and not _name(line[: percents[0].start()], cells.end(at))
        ):
            at = above[0][0]
            line = " ".join([*(part for _, part in above), line])
            percents = list(PERCENT.finditer(line))
        above = []
        name = _name(line[: percents[0].start()], cells.end(at))
        percent = _number(percents[0]["percent"] or percents[0]["behind"])
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
    heading = words.within("column").search(text.value)
    if heading is None:
        return []
    # Percentages are computed at the end, when the sum of all rows is known.
    rows: list[ExtractedValue[Owner]] = []
    cells = _Cells(text)
    # Where the table states more shares than its rows have, a row was not read.
    stated = 0
    for line, span in text.lines():
        at = span.start
        counts = []
        for match in SHARES.finditer(line):
            if match.start() > 2:
                counts.append(match)
        if at > heading.start() and rows and counts and _is_total(line):
            stated = max(stated, _whole(counts[-1]["shares"]))
        if at < heading.start() or not counts or _is_no_row(line):
            continue
        name = _name(line[: counts[0].start()], cells.end(at))
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


class _Cells:
    """The first cells of lines, so that a name ends where a wide gap follows."""

    def __init__(self, text: Text) -> None:
        self._ends: dict[int, int] = {}
        for cell in cells_of(text):
            line = text.line_start(cell.span.start)
            self._ends.setdefault(line, cell.span.end - line)

    def end(self, line_start: int) -> int:
        """The length of the first cell of the line; 0 if it is not known."""
        return self._ends.get(line_start, 0)


def _is_no_row(line: str) -> bool:
    is_total = words.at_start("total").match(line) and not _has_form(line)
    return bool(is_total or ALL_OF.search(line) or _is_rule(line))


def _has_form(line: str) -> bool:
    """Whether a legal form stands before the first number: “Total Trade d.o.o.” is no sum."""
    before = FIRST_DIGIT.split(line, maxsplit=1)[0]
    return bool(split_legal_form(before)[1])


def _is_rule(line: str) -> bool:
    """Whether the percentage of the line is a rate, a threshold or a rule, and not a share."""
    by_word = words.within("rule").search(line)
    return bool(by_word or words.anywhere("rule_unspaced").search(line))


def _is_total(line: str) -> bool:
    """Whether the line is the total of the table, and not of a part of it."""
    total = words.at_start("total").match(line)
    return bool(total and OF_TABLE.match(line, total.end()))


def _name(before: str, cell: int = 0) -> str:
    """Return the name at the start of a row, without the columns after it; empty if there
    is none.

    `cell` is the length of the first cell, 0 if it is not known. Surname and given name may have columns
    of their own, so a name that is none by itself goes on behind it.
    """
    if 0 < cell < len(before) and (name := _name(f"{before[:cell]} ")):
        return name
    match = NAME_AT_START.match(before)
    if not match or words.at_start("heading").match(before):
        return ""
    if END_OF_ADDRESS.search(before[: match.end() + 12]):
        return ""
    name = _trimmed(
        match["name"], is_before_digit=before[match.end() :].strip()[:1].isdigit()
    )
    is_name = _is_cased_name if _is_cased(name) else _is_uncased_name
    return name if name and len(name) <= 80 and is_name(name, before) else ""


def _trimmed(name: str, *, is_before_digit: bool) -> str:
    """The name without the role before it, and without what follows it in the row."""
    name = CODE.sub("", REMARK.sub("", name))
    name = words.at_end("class", "born", "holds").sub("", name)
    parts = name.split()
    if parts and words.whole("prefix").fullmatch(parts[0]):
        parts = parts[1:]
    if is_before_digit and parts and words.whole("identifier").fullmatch(parts[-1]):
        parts = parts[:-1]
    name = person_of(" ".join(parts), None)
    return name.strip(" ,.:-")


def _is_cased(name: str) -> bool:
    """Whether the name is in a script with capitals."""
    letter = CASED.search(name)
    return letter is not None and letter[0].lower() != letter[0].upper()


def _is_cased_name(name: str, before: str) -> bool:
    """Two to nine words that begin with a capital. Words in small letters that are no particles tell
    prose, unless the name has a legal form.
    """
    del before
    parts = name.split()
    first = CASED.search(name)
    if first is None or not first[0].isupper() or not 2 <= len(parts) <= 9:
        return False
    is_particle = words.whole("particle").fullmatch
    if is_particle(parts[-1]):
        return False
    small = [part for part in parts if part[0].islower() and not is_particle(part)]
    return not small or bool(split_legal_form(name)[1])


def _is_uncased_name(name: str, before: str) -> bool:
    """A name of several words, or of some letters where names have no blanks, with a column behind it."""
    parts = name.split()
    if UNSPACED.search(name):
        return 2 <= len(name) <= 40 and before[-1:].isspace()
    return 2 <= len(parts) <= 9


def _number(text: str) -> float:
    return float(text.replace(",", ".").replace("\u066b", "."))


def _whole(text: str) -> int:
    return int(re.sub(r"\D", "", text))
