"""What FinCEN's form asks about a report, besides the narrative and the subject."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date

from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from reviews.filings.days import FIRST_YEAR
from reviews.filings.fincen import codes
from reviews.models import SuspicionReport

INITIAL, CORRECTION, CONTINUING = "initial", "correction", "continuing"
KINDS = (INITIAL, CORRECTION, CONTINUING)
KNOWN, UNKNOWN, NONE = "known", "unknown", "none"
AMOUNTS = (KNOWN, UNKNOWN, NONE)
OTHER = "other"
# The form accepts this number if the number of the earlier report is unknown.
NO_NUMBER = "0" * 14
LONGEST_OTHER = 50
# The form accepts at most this many activities.
MOST_ACTIVITIES = 99
_NUMBER = re.compile(r"[0-9]{14}")
_DOLLARS = re.compile(r"[0-9]{1,15}")
_KEYS = re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True)
class Facts:
    """The facts of one report. Every member is empty until a user enters it.

    `prior_number`: the control number of the earlier report, 14 digits. `activities`: codes from
    `codes.ACTIVITIES`. `other_activities`: pairs of a category's code and a description. Days are
    in ISO 8601, amounts in whole US dollars. The last member of each group is the key of the
    evidence for that group.
    """

    kind: str = ""
    prior_number: str = ""
    activities: tuple[int, ...] = ()
    other_activities: tuple[tuple[int, str], ...] = ()
    activity_evidence: str = ""
    first_day: str = ""
    last_day: str = ""
    amount: str = ""
    dollars: str = ""
    cumulative_dollars: str = ""
    amount_evidence: str = ""
    relationship: str = ""
    other_relationship: str = ""
    role: str = ""
    relationship_evidence: str = ""

    @classmethod
    def of(cls, row: object) -> Facts:
        """The facts from stored JSON of any shape. An erased report gives empty facts."""
        if not isinstance(row, Mapping):
            return cls()
        values: dict[str, str] = {}
        for member in fields(cls):
            value = row.get(member.name)
            if isinstance(value, str):
                values[member.name] = value
        values.pop("activities", None)
        values.pop("other_activities", None)
        return cls(
            **values,
            activities=_activities(row.get("activities")),
            other_activities=_others(row.get("other_activities")),
        )

    def to_json(self) -> dict[str, object]:
        others = {str(code): words for code, words in self.other_activities}
        return {
            **asdict(self),
            "activities": list(self.activities),
            "other_activities": others,
        }

    def words_for(self, category: int) -> str:
        """The description of "Other" in this category, or ""."""
        return dict(self.other_activities).get(category, "")

    @property
    def evidence(self) -> list[str]:
        return [
            self.activity_evidence,
            self.amount_evidence,
            self.relationship_evidence,
        ]


def of(report: SuspicionReport) -> Facts:
    return Facts.of(report.fincen)


def _activities(value: object) -> tuple[int, ...]:
    if not isinstance(value, Sequence):
        return ()
    chosen = []
    for code in value:
        if code in codes.ACTIVITIES:
            chosen.append(code)
    return tuple(chosen)


def _others(value: object) -> tuple[tuple[int, str], ...]:
    if not isinstance(value, Mapping):
        return ()
    rows = []
    for code, words in value.items():
        if _KEYS.fullmatch(str(code)) and words:
            rows.append((int(code), str(words)))
    return tuple(rows)


def faults(facts: Facts, evidence: Collection[str]) -> list[str]:
    """What is wrong with the facts, as sentences. Empty members are not wrong, only missing.

    `evidence` holds the keys of the evidence that the case has.
    """
    texts = [*dict(facts.other_activities).values(), facts.other_relationship]
    amounts = [facts.dollars, facts.cumulative_dollars]
    most, longest = {"most": MOST_ACTIVITIES}, {"most": LONGEST_OTHER}
    # Each row: condition of the fault, sentence.
    checks = (
        (facts.kind not in {"", *KINDS}, _("There is no such kind of report.")),
        (
            not _NUMBER.fullmatch(facts.prior_number or NO_NUMBER),
            _("The number of the earlier report has 14 digits."),
        ),
        (
            len(facts.activities) > MOST_ACTIVITIES,
            _("At most %(most)d kinds of activity.") % most,
        ),
        (
            any(len(text) > LONGEST_OTHER for text in texts),
            _("What “other” means has at most %(most)d characters.") % longest,
        ),
        (
            facts.amount not in {"", *AMOUNTS},
            _("There is no such answer about the amount."),
        ),
        (
            not all(_DOLLARS.fullmatch(amount or "0") for amount in amounts),
            _("An amount is in whole US dollars, with digits alone."),
        ),
        (
            facts.relationship not in {"", *codes.RELATIONSHIPS},
            _("There is no such relationship."),
        ),
        (facts.role not in {"", *codes.ROLES}, _("There is no such role.")),
        (
            any(key not in evidence for key in facts.evidence if key),
            _("The case has no such evidence."),
        ),
    )
    return [*_true_ones(checks), *_faults_of_days(facts)]


def _true_ones(checks: Iterable[tuple[bool, str]]) -> list[str]:
    return [words for is_true, words in checks if is_true]


def _faults_of_days(facts: Facts) -> list[str]:
    try:
        days = [_day(facts.first_day), _day(facts.last_day)]
    except ValueError:
        return [_("A day of the activity cannot be read as a date.")]
    first, last = days
    if any(day and day > localdate() for day in days):
        return [_("A day of the activity has not come yet.")]
    if any(day and day.year < FIRST_YEAR for day in days):
        return [_("A day of the activity is before 1900.")]
    if first and last and last < first:
        return [_("The activity ends before it begins.")]
    return []


def _day(text: str) -> date | None:
    """The date, or None for "". Raises ValueError."""
    if not text:
        return None
    day = date.fromisoformat(text)
    # Python also reads 20260105 and 2026-W02-1. The file is made from the characters of YYYY-MM-DD.
    if day.isoformat() != text:
        raise ValueError(text)
    return day


def missing(facts: Facts) -> list[str]:
    """The labels of the required facts that are still empty."""
    is_later = facts.kind in {CORRECTION, CONTINUING}
    is_known = facts.amount == KNOWN
    needs_sum = is_known and facts.kind == CONTINUING
    is_other = facts.relationship == OTHER
    # Each row: whether the fact is missing, its label.
    checks = (
        (not facts.kind, _("Kind of report")),
        (is_later and not facts.prior_number, _("Number of the earlier report")),
        (not facts.activities, _("Kinds of activity")),
        *_missing_words(facts),
        (not facts.activity_evidence, _("Evidence of the kinds of activity")),
        (not facts.first_day, _("First day of the activity")),
        (not facts.amount, _("Whether the amount is known")),
        (is_known and not facts.dollars, _("Amount")),
        (
            needs_sum and not facts.cumulative_dollars,
            _("Amount of all reports together"),
        ),
        (not facts.amount_evidence, _("Evidence of days and amount")),
        (not facts.relationship, _("Relationship of the subject")),
        (
            is_other and not facts.other_relationship,
            _("Other relationship, in words"),
        ),
        (not facts.relationship_evidence, _("Evidence of the relationship")),
    )
    return _true_ones(checks)


def _missing_words(facts: Facts) -> Iterator[tuple[bool, str]]:
    for code in facts.activities:
        category, _label = codes.ACTIVITIES[code]
        needs_words = code == category.other and not facts.words_for(category.code)
        yield needs_words, _("What “other” means: %(name)s") % {"name": category.label}
