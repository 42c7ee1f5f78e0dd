"""Changes of a customer between the approval and the periodic review.

They are stored with the review, and the page of its case shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet

from compliance.languages import english
from reviews.models import Case, CaseRating
from reviews.periodic.dates import Facts
from reviews.periodic.news import News

MOST = 100


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `on`: a day in ISO 8601. `words`: a text without names. `case`: id of the case
    that states it.
    """

    on: str
    words: str
    case: int | None

    @classmethod
    def from_json(cls, content: object) -> Change | None:
        if not isinstance(content, dict):
            return None
        case = content.get("case")
        if not isinstance(case, int):
            case = None
        return cls(
            on=str(content.get("on", "")),
            words=str(content.get("words", "")),
            case=case,
        )


@english()
def to_store(case: Case, moment: datetime, facts: Facts, news: News) -> list[Any]:
    """The changes since the approval at `moment`, as JSON rows ordered by day.

    In English, as all results are stored: pages show them in the language of the reader.
    """
    rows = [
        *_of_ratings(case, moment),
        *_of_documents(facts),
        *_of_parties(news),
    ]
    rows.sort(key=lambda row: (row["on"], row["words"]))
    return rows[:MOST]


def _row(day: date, words: str, case: int | None = None) -> dict[str, object]:
    return {"on": day.isoformat(), "words": words, "case": case}


def _of_ratings(case: Case, moment: datetime) -> list[dict[str, object]]:
    ratings_of_case = CaseRating.objects.filter(case=case)
    # The rating at the time of the approval is the start of the comparison.
    before = _newest(ratings_of_case.filter(at__lte=moment))
    rows = []
    later = ratings_of_case.filter(at__gt=moment)
    for rating in later.order_by("id"):
        if before is not None and before.band != rating.band:
            old = before.get_band_display().lower()
            new = rating.get_band_display().lower()
            words = f"The risk went from {old} to {new}"
            row = _row(rating.at.date(), words, case.pk)
            rows.append(row)
        before = rating
    return rows


def _newest(rows: QuerySet[CaseRating]) -> CaseRating | None:
    return rows.order_by("-id").first()


def _of_documents(facts: Facts) -> list[dict[str, object]]:
    rows = []
    for day in facts.expiries:
        # Documents that had expired before were known to the approver.
        if day > facts.approved_on:
            rows.append(_row(day, "A document expires"))
    return rows


def _of_parties(news: News) -> list[dict[str, object]]:
    rows = []
    for change in news.relations:
        relation = change.relation
        what = "Ended" if change.has_ended else "New"
        kind = relation.get_kind_display().lower()
        words = f"{what}: {kind} of a party"
        row = _row(change.day, words, relation.holder.case_id)
        rows.append(row)
    for line in news.alarms:
        row = _row(line.at.date(), "An alarm about a party", line.case_id)
        rows.append(row)
    for case in news.cases:
        day = case.created_at.date()
        row = _row(day, "Another case of the same customer", case.pk)
        rows.append(row)
    return rows


def stored(content: object) -> Sequence[Change]:
    """The stored changes. Empty if the case was erased."""
    if not isinstance(content, list):
        return []
    rows = []
    for item in content:
        change = Change.from_json(item)
        if change is not None:
            rows.append(change)
    return rows
