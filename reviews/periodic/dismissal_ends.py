"""Ends dismissals on their day: what they cleared is asked again, also of approved customers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.utils.timezone import now

from compliance.work.queues import each
from reviews.audit import trail
from reviews.findings import dismissals
from reviews.findings.review_state import ReviewState
from reviews.jobs import reopening
from reviews.models import Case, CaseEvent, Dismissal
from reviews.parties import visibility
from reviews.periodic import schedule
from reviews.risk.schedule import same_findings

MOST = 100  # cases of a run; the others follow a minute later
ENDED = "dismissal_ended"


def end_due(queue: str) -> int:
    """End the dismissals whose time is over. Returns for how many cases that failed.

    A line of the trail has the case rated again, and others with the same finding. Of each customer
    the newest approval is taken back, if nothing else clears the finding.
    """
    over = Dismissal.objects.filter(
        case=OuterRef("pk"), until__lte=now(), taken_back_at=None
    )
    cases = Case.objects.filter(Exists(over), erased_at=None).order_by("pk")
    return each(queue, cases, _end_of_case, most=MOST)


def _end_of_case(case: Case) -> None:
    case = Case.objects.select_for_update().get(pk=case.pk)
    rows = Dismissal.objects.select_for_update().filter(
        case=case, until__lte=now(), taken_back_at=None
    )
    # Several lists may have one hit, which was dismissed on all of them.
    by_title: dict[str, list[Dismissal]] = {}
    for row in rows:
        row.taken_back_at = row.until
        row.save(update_fields=["taken_back_at"])
        by_title.setdefault(row.title, []).append(row)
    for title, ended in by_title.items():
        data = {"finding": title}
        system = CaseEvent.Actor.SYSTEM
        trail.record(case, ENDED, data, actor=system, about=ended)
        keys = {row.key for row in ended}
        end = max(row.until for row in ended if row.until)
        for other in _newest_approved(case, keys, end):
            reopening.reopen(other, f"The dismissal of “{title}” has ended.")


def _newest_approved(
    case: Case, keys: Collection[str], end: datetime
) -> Iterator[Case]:
    """Of each customer the newest approved case in which one of these findings is open.

    Whoever approved it after the end has seen the finding: then nothing is taken back. So it is
    where dismissals have ended long before this version asks.
    """
    customers = set()
    others = Case.objects.filter(pk__in={case.pk, *same_findings(case)})
    for other in others.order_by("-pk"):
        approval = schedule.standing_approval(other)
        if approval is None or not _asks(other, keys):
            continue
        head = visibility.subject_of(other)
        customer = head.pk if head else 0
        if customer not in customers and (approval.second_at or approval.made_at) < end:
            yield other
        if customer:
            customers.add(customer)


def _asks(case: Case, keys: Collection[str]) -> bool:
    """Whether one of these findings is against the case, and nothing clears it."""
    state = ReviewState.of(case)
    for part in state.parts:
        for finding in part.findings:
            if not finding.is_against or finding in state.dismissed:
                continue
            own = {state.dismissed.key(each) for each in dismissals.members(finding)}
            if not own.isdisjoint(keys):
                return True
    return False
