"""The queue: which cases a view and its filters hold, how many, and one page of them.

Made to cost the same with a thousand cases as with a million: pages are found by key, counters
and the search stop at a cap.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.core.cache import caches
from django.core.exceptions import EmptyResultSet
from django.db import connection, models
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils.http import urlencode
from django.utils.timezone import now

from reviews.models import Case, Decision, Kind, Outcome
from reviews.people.assignment import awake
from reviews.queue import search

PAGE = 50
COUNT_CAP = 1000
KEPT = 2  # seconds that counters are remembered
OPEN = (
    Case.Status.TO_REVIEW,
    Case.Status.ATTENTION,
    Case.Status.ESCALATED,
    Case.Status.SECOND,
    Case.Status.CHECKING,
    Case.Status.WAITING,
)

# The views of the queue: what each is called, and the status it holds ("": more than one).
VIEWS: dict[str, tuple[str, str]] = {
    "review": ("Needs review", Case.Status.TO_REVIEW),
    "mine": ("Mine", ""),
    "attention": ("Needs attention", Case.Status.ATTENTION),
    "second": ("Second approval", Case.Status.SECOND),
    "escalated": ("Escalated", Case.Status.ESCALATED),
    "running": ("Checks running", Case.Status.CHECKING),
    "waiting": ("Waiting for applicant", Case.Status.WAITING),
    "snoozed": ("Snoozed", ""),
    "decided": ("Decided", Case.Status.DECIDED),
    "all": ("All", ""),
}
# What a view shows is what is to be done now: not what somebody has put aside.
AWAKE = {"review", "mine", "attention", "escalated", "second"}
NEWEST_FIRST = {"running", "decided", "all"}

SORTS = {
    "worst": ("Worst first", ("severity", "due_at", "pk")),
    "due": ("Due first", ("due_at", "pk")),
    "new": ("Newest first", ("-pk",)),
    "old": ("Oldest first", ("pk",)),
}
DUE = {"over": "Overdue", "2h": "Within 2 hours", "24h": "Within 24 hours"}
HOURS = {"over": 0, "2h": 2, "24h": 24}
RECOMMENDATIONS = ("approve", "review", "reject")
_WORDS = {"reject": ("reject", "deny", "rejected", "denied"), "approve": ("approve", "approved")}


class Who(NamedTuple):
    """What a filter asks of a person, by value."""

    pk: int
    username: str

    def get_username(self) -> str:
        return self.username


@dataclass(frozen=True)
class Filter:
    """What a queue page was asked for; anything that makes no sense means the default."""

    view: str = "review"
    q: str = ""
    kind: str = ""
    country: str = ""
    agent: str = ""
    recommendation: str = ""
    analyst: str = ""  # "me", "none" or a user name
    risk: str = ""  # at least
    check: str = ""  # by its label, together with `verdict`
    verdict: str = ""
    tag: str = ""
    due: str = ""
    outcome: str = ""
    decided: str = ""  # 2026-11-20, or 2026-11-01..2026-11-20
    by: str = ""  # who decided
    took: str = ""  # minutes from submission to decision: 30-60, or 480- for longer
    stands: str = ""  # "returned": sent back by the second person
    sort: str = ""
    after: str = ""  # the key of the last row of the page before

    @classmethod
    def of(cls, params: Any) -> Filter:
        given = {
            name: " ".join(params.get(name, "").replace("\0", "").split())[:150]
            for name in cls.__dataclass_fields__
        }
        one_of: Mapping[str, Iterable[str]] = {
            "view": VIEWS,
            "kind": Kind.values,
            "recommendation": RECOMMENDATIONS,
            "due": DUE,
            "sort": SORTS,
            "outcome": ("approve", "reject"),
            "verdict": ("pass", "review", "fail"),
            "stands": ("returned",),
        }
        for name, allowed in one_of.items():
            if given[name] not in allowed:
                given[name] = "review" if name == "view" else ""
        for name in ("agent", "risk"):
            given[name] = given[name] if re.fullmatch(r"[0-9]{1,9}", given[name], re.ASCII) else ""
        if not re.fullmatch(r"-?[0-9]{1,18}(~[0-9]{1,18}){0,2}", given["after"], re.ASCII):
            given["after"] = ""
        if not re.fullmatch(r"[0-9]{1,6}-[0-9]{0,6}", given["took"], re.ASCII):
            given["took"] = ""
        given["country"] = given["country"][:2].upper()
        given["decided"] = given["decided"] if _days(given["decided"]) else ""
        given["q"] = given["q"][:100]
        return cls(**given)

    @property
    def order(self) -> str:
        return self.sort or ("new" if self.view in NEWEST_FIRST else "worst")

    def address(self, **changes: str) -> str:
        """The query string; a change other than of `after` starts at the first page."""
        values = {**vars(self), "after": "", **changes}
        return "?" + urlencode({name: value for name, value in values.items() if value})

    def apply(
        self, cases: QuerySet[Case], user: User | Who, moment: datetime | None = None
    ) -> QuerySet[Case]:
        """Those of `cases` that are asked for at that moment (now), in no order."""
        moment = moment or now()
        if status := VIEWS[self.view][1]:
            cases = cases.filter(status=status)
        if self.view == "mine":
            cases = cases.filter(analyst=user.pk, status__in=OPEN)
        elif self.view == "snoozed":
            cases = cases.filter(snoozed_until__gt=moment, status__in=OPEN)
        if self.view in AWAKE:
            cases = cases.filter(awake(moment))
        if self.q:
            cases = cases.filter(pk__in=search.hits(self.q))
        return self._narrow(cases, user, moment)

    def _narrow(self, cases: QuerySet[Case], user: User | Who, moment: datetime) -> QuerySet[Case]:
        given: dict[str, Any] = {
            "kind": self.kind,
            "country": self.country,
            "agent": self.agent,
            "risk__gte": self.risk,
            "tags__name": self.tag,
            "due_at__lt": self.due and moment + timedelta(hours=HOURS[self.due]),
            "analyst__isnull": self.analyst == "none",
            "analyst__username": user.get_username() if self.analyst == "me" else self.analyst,
        }
        if self.analyst == "none":
            del given["analyst__username"]
        cases = cases.filter(**{name: value for name, value in given.items() if value})
        if self.recommendation:
            words = _WORDS.get(self.recommendation, (self.recommendation,))
            alike = [w for word in words for w in (word, word.capitalize(), word.upper())]
            cases = cases.filter(recommendation__in=alike)
        if self.check:
            said = [self.verdict] if self.verdict else ["review", "fail", "error", "inconclusive"]
            cases = cases.filter(_said(self.check, said))
        if self.outcome or self.decided or self.by or self.took or self.stands:
            cases = cases.filter(Exists(self._decisions()))
        return cases

    def _decisions(self) -> QuerySet[Decision]:
        found = Decision.objects.filter(
            case=OuterRef("pk"), status=self.stands or Decision.Status.STANDING,
            outcome__in=[self.outcome] if self.outcome else [Outcome.APPROVE, Outcome.REJECT],
        )  # fmt: skip
        if self.by:
            found = found.filter(made_by__username=self.by)
        if self.took:
            least, _, most = self.took.partition("-")
            since = OuterRef("created_at")
            found = found.filter(made_at__gte=since + timedelta(minutes=int(least)))
            if most:
                found = found.filter(made_at__lt=since + timedelta(minutes=int(most)))
        if days := _days(self.decided):
            found = found.filter(made_at__gte=days[0], made_at__lt=days[1])
        return found


def _days(text: str) -> tuple[datetime, datetime] | None:
    first, _, last = text.partition("..")
    try:
        since, until = date.fromisoformat(first), date.fromisoformat(last or first)
        start = datetime(since.year, since.month, since.day, tzinfo=UTC)
        return start, datetime(until.year, until.month, until.day, tzinfo=UTC) + timedelta(days=1)
    except (ValueError, OverflowError):
        return None


def _said(check: str, verdicts: Sequence[str]) -> Q:
    """A check of the case's summary ended in one of the verdicts."""
    if connection.vendor == "postgresql":
        held_by = Q()
        for verdict in verdicts:
            held_by |= Q(summary__contains={"checks": [[check, verdict]]})
        return held_by
    rows = ", ".join(["%s"] * len(verdicts))
    sql = (
        "EXISTS (SELECT 1 FROM json_each(reviews_case.summary, '$.checks') c"  # noqa: S608
        f" WHERE json_extract(c.value, '$[0]') = %s AND json_extract(c.value, '$[1]') IN ({rows}))"
    )
    held = RawSQL(  # noqa: S611
        sql, [check, *verdicts], output_field=models.BooleanField()
    )
    return Q(models.lookups.Exact(held, True))  # noqa: FBT003


