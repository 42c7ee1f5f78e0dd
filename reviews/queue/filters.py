"""The filters of the queue: which cases a view shows, and how many.

The cost does not grow with the number of cases: counters and the search stop at a cap, and
queue_page reads pages by key instead of by offset.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.core.cache import caches
from django.core.exceptions import EmptyResultSet
from django.db import connection, models
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce
from django.utils.http import urlencode
from django.utils.timezone import now
from django.utils.translation import gettext_lazy

from compliance.languages import current, number
from compliance.security import sealed_values
from papers import countries
from reviews.access import masking
from reviews.models import (
    Case,
    Decision,
    Kind,
    Outcome,
    PeriodicReview,
    RiskBand,
    SecondLook,
)
from reviews.people.assignment import awake
from reviews.queue import search

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PAGE = 50
COUNT_CAP = 1000  # counters stop here; pages then show "1,000+"
CACHE_SECONDS = 2  # seconds for which counters are cached
OPEN = (
    Case.Status.TO_REVIEW,
    Case.Status.ATTENTION,
    Case.Status.ESCALATED,
    Case.Status.SECOND,
    Case.Status.CHECKING,
    Case.Status.WAITING,
)

# The views of the queue: title, and the status of its cases. An empty status: several statuses.
VIEWS: dict[str, tuple[StrOrPromise, str]] = {
    "review": (gettext_lazy("Needs review"), Case.Status.TO_REVIEW),
    "mine": (gettext_lazy("Mine"), ""),
    "attention": (gettext_lazy("Needs attention"), Case.Status.ATTENTION),
    "second": (gettext_lazy("Second approval"), Case.Status.SECOND),
    "escalated": (gettext_lazy("Escalated"), Case.Status.ESCALATED),
    "running": (gettext_lazy("Checks running"), Case.Status.CHECKING),
    "waiting": (gettext_lazy("Waiting for applicant"), Case.Status.WAITING),
    "snoozed": (gettext_lazy("Snoozed"), ""),
    "decided": (gettext_lazy("Decided"), Case.Status.DECIDED),
    "all": (gettext_lazy("All"), ""),
}
# Views of work that can be done now. They leave out snoozed cases.
AWAKE = {"review", "mine", "attention", "escalated", "second"}
NEWEST_FIRST = {"running", "decided", "all"}

SORTS = {
    "worst": (gettext_lazy("Worst first"), ("severity", "due_at", "pk")),
    "band": (gettext_lazy("Highest risk first"), ("risk_band", "due_at", "pk")),
    "due": (gettext_lazy("Due first"), ("due_at", "pk")),
    "new": (gettext_lazy("Newest first"), ("-pk",)),
    "old": (gettext_lazy("Oldest first"), ("pk",)),
}
DUE = {
    "over": gettext_lazy("Overdue"),
    "2h": gettext_lazy("Within 2 hours"),
    "24h": gettext_lazy("Within 24 hours"),
}
HOURS = {"over": 0, "2h": 2, "24h": 24}
RECOMMENDATIONS = ("approve", "review", "reject")
BANDS = {band.word: band.label for band in RiskBand}
REVIEW_IN = {"30": gettext_lazy("Within 30 days"), "90": gettext_lazy("Within 90 days")}
ORIGINS = {"review": gettext_lazy("Periodic review")}
# The different words of services for a recommendation.
_SPELLINGS = {
    "reject": ("reject", "deny", "rejected", "denied"),
    "approve": ("approve", "approved"),
}
CHECKLIST = {"open": gettext_lazy("Open items"), "done": gettext_lazy("Nothing open")}
# The verdicts of a check that each value of the filter stands for. The dashboard counts by them, too.
VERDICTS: Mapping[str, Sequence[str]] = {
    "pass": ("pass",),
    "review": ("review", "inconclusive", "unknown"),
    "fail": ("fail", "error"),
}
# The verdicts that match if the filter names a check without a verdict.
DOUBTS = (*VERDICTS["review"], *VERDICTS["fail"])
# Stands for a user name where the decision policy approved the case. User names have no spaces.
BY_POLICY = "decision policy"
# The allowed values of the fields that have a fixed list.
_VALUES: Mapping[str, Iterable[str]] = {
    "view": VIEWS,
    "kind": Kind.values,
    "recommendation": RECOMMENDATIONS,
    "due": DUE,
    "sort": SORTS,
    "outcome": ("approve", "reject"),
    "verdict": VERDICTS,
    "stands": ("returned",),
    "band": BANDS,
    "origin": ORIGINS,
    "review_in": REVIEW_IN,
    "checklist": CHECKLIST,
}
# The syntax of the values that have one.
_FORMS = {
    "agent": re.compile(r"[0-9]{1,9}", re.ASCII),
    "risk": re.compile(r"[0-9]{1,9}", re.ASCII),
    "after": re.compile(r"-?[0-9]{1,18}(~[0-9]{1,18}){0,2}", re.ASCII),
    "took": re.compile(r"[0-9]{1,6}-[0-9]{0,6}", re.ASCII),
}
_MAX_LENGTH = 150
# Fields that may contain a name. Addresses are logged, so they carry these values only
# encrypted, in the parameter SEALED.
_PERSONAL = ("q", "tag")
SEALED = "sealed"
MAX_SEARCH = 100  # characters


def searched_words(params: Mapping[str, str], *, reader: int) -> str:
    """The search words in the parameters of an address; "" if there are none."""
    sealed = params.get(SEALED, "")
    if not sealed:
        return ""
    return sealed_values.open_sealed(sealed, reader=reader).get("q", "")


def sealed_search(words: str, *, reader: int) -> str:
    """The sealed search words for the address of a page that highlights them."""
    return sealed_values.seal({"q": words}, reader=reader)


@dataclass(frozen=True)
class Filter:
    """The filters of a queue page. An invalid value is replaced by the default."""

    view: str = "review"
    q: str = ""
    kind: str = ""
    country: str = ""
    agent: str = ""
    recommendation: str = ""
    analyst: str = ""  # "me", "none" or a user name
    risk: str = ""  # least number of findings
    band: str = ""  # band of the rating; "none": not rated
    origin: str = ""  # "review": opened as a periodic review
    review_in: str = ""  # days until the next review of an approved case, at most
    checklist: str = ""  # "open": items block the decision; "done": none does
    check: str = ""  # label of a check, together with `verdict`
    verdict: str = ""
    tag: str = ""
    due: str = ""
    outcome: str = ""
    decided: str = ""  # when it was final: 2026-11-20, or 2026-11-01..2026-11-20
    by: str = ""  # user name of who decided
    took: str = ""  # minutes from submission to the final decision: "30-60", or "480-" for longer
    stands: str = ""  # "returned": sent back by the second person
    sort: str = ""
    after: str = ""  # key of the last row of the previous page
    # The primary key of the user who reads the address. Only a filter with a search needs it.
    reader: int = field(default=0, compare=False)

    @classmethod
    def of_address(cls, params: Mapping[str, str], reader: int) -> Filter:
        """Read the parameters of an address. Fields with a name count only if they are sealed."""
        values = {name: params[name] for name in params if name not in _PERSONAL}
        sealed = params.get(SEALED, "")
        if sealed:
            values |= sealed_values.open_sealed(sealed, reader=reader)
        return cls.of(values, reader)

    @classmethod
    def of(cls, params: Any, reader: int = 0) -> Filter:
        """Read the fields of a body or a stored view: a QueryDict or a dict of texts."""
        values = {}
        for name in cls.__dataclass_fields__:
            if name == "reader":
                continue
            # PostgreSQL rejects NUL.
            text = params.get(name, "").replace("\0", "")
            words = " ".join(text.split())
            values[name] = words[:_MAX_LENGTH]
        _clear_what_makes_no_sense(values)
        if not values["view"]:
            values["view"] = "review"
        values["country"] = _country(values["country"])
        values["q"] = values["q"][:MAX_SEARCH]
        return cls(**values, reader=reader)

    @property
    def order(self) -> str:
        if self.sort:
            return self.sort
        return "new" if self.view in NEWEST_FIRST else "worst"

    def address(self, **changes: str) -> str:
        """The query string with these changes. A change of a filter goes to the first page."""
        # `after` is emptied in _values unless it is among the changes.
        values = self._values(changes)
        personal = {}
        for name in _PERSONAL:
            if value := values.pop(name, ""):
                personal[name] = value
        if personal:
            values[SEALED] = sealed_values.seal(personal, reader=self.reader)
        return f"?{urlencode(values)}"

    def stored(self) -> str:
        """The query string for a saved view: with the search words in clear text."""
        return f"?{urlencode(self._values({}))}"

    def _values(self, changes: Mapping[str, str]) -> dict[str, str]:
        """The fields that have a value, with the changes applied."""
        values = {**vars(self), "after": "", **changes}
        values.pop("reader")
        return {name: value for name, value in values.items() if value}

    def apply(
        self, cases: QuerySet[Case], user: User, moment: datetime | None = None
    ) -> QuerySet[Case]:
        """Narrow `cases` to those of this filter at that moment (default: now).

        The order is undefined.
        """
        moment = moment or now()
        _, status = VIEWS[self.view]
        if status:
            cases = cases.filter(status=status)
        if self.view == "mine":
            cases = cases.filter(analyst=user.pk, status__in=OPEN)
        if self.view == "snoozed":
            cases = cases.filter(
                snoozed_until__gt=moment,
                status__in=OPEN,
            )
        if self.view in AWAKE:
            cases = cases.filter(awake(moment))
        if self.q:
            # Also for an act that uses the filter, such as claiming the next case: a user from
            # whom names are hidden must not learn them by a search.
            with masking.hide_from(user):
                cases = cases.filter(pk__in=search.hits(self.q))
        cases = self._narrow_by_fields(cases, moment)
        cases = self._narrow_by_tag(cases, user)
        cases = self._narrow_by_risk(cases, moment)
        cases = self._narrow_by_checklist(cases)
        cases = self._narrow_by_analyst(cases, user)
        return self._narrow_by_outcome(cases)

    def _narrow_by_fields(
        self, cases: QuerySet[Case], moment: datetime
    ) -> QuerySet[Case]:
        if self.kind:
            cases = cases.filter(kind=self.kind)
        if self.country:
            cases = cases.filter(country=self.country)
        if self.agent:
            cases = cases.filter(agent=int(self.agent))
        if self.risk:
            cases = cases.filter(risk__gte=self.risk)
        if self.due:
            hours = HOURS[self.due]
            cases = cases.filter(due_at__lt=moment + timedelta(hours=hours))
        return cases

    def _narrow_by_tag(self, cases: QuerySet[Case], user: User) -> QuerySet[Case]:
        if not self.tag:
            return cases
        # A tag may be a name, and whoever sees none could try names by this filter.
        if not masking.sees_names(user):
            return cases.none()
        return cases.filter(tags__name=self.tag)

    def _narrow_by_risk(
        self, cases: QuerySet[Case], moment: datetime
    ) -> QuerySet[Case]:
        if self.band:
            cases = cases.filter(risk_band=RiskBand[self.band.upper()])
        if self.origin:
            cases = cases.filter(is_review())
        if self.review_in:
            days = timedelta(days=int(self.review_in))
            cases = cases.filter(review_on__lte=moment.date() + days)
        return cases

    def _narrow_by_checklist(self, cases: QuerySet[Case]) -> QuerySet[Case]:
        if self.checklist == "open":
            cases = cases.filter(open_items__gt=0)
        if self.checklist == "done":
            cases = cases.filter(open_items=0, procedure__isnull=False)
        return cases

    def _narrow_by_analyst(self, cases: QuerySet[Case], user: User) -> QuerySet[Case]:
        if not self.analyst:
            return cases
        if self.analyst == "none":
            return cases.filter(analyst__isnull=True)
        # By primary key: with a join on the name, PostgreSQL misjudges how few rows match and
        # reads all.
        if self.analyst == "me":
            return cases.filter(analyst=user.pk)
        person = User.objects.filter(username=self.analyst).only("pk").first()
        if person is None:
            return cases.none()
        return cases.filter(analyst=person.pk)

    def _narrow_by_outcome(self, cases: QuerySet[Case]) -> QuerySet[Case]:
        """Narrow by the recommendation of the agent, the verdict of a check, and the decision."""
        if self.recommendation:
            spellings = _spellings(self.recommendation)
            cases = cases.filter(recommendation__in=spellings)
        if self.check:
            verdicts = VERDICTS.get(self.verdict, DOUBTS)
            cases = cases.filter(_has_check(self.check, verdicts))
        if self.outcome or self.decided or self.by or self.took or self.stands:
            decisions = self._decisions()
            cases = cases.filter(Exists(decisions))
        return cases

    def _decisions(self) -> QuerySet[Decision]:
        """The decisions of a case (OuterRef) that match the filter."""
        status = self.stands or Decision.Status.STANDING
        outcomes: list[str] = [Outcome.APPROVE, Outcome.REJECT]
        if self.outcome:
            outcomes = [self.outcome]
        decisions = Decision.objects.filter(
            case=OuterRef("pk"),
            status=status,
            outcome__in=outcomes,
        )
        if self.outcome or self.by == BY_POLICY:
            # Whoever gives a second look must not know the outcome.
            decisions = decisions.exclude(second_look__status__in=SecondLook.WAITING)
        if self.by == BY_POLICY:
            decisions = decisions.filter(made_by=None)
        elif self.by:
            decisions = decisions.filter(made_by__username=self.by)
        if self.took:
            created_at = OuterRef("created_at")
            least, _, most = self.took.partition("-")
            earliest = created_at + timedelta(minutes=int(least))
            decisions = decisions.alias(final_at=Coalesce("second_at", "made_at"))
            decisions = decisions.filter(final_at__gte=earliest)
            if most:
                end = created_at + timedelta(minutes=int(most))
                decisions = decisions.filter(final_at__lt=end)
        days = _days(self.decided)
        if days:
            start, end_of_days = days
            by_one = Q(second_at=None, made_at__gte=start, made_at__lt=end_of_days)
            by_two = Q(second_at__gte=start, second_at__lt=end_of_days)
            decisions = decisions.filter(by_one | by_two)
        return decisions


def is_review() -> Exists:
    """The condition that the case was opened, or opened again, for a periodic review."""
    is_new = Q(opened_case=OuterRef("pk"))
    is_reopened = Q(
        case=OuterRef("pk"), opened_case=None, status=PeriodicReview.Status.OPENED
    )
    return Exists(PeriodicReview.objects.filter(is_new | is_reopened))


def _country(text: str) -> str:
    """The code of what was typed: a code, or a name in the language of the reader."""
    return countries.code_in(text, current()) or text[:2].upper()


def _clear_what_makes_no_sense(values: dict[str, str]) -> None:
    """Empty invalid values. An address may be typed or come from an older release: no error."""
    for name, allowed in _VALUES.items():
        if values[name] not in allowed:
            values[name] = ""
    for name, form in _FORMS.items():
        if not form.fullmatch(values[name]):
            values[name] = ""
    if _days(values["decided"]) is None:
        values["decided"] = ""


def _spellings(recommendation: str) -> list[str]:
    """The words of services for a recommendation, in lower case, capitalised and upper case."""
    spellings = []
    for word in _SPELLINGS.get(recommendation, (recommendation,)):
        spellings += [word, word.capitalize(), word.upper()]
    return spellings


def _days(text: str) -> tuple[datetime, datetime] | None:
    """The start of the first day and the end of the last day; None if the text is no period."""
    first, _, last = text.partition("..")
    try:
        start = _midnight(date.fromisoformat(first))
        end = _midnight(date.fromisoformat(last or first))
        return start, end + timedelta(days=1)
    except (ValueError, OverflowError):
        return None


def _midnight(day: date) -> datetime:
    return datetime(
        day.year,
        day.month,
        day.day,
        tzinfo=UTC,
    )


def _has_check(check: str, verdicts: Sequence[str]) -> Q:
    """The condition that a check in the summary of the case has one of the verdicts."""
    if connection.vendor == "postgresql":
        condition = Q()
        for verdict in verdicts:
            condition |= Q(summary__contains={"checks": [[check, verdict]]})
        return condition
    # Django has no lookup on SQLite for pairs within a JSON list.
    placeholders = ", ".join(["%s"] * len(verdicts))
    sql = (
        "EXISTS (SELECT 1 FROM json_each(reviews_case.summary, '$.checks') c"  # noqa: S608
        " WHERE json_extract(c.value, '$[0]') = %s"
        f" AND json_extract(c.value, '$[1]') IN ({placeholders}))"
    )
    params = [check, *verdicts]
    exists = RawSQL(sql, params, output_field=models.BooleanField())  # noqa: S611
    return Q(models.lookups.Exact(exists, True))  # noqa: FBT003


def of_connections(connections: Sequence[int] | None) -> QuerySet[Case]:
    """The cases of these connections; of all if None. Without an order."""
    cases = Case.objects.order_by()
    if connections is None:
        return cases
    return cases.filter(connection__in=connections)


def counts(
    filters: Mapping[str, Filter], user: User, connections: Sequence[int] | None = None
) -> dict[str, int]:
    """How many cases each filter shows, at most COUNT_CAP + 1, in one query."""
    counters: list[str] = []
    params: list[Any] = []
    for queue_filter in filters.values():
        cases = queue_filter.apply(of_connections(connections), user)
        capped = cases.values("pk")[: COUNT_CAP + 1]
        try:
            # A filter that can match nothing has no SQL.
            sql, own_params = capped.query.sql_with_params()
        except EmptyResultSet:
            counters.append("0")
        else:
            counters.append(f"(SELECT COUNT(*) FROM ({sql}) c)")  # noqa: S608
            params.extend(own_params)
    # The ORM cannot express several counts with different conditions and limits in one query.
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(counters)}", params)
        numbers = cursor.fetchone() or ()
    return dict(zip(filters, numbers, strict=True))


def by_view(
    user: User,
    connections: Sequence[int] | None = None,
    also: Mapping[str, Filter] | None = None,
    saved: Mapping[str, Filter] | None = None,
) -> dict[str, int]:
    """How many cases each view shows, and each filter of `also` and `saved`; at most one query.

    Counts of views are cached for CACHE_SECONDS, because open pages poll them. "mine" and
    `saved` are cached per user, the other views for all users with the same connections. `also`
    is not cached.
    """
    cache = caches["memory"]
    saved = saved or {}
    also = also or {}
    shared_key = _cache_key("views", connections)
    user_key = _cache_key("mine", (user.pk,))
    numbers: dict[str, int] = {}
    numbers.update(cache.get(shared_key, {}))
    numbers.update(cache.get(user_key, {}))
    filters = {name: Filter(view=name) for name in VIEWS}
    filters.update(saved)
    missing = {name: filters[name] for name in filters if name not in numbers}
    to_count = {**missing, **also}
    if to_count:
        numbers.update(counts(to_count, user, connections))
    if missing:
        of_user = {name: numbers[name] for name in ("mine", *saved)}
        shared = {name: numbers[name] for name in VIEWS if name != "mine"}
        # add() does not replace an existing entry, so no entry lives longer than CACHE_SECONDS.
        cache.add(shared_key, shared, CACHE_SECONDS)
        cache.add(user_key, of_user, CACHE_SECONDS)
    return numbers


def waiting(user: User, connections: Sequence[int] | None = None) -> int:
    """How many cases wait for people. Cached like the counts of the views."""
    cache = caches["memory"]
    views_key = _cache_key("views", connections)
    key = _cache_key("waiting", connections)
    numbers: dict[str, int] | None = cache.get(views_key)
    if numbers is None:
        numbers = cache.get(key)
    if numbers is None:
        filters = {view: Filter(view=view) for view in ("review", "attention")}
        numbers = counts(filters, user, connections)
        cache.set(key, numbers, CACHE_SECONDS)
    return numbers["review"] + numbers["attention"]


def _cache_key(name: str, ids: Sequence[int] | None) -> str:
    text = "all"
    if ids is not None:
        text = ",".join(map(str, ids))
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"queue-{name}:{digest}"


def display_count(count: int) -> str:
    """A count as pages show it."""
    if count > COUNT_CAP:
        return f"{number(COUNT_CAP)}+"
    return number(count)
