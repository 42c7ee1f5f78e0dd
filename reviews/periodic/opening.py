"""Computes the date of a periodic review, and opens its case when the date has come."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import cast

from django.core.files.base import ContentFile, File
from django.db import transaction
from django.utils.timezone import now

from compliance.languages import english
from compliance.storage import stored_files
from compliance.work.rows import LeaseLostError
from reviews.audit import trail
from reviews.documents import scans
from reviews.intake import cases
from reviews.jobs import reopening
from reviews.models import (
    Agent,
    Case,
    CaseEvent,
    Decision,
    Outcome,
    PeriodicReview,
    RatingState,
    SubscriptionEvent,
)
from reviews.periodic import changes, expiries, news, schedule
from reviews.periodic.dates import Facts, Reason, review_date
from reviews.procedures import checklists, versions
from reviews.risk import policies
from reviews.risk.engine.policy import Band, Policy
from reviews.risk.ownership import factor
from reviews.subscriptions import announcements

Status = PeriodicReview.Status
# If a worker dies during the work, the row is due again after this time.
PAUSE = timedelta(minutes=2)
# The id of a review case's job is derived from the review, so opening it twice makes one case.
_NAMESPACE = uuid.UUID("5e1f3f0c-6f0b-4c55-9d0e-0c8a8f6d2b11")
MOST_CASES = 1_000  # cases in one chain of reviews


@dataclass(frozen=True, slots=True)
class Due:
    """When a review is due, the reason, and the data that the date was computed from."""

    on: date
    reason: Reason
    facts: Facts
    news: news.News


def advance(review: PeriodicReview) -> None:
    """The task of one review: compute the date, and open the case if the date has come.

    An event during the work makes the row due again. To notice that, a provisional due time is
    written first; the final one replaces it only if it is still there.
    """
    mark = now() + PAUSE
    if not review.write({"due_at": mark}):
        raise LeaseLostError
    # Read again: the row may have changed since it was claimed.
    review = PeriodicReview.objects.select_related("case", "decision").get(pk=review.pk)
    if review.status == Status.WAITING:
        _advance(review, mark)
    rows = PeriodicReview.objects.filter(
        pk=review.pk,
        claim_count=review.claim_count,
    )
    rows.update(leased_until=None, failures=0)


def _advance(review: PeriodicReview, mark: datetime) -> None:
    due = date_of(review)
    with transaction.atomic():
        row = _locked(review)
        if row is None:
            return
        if not _is_needed(row):
            _end(row)
        elif due.on <= now().astimezone(UTC).date():
            _open(row, due)
        else:
            _write(row, due, mark)


def _locked(review: PeriodicReview) -> PeriodicReview | None:
    """The row, locked, if it still waits. Raises LeaseLostError if another worker has claimed
    it.
    """
    # The case first: a decision, which has its lock, makes its review due.
    Case.objects.select_for_update(no_key=True).filter(pk=review.case_id).first()
    rows = PeriodicReview.objects.select_for_update(of=("self",)).filter(
        pk=review.pk, status=Status.WAITING
    )
    row = rows.select_related("case", "decision").first()
    if row is not None and row.claim_count != review.claim_count:
        raise LeaseLostError
    return row


def date_of(review: PeriodicReview) -> Due:
    """When the review is due, as far as is known now."""
    case, moment = review.case, approved_at(review.decision)
    new = news.since(case, moment)
    facts = Facts(
        approved_on=moment.astimezone(UTC).date(),
        interval=interval_of(case),
        expiries=expiries.of(case),
        relations=[change.day for change in new.relations],
        alarms=[moment.astimezone(UTC).date() for moment in new.moments_of_alarms],
        blocked_on=_blocked_on(case, moment),
    )
    on, reason = review_date(facts)
    return Due(on, reason, facts, new)


def _blocked_on(case: Case, moment: datetime) -> date | None:
    """The day since which listed owners hold the customer, if that is later than the approval."""
    state = RatingState.objects.select_related("rating").filter(case=case).first()
    if state is None or state.rating is None or state.rating.at <= moment:
        return None
    if factor.label_of(state.rating) not in factor.BLOCKED:
        return None
    return state.rating.at.astimezone(UTC).date()


def approved_at(decision: Decision) -> datetime:
    return decision.second_at or decision.made_at


def interval_of(case: Case) -> int:
    """Days between two reviews, by the policy that the rating of the case follows.

    A case without a rating counts as high risk.
    """
    # It may follow an older policy than the live one, for a moment.
    state = RatingState.objects.select_related("policy").filter(case=case)
    row = state.exclude(rating=None).first()
    if row is None or row.policy is None:
        policy = policies.live()
        band = "high"
    else:
        policy = row.policy
        band = row.band
    days = Policy.from_json(policy.content).review_days
    return days[cast("Band", band)]


def _is_needed(review: PeriodicReview) -> bool:
    """Whether the approval still stands and no later review case of the same customer is open or
    approved.
    """
    approval = schedule.standing_approval(review.case)
    if approval is None or approval.pk != review.decision_id:
        return False
    # An open or approved review case continues the chain by itself.
    for case in cases_after(review.case):
        if _goes_on(case):
            return False
    return True


def cases_after(case: Case) -> list[Case]:
    """All cases that periodic reviews have opened after this case, directly or through later
    reviews.
    """
    case_by_pk: dict[int, Case] = {}
    newest = [case.pk]
    # Breadth first: reviews of this case, then reviews of the cases that those opened.
    while newest and len(case_by_pk) < MOST_CASES:
        reviews = PeriodicReview.objects.filter(
            case__in=newest,
            status=Status.OPENED,
        )
        newest = []
        for review in reviews.select_related("opened_case"):
            opened = review.opened_case
            # No new case, or the case itself again.
            if opened is None or opened.pk == case.pk:
                continue
            if opened.pk not in case_by_pk:
                case_by_pk[opened.pk] = opened
                newest.append(opened.pk)
    return list(case_by_pk.values())


def _goes_on(case: Case) -> bool:
    if case.erased_at is not None:
        return False
    if case.status != Case.Status.DECIDED:
        return True
    rejections = case.decisions.filter(
        status=Decision.Status.STANDING,
        outcome=Outcome.REJECT,
    )
    return not rejections.exists()


def _end(review: PeriodicReview) -> None:
    review.move(Status.ENDED, due_at=None)
    Case.objects.filter(pk=review.case_id).update(review_on=None)


def _write(review: PeriodicReview, due: Due, mark: datetime) -> None:
    rows = PeriodicReview.objects.filter(pk=review.pk)
    rows.update(
        on=due.on,
        reason=due.reason,
        updated_at=now(),
    )
    # Due at the start of the day (UTC), so that the case is there when people start work.
    begins_at = datetime.combine(due.on, time(), UTC)
    rows.filter(due_at=mark).update(due_at=begins_at)
    Case.objects.filter(pk=review.case_id).update(review_on=due.on)


def _open(review: PeriodicReview, due: Due) -> None:
    case = review.case
    agent = _agent_of(case)
    # Stored now, because what is new depends on the moment of the opening.
    values = changes.to_store(
        case,
        approved_at(review.decision),
        due.facts,
        due.news,
    )
    # Without an agent no new case can be examined: the case itself is reopened.
    new_case = _submit(review, agent) if agent else None
    moved = review.move(
        Status.OPENED,
        on=due.on,
        reason=due.reason,
        opened_case=new_case,
        opened_at=now(),
        changes=values,
        due_at=None,
    )
    if not moved:
        raise LeaseLostError
    Case.objects.filter(pk=case.pk).update(review_on=None)
    _record(review, new_case or case)
    if new_case is None:
        reopening.reopen(case, f"The periodic review was due on {due.on.isoformat()}.")


def _agent_of(case: Case) -> Agent | None:
    """The agent for the review case. None if the connection has no agent for this kind of case.

    An agent that was switched off is the last choice: nobody may submit a case to it.
    """
    if case.agent is not None and case.agent.is_active:
        return case.agent
    agents = Agent.objects.filter(
        connection=case.connection_id,
        kind=case.kind,
    )
    active = agents.filter(is_active=True).order_by("pk").first()
    return active or case.agent or agents.order_by("pk").first()


def _submit(review: PeriodicReview, agent: Agent) -> Case:
    case = review.case
    # A review follows the procedure that is live now, not that of the old case.
    procedure = versions.live(case.kind)
    return cases.submit(
        actor=None,
        agent=agent,
        subject=case.subject,
        data=case.self_attested_data,
        documents=_files(case),
        country=case.country,
        submission=uuid.uuid5(_NAMESPACE, str(review.pk)),
        extra=case.schema_extra,
        procedure=procedure,
        custom_fields=checklists.carried(
            case,
            versions.content_of(case.procedure),
            versions.content_of(procedure),
        ),
        extra_columns=checklists.extra_of(case),
        original=case,
    )


def _files(case: Case) -> Sequence[tuple[str, File[bytes]]]:
    """The files of the earlier case. The checks will reject those that have expired since.

    Pictures of an ID that were attested as URLs are not copied: they are fetched again.
    """
    files: list[tuple[str, File[bytes]]] = []
    for document in case.documents.select_related("scan"):
        is_attested = bool(document.source_url)
        if is_attested or not document.file or scans.is_closed(document):
            continue
        try:
            content = stored_files.content(document.file, document.sha256)
        except stored_files.StoredError as exc:
            if exc.is_temporary:
                raise
            # Lost or changed: the page of the earlier case reports it.
            continue
        files.append((document.kind, ContentFile(content, name=document.file_name)))
    return files


@english()
def _record(review: PeriodicReview, opened: Case) -> None:
    """Add a line to the audit trail of the earlier case, and one to that of the opened case."""
    row = PeriodicReview.objects.get(pk=review.pk)
    reason = row.get_reason_display()
    system = CaseEvent.Actor.SYSTEM
    data: dict[str, object] = {"reference": opened.reference, "reason": reason}
    trail.record(review.case, "review_opened", data, actor=system, about=[row])
    if opened.pk != review.case_id:
        data = {"reference": review.case.reference, "reason": reason}
        trail.record(opened, "opened_for_review", data, actor=system)
    announcements.announce(opened, SubscriptionEvent.REVIEW_OPENED)
