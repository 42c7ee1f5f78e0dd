"""Since when the company exists, from the sentences and labels of the document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache

from checks.data import table
from checks.evidence import Evidence
from checks.fields.extracted import ExtractedValue
from checks.fields.general import date_order_of, dates_of, type_of
from checks.fields.labels.values import labelled_dates
from checks.fields.layout.cells import Cell
from checks.incorporation_document import tunables
from checks.incorporation_document.layout import cell_at, page_cells_of, pairs_of
from checks.incorporation_document.readings import FieldReading
from checks.text.folding import folded
from checks.text.words import Span

# A trade licence states since when it is valid, but not when the company was formed.
LICENCE = "business_licence"
Dated = ExtractedValue[date]
# “Tag der letzten Eintragung”: that of a change.
OF_LAST_ENTRY = re.compile(
    r"\b(?:last|letzten?|derni[èe]re?|[úu]ltim[ao]|laatste|ostatni\w*)\b",
    re.IGNORECASE,
)
OF_FORMATION, OF_OTHER = "formation", "other"
LABELLED = re.compile("“(.+)”")
# Nothing but signs may stand between a label and its day.
LABEL_BEFORE = re.compile(r"(?P<label>[^\d\n]*[^\W\d_])[^\w\n]*$")


def with_labels(
    evidence: Evidence, weighed: Sequence[tuple[int, Dated]], threshold: int
) -> FieldReading[date]:
    """Return the date with the highest weight, or the labelled one, or candidates if two are
    equally likely.

    `weighed` are pairs of a weight and a date. Weights below `threshold` do not count.
    """
    best = max((weight for weight, _ in weighed), default=0)
    leaders = [item for weight, item in weighed if weight == best]
    values = {item.value for item in leaders}
    labelled = labelled_reading(evidence)
    if best < threshold or not leaders:
        return labelled
    if len(values) == 1:
        others = _of_other_birth(evidence, leaders[0], labelled)
        if others:
            several = [leaders[0], *others]
            return FieldReading(candidates=several[: tunables.CANDIDATES])
        return FieldReading(leaders[:1])
    # Sentences are equally strong for several days; a label can decide between them.
    agreeing = [item for item in labelled.values if item.value in values]
    if agreeing:
        return FieldReading(agreeing)
    several = list({item.value: item for item in leaders}.values())
    return FieldReading(candidates=several[: tunables.CANDIDATES])


def _is_below_a_word(cells: Sequence[Cell], day: Dated) -> bool:
    """Whether its label is one word that stands above it: “Registered” is the value of a status there."""
    label = LABELLED.search(day.how)
    if label is None or len(label[1].split()) > 1:
        return False
    return folded(label[1]) not in folded(_label_before(cells, day.span))


@cache
def _words(group: str) -> re.Pattern[str]:
    words: list[str] = []
    for row in table("formation_words"):
        if row["group"] == group:
            words.extend(map(folded, row["words"].split("|")))
    return re.compile("|".join(map(_pattern_of, words)))


def _pattern_of(word: str) -> str:
    """A short word counts at the beginning of a word alone: “päivämäärä” has “iva” within."""
    is_short = word.isascii() and len(word) <= tunables.SHORT_WORD
    return (r"(?<!\w)" if is_short else "") + re.escape(word)


def _is_of_birth(day: Dated) -> bool:
    """Whether its label is one of the formation or of the entry, as most labels of the table are."""
    return not _words(OF_OTHER).search(folded(day.how))


def _of_other_birth(
    evidence: Evidence, leader: Dated, labelled: FieldReading[date]
) -> list[Dated]:
    """Return the days of a formation or an entry that differ from the leader.

    A page may print the day of the deed beside that of the entry, and the law of the state decides which is the
    birth of the company.
    """
    cells = evidence.once(page_cells_of)
    days = []
    for day in (*labelled.values, *labelled.candidates):
        if _is_of_birth(day) and not _is_below_a_word(cells, day):
            days.append(day)
    if not days:
        days = beside_words(evidence)
    others: dict[date, Dated] = {}
    for day in days:
        if day.value != leader.value:
            others.setdefault(day.value, day)
    return list(others.values())


def beside_words(evidence: Evidence) -> list[Dated]:
    """Return the days whose label the table has not, but that has a word of the formation.

    The table cannot have all labels of all registers.
    """
    days: list[Dated] = []
    cells = evidence.once(page_cells_of)
    for fact in evidence.once(dates_of):
        label = folded(_label_before(cells, fact.span))
        if fact.value and _names_formation(label):
            how = f"labelled “{label}”"
            day = ExtractedValue(fact.value, fact.span, how, tunables.OF_ENTRY)
            days.append(day)
    return days


def _names_formation(label: str) -> bool:
    is_short = len(label.split()) <= tunables.LABEL_WORDS
    is_other = _words(OF_OTHER).search(label)
    return is_short and not is_other and bool(_words(OF_FORMATION).search(label))


def _label_before(cells: Sequence[Cell], span: Span) -> str:
    """Return the words before the passage in its cell, or those of the cell on its left."""
    own = cell_at(cells, span)
    if own is None:
        return ""
    before = own.text[: span.start - own.span.start]
    if before.strip():
        match = LABEL_BEFORE.search(before)
        return match["label"] if match else ""
    nearest: Cell | None = None
    for cell in cells:
        box = cell.box
        is_on_left = box.page == own.box.page and box.x1 <= own.box.x0
        if not is_on_left or box.shared_rows(own.box) < tunables.ON_ROW:
            continue
        if nearest is None or box.x1 > nearest.box.x1:
            nearest = cell
    return nearest.text if nearest else ""


def settled(evidence: Evidence, reading: FieldReading[date]) -> FieldReading[date]:
    """Return the attested day, where it is one of two days that stand at labels of a formation or an entry.

    Companies attest either of them.
    """
    attested = str(evidence.attested.get("incorporation_date") or "")
    for day in reading.candidates:
        is_labelled = day.how.startswith("labelled") and _is_of_birth(day)
        if is_labelled and day.value.isoformat() == attested:
            return FieldReading([day])
    return reading


def _first_of_each_label(
    dates: Sequence[ExtractedValue[date]],
) -> list[ExtractedValue[date]]:
    """A label that occurs again is that of an officer or a branch, so its first day counts."""
    by_label = {item.how: item for item in reversed(dates)}
    return list(reversed(by_label.values()))


def labelled_reading(evidence: Evidence) -> FieldReading[date]:
    order = evidence.once(date_order_of)
    pairs = evidence.once(pairs_of)
    dates = labelled_dates(pairs, order, latest=evidence.today)
    dates = [item for item in dates if not OF_LAST_ENTRY.search(item.how)]
    kind = evidence.once(type_of)
    if not dates and kind and kind.value.code == LICENCE:
        dates = labelled_dates(pairs, order, "tax_date", latest=evidence.today)
    dates = _first_of_each_label(dates)
    # A company may begin its activity on another day than that of its formation.
    chosen = [item for item in dates if _is_of_birth(item)] or dates
    by_day = {item.value: item for item in reversed(chosen)}
    several = list(by_day.values())
    if len(several) > 1:
        return FieldReading(candidates=several[: tunables.CANDIDATES])
    if chosen:
        others = beside_words(evidence)
        others = [day for day in others if day.value != chosen[0].value]
        if others:
            return FieldReading(candidates=[chosen[0], *others][: tunables.CANDIDATES])
    return FieldReading(chosen[:1])