def seen(among: Sequence[int] | None) -> QuerySet[Case]:
    """The cases of these connections; None means all."""
    cases = Case.objects.order_by()
    return cases if among is None else cases.filter(connection__in=among)


def counts(
    filters: Mapping[str, Filter], user: User, among: Sequence[int] | None = None
) -> dict[str, int]:
    """How many cases each filter holds, none counted beyond the cap, in one statement."""
    counters: list[str] = []
    params: list[Any] = []
    for wanted in filters.values():
        found = wanted.apply(seen(among), user).values("pk")[: COUNT_CAP + 1]
        try:
            sql, given = found.query.sql_with_params()
        except EmptyResultSet:
            sql, given = "SELECT 1 WHERE 1 = 0", ()
        counters.append(f"(SELECT COUNT(*) FROM ({sql}) c)")  # noqa: S608
        params += given
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(counters)}", params)
        return dict(zip(filters, cursor.fetchone() or (), strict=True))


def by_view(
    user: User,
    among: Sequence[int] | None = None,
    also: Mapping[str, Filter] | None = None,
    saved: Mapping[str, Filter] | None = None,
) -> dict[str, int]:
    """How many cases each view holds, and each filter of `also` and `saved`; one statement at most.

    What the views hold is remembered for KEPT seconds, "mine" and what is `saved` for this user, the
    others once for all who see the same connections: pages that are open ask again and again.
    """
    memory, of_all, of_user = caches["memory"], _key("views", among), _key("mine", (user.pk,))
    held: dict[str, int] = {**memory.get(of_all, {}), **memory.get(of_user, {})}
    saved = saved or {}
    missing = [name for name in (*VIEWS, *saved) if name not in held]
    wanted = {name: saved.get(name) or Filter(view=name) for name in missing} | dict(also or {})
    held |= counts(wanted, user, among) if wanted else {}
    if missing:
        memory.add(of_all, {view: held[view] for view in VIEWS if view != "mine"}, KEPT)
        memory.add(of_user, {name: held[name] for name in ("mine", *saved)}, KEPT)
    return held


def waiting(user: User, among: Sequence[int] | None = None) -> int:
    """How many cases wait for people; remembered as the views are."""
    memory, key = caches["memory"], _key("waiting", among)
    held: dict[str, int] | None = memory.get(_key("views", among)) or memory.get(key)
    if held is None:
        wanted = {view: Filter(view=view) for view in ("review", "attention")}
        held = counts(wanted, user, among)
        memory.set(key, held, KEPT)
    return held["review"] + held["attention"]


def _key(name: str, among: Sequence[int] | None) -> str:
    return _hashed(name, None if among is None else tuple(among))


@lru_cache(maxsize=1024)
def _hashed(name: str, among: tuple[int, ...] | None) -> str:
    return f"queue-{name}:{hashlib.sha256(repr(among).encode()).hexdigest()}"


def shown(count: int) -> str:
    return f"{COUNT_CAP:,}+" if count > COUNT_CAP else f"{count:,}"
