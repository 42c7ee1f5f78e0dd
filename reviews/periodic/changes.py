"""Changes of a customer between the approval and the periodic review.

They are stored with the review, and the page of its case shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from compliance.languages import english
from reviews.models import Band, Case, CaseRating, RatingOverride
from reviews.periodic.dates import Facts
from reviews.periodic.news import News
from reviews.risk import overrides

MOST = 100


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `on`: a day in ISO 8601. `words`: a text without names. `case`: id of the case
    that states it.
    """

    on: str
    words: str
    case: int | None

    @property
    def day(self) -> date | None:
        """The day for a page; None if what is stored is no day."""
        try:
            return date.fromisoformat(self.on)
        except ValueError:
            return None

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

    Of many, the newest: they include what made the review due. In English, as all results are stored: pages show them in the language of the reader.
    """
    others = [*_of_documents(facts), *_of_parties(news)]
    others.sort(key=lambda row: str(row["words"]))
    # Bands of one day stay in their order.
    rows = [*_of_ratings(case, moment), *others]
    rows.sort(key=lambda row: str(row["on"]))
    if len(rows) <= MOST:
        return rows
    words = f"Only the last {MOST} of {len(rows)} changes are listed"
    first_day = date.fromisoformat(str(rows[-MOST]["on"]))
    return [_row(first_day, words), *rows[-MOST:]]


def _row(day: date, words: str, case: int | None = None) -> dict[str, object]:
    return {"on": day.isoformat(), "words": words, "case": case}


def _of_ratings(case: Case, moment: datetime) -> list[dict[str, object]]:
    """The days on which the band became another one, by the policy or by what people say."""
    ratings = list(CaseRating.objects.filter(case=case).order_by("id"))
    people = list(RatingOverride.objects.filter(case=case))
    moments = {rating.at for rating in ratings}
    for override in people:
        moments |= {_begins_at(override), override.ended_at or override.made_at}
    # The band at the time of the approval is the start of the comparison.
    before = _band_at(moment, ratings, people)
    rows = []
    for at in sorted(each for each in moments if each > moment):
        band = _band_at(at, ratings, people)
        if before and band != before:
            old = str(Band(before).label).lower()
            new = str(Band(band).label).lower()
            words = f"The risk went from {old} to {new}"
            rows.append(_row(at.date(), words, case.pk))
        before = band
    return rows


def _begins_at(override: RatingOverride) -> datetime:
    return override.second_at or override.made_at


def _band_at(
    moment: datetime, ratings: Sequence[CaseRating], people: Sequence[RatingOverride]
) -> str:
    """The band at that moment; "" before the first rating."""
    band = ""
    for rating in ratings:
        if rating.at <= moment:
            band = rating.band
    for override in people:
        if band and _is_in_force(override, moment):
            band = overrides.with_override(band, override)
    return band


def _is_in_force(override: RatingOverride, moment: datetime) -> bool:
    # What waits for a second person, or was refused or withdrawn before, changed nothing.
    if override.needs_second and override.second_at is None:
        return False
    if override.status == RatingOverride.Status.REFUSED:
        return False
    is_over = override.ended_at is not None and override.ended_at <= moment
    return _begins_at(override) <= moment and not is_over


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
    for act in news.matches:
        words = "People found a party on a list in another case"
        rows.append(_row(act.at.date(), words, act.case))
    for act in news.rejections:
        words = "Another case about a party was rejected"
        rows.append(_row(act.at.date(), words, act.case))
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
