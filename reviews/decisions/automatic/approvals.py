"""Automatic approval of clean cases of low risk, if the live policy and the switch allow it.

A worker looks at a case when its rating is up to date. It decides under two locks, on the
switch and on the case. So nothing is approved after a stop, and no case is approved twice.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.approvals import interception
from compliance.approvals.models import Proposal
from compliance.work import notify
from compliance.work.rows import LeaseLostError
from reviews.access import roles
from reviews.audit import trail
from reviews.decisions import clean_cases, decisions, same_customer
from reviews.decisions.decisions import DecisionRequest, RefusedError, StaleError
from reviews.decisions.policies import demands, versions
from reviews.findings.recommendation_sentence import passed_in_words
from reviews.findings.review_state import ReviewState
from reviews.models import (
    ApprovalSwitch,
    AutomaticReview,
    Case,
    CaseEvent,
    Decision,
    DecisionPolicy,
    LegalHold,
    Outcome,
    RatingState,
    ReasonCode,
    RiskBand,
    Severity,
    SuspicionReport,
)
from reviews.service import received_webhooks

# If a worker dies during its work, the row is due again after this time.
PAUSE = timedelta(minutes=2)
QUEUE = "reviews.tasks.approve_by_policy"
Status = ApprovalSwitch.Status
LIVE = DecisionPolicy.Status.LIVE
WITHDRAWN = "suspicion_withdrawn"
LIFTED = "hold_lifted"
# Events after which a case may have become clean without a new rating, and those after which others
# that name a party of it may have. A snooze is one: the look learns its new end.
EVENTS = frozenset(
    {
        LIFTED,
        WITHDRAWN,
        "fields_changed",
        "item_explained",
        "item_ticked",
        "put_back",
        "rating_override_taken_back",
        "snoozed",
        "unassigned",
        "woken",
    }
)
EVENTS_OF_OTHERS = frozenset(
    {
        LIFTED,
        "decided",
        "approved_second",
        "hit_confirmation_taken_back",
        WITHDRAWN,
    }
)


class NotYetError(RefusedError):
    """Something about the case is not applied yet. It is looked at again after a pause."""


def ensure(sender: object = None, **_given: object) -> None:
    """Create the switch, which is off at first. Connected to post_migrate."""
    if not ApprovalSwitch.objects.exists():
        ApprovalSwitch.objects.create(pk=1)


def switch() -> ApprovalSwitch:
    return ApprovalSwitch.objects.get()


def is_on() -> bool:
    return ApprovalSwitch.objects.filter(status=Status.ON).exists()


def switch_on(*, actor: User) -> Proposal | None:
    """Propose to switch automatic approvals on. A second person always has to agree first.

    Raises RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.SWITCH_APPROVALS)

    def act() -> None:
        live = versions.live()
        if not versions.content_of(live).allows_automatic_approval:
            raise RefusedError(
                _("No rule of the version in force allows automatic approval.")
            )
        if not switch().move(Status.ON):
            raise RefusedError(_("It is on already."))

    # `perform` rolls `act` back and stores its changes as a proposal.
    _result, proposal = interception.perform(actor, act)
    return proposal


@transaction.atomic
def stop(*, actor: User, reason: str) -> None:
    """Stop all automatic approvals at once, without a second person.

    Raises RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.STOP_APPROVALS)
    reason = reason.strip()
    if not reason:
        raise RefusedError(_("Say why."))
    row = ApprovalSwitch.objects.select_for_update().get()
    if not row.move(Status.OFF):
        raise RefusedError(_("It is off already."))
    data = {"which": str(row), "reason": reason[:1000]}
    trail.record(None, "automatic_approvals_stopped", data, user=actor, about=[row])


def after_switch(instance: ApprovalSwitch, *, created: bool, **_given: object) -> None:
    """Connected to post_save. When the switch turns on, all waiting cases are examined."""
    if instance.status == Status.ON and not created:
        _look_at_all()


def after_version(instance: DecisionPolicy, *, created: bool, **_given: object) -> None:
    """Connected to post_save. When a version becomes live, all waiting cases are examined."""
    if instance.status == DecisionPolicy.Status.LIVE and not created and is_on():
        _look_at_all()


def _look_at_all() -> None:
    """Make every case due that waits for a person and may be clean by its columns."""
    cases = Case.objects.filter(
        status=Case.Status.TO_REVIEW,
        risk_band=RiskBand.LOW,
        severity=Severity.NONE,
        analyst=None,
    )
    rows = []
    for pk in cases.values_list("pk", flat=True):
        rows.append(AutomaticReview(case_id=pk))
    # Cases that have a row already keep it; the update below makes all of them due.
    AutomaticReview.objects.bulk_create(rows, ignore_conflicts=True)
    reviews = AutomaticReview.objects.filter(case__in=cases)
    reviews.update(due_at=now(), updated_at=now())
    notify.after_commit(QUEUE)


def after_rating(states: Collection[RatingState], **_given: object) -> None:
    """Connected to the signal that ratings are up to date."""
    low = [state.case_id for state in states if state.band == RiskBand.LOW.word]
    if low and is_on():
        for case in low:
            look_at(case)


def after_event(instance: CaseEvent, *, created: bool, **_given: object) -> None:
    """Connected to post_save of `CaseEvent`."""
    if not created or instance.what not in EVENTS | EVENTS_OF_OTHERS or not is_on():
        return
    for case in _cases_of(instance):
        if instance.what in EVENTS:
            look_at(case.pk)
        if instance.what in EVENTS_OF_OTHERS:
            for other in same_customer.waiting(case):
                look_at(other)


def _cases_of(line: CaseEvent) -> list[Case]:
    """The cases that a line of the trail is about. Some lines name only the row of another table."""
    if line.what == WITHDRAWN:
        report = SuspicionReport.objects.filter(pk=line.data.get("report")).first()
        return [report.case] if report else []
    if line.case is not None:
        return [line.case]
    if line.what != LIFTED:
        return []
    # A hold of a reference is of all cases with it.
    holds = LegalHold.objects.filter(pk=line.data.get("hold")).exclude(reference="")
    return list(Case.objects.filter(reference__in=holds.values("reference")))


@transaction.atomic
def look_at(case_id: int) -> None:
    """Make the case due for a look. Several calls before the look result in one look."""
    rows = AutomaticReview.objects.filter(case=case_id)
    if not rows.update(due_at=now(), updated_at=now()):
        row = AutomaticReview(case_id=case_id)
        AutomaticReview.objects.bulk_create([row], ignore_conflicts=True)
    notify.after_commit(QUEUE)


def advance(review: AutomaticReview) -> None:
    """The work of the task: approve the case, or leave it to people.

    Raises LeaseLostError if another worker has taken over the row.
    """
    # An event during the work sets another due time. The due time is cleared below only if it
    # still is `mark`, so such an event leads to another look.
    mark = now() + PAUSE
    if not review.write({"due_at": mark}):
        raise LeaseLostError
    again = None
    try:
        approve(review.case)
    except NotYetError:
        again = mark
    except (RefusedError, StaleError):
        # It is left to people, unless something ends by itself that stood in the way.
        again = _next_end(review.case_id)
    rows = AutomaticReview.objects.filter(
        pk=review.pk,
        claim_count=review.claim_count,
    )
    rows.filter(due_at=mark).update(due_at=again)
    rows.update(leased_until=None, failures=0)


def _next_end(case_id: int) -> datetime | None:
    """When the first obstacle ends that ends by its date: a snooze or a hold. None: there is none."""
    case = Case.objects.get(pk=case_id)
    if case.status != Case.Status.TO_REVIEW:
        return None
    ends = [case.snoozed_until]
    ends += same_customer.holds(case).values_list("until", flat=True)
    later = [end for end in ends if end is not None and end > now()]
    return min(later, default=None)


@transaction.atomic
def approve(case: Case) -> Decision:
    """Approve the case by the live policy. Raises RefusedError and StaleError."""
    # `stop` waits for this lock: this decision may still finish, and no other one starts.
    if not ApprovalSwitch.objects.select_for_update().filter(status=Status.ON).exists():
        raise RefusedError(_("Automatic approvals are switched off."))
    # With this lock no other version becomes live before the decision is stored.
    DecisionPolicy.objects.select_for_update().filter(status=LIVE).first()
    case = Case.objects.select_for_update().get(pk=case.pk)
    # It may bring another result. What comes after this moment is a late result of a decided case.
    if received_webhooks.has_unread(case):
        raise NotYetError(str(clean_cases.UNREAD))
    faults = obstacles(case)
    if faults:
        raise RefusedError(*faults)
    state = ReviewState.of(case)
    request = DecisionRequest(
        outcome=Outcome.APPROVE,
        reasons=_reasons(),
        rationale=_rationale(state),
    )
    return decisions.approve_automatically(
        case, request=request, revision=case.revision
    )


def obstacles(case: Case) -> list[str]:
    """Why the case is not approved automatically, as sentences; an empty list: it is approved."""
    needs = demands.on(case)
    if not needs.is_automatic:
        return [_("The policy approves no such case automatically.")]
    faults = []
    if demands.is_for_seniors(Outcome.APPROVE, needs):
        faults.append(_("Only a senior approves such a case."))
    if LegalHold.standing_of(case).exists():
        faults.append(_("The case is held."))
    # Not everybody may know of a suspicion report, so the sentence does not name it.
    if case.open_items or same_customer.is_watched(case):
        faults.append(_("A person has to look at it first."))
    return faults + clean_cases.objections(case, None)


def _reasons() -> list[str]:
    """The code of the reason "all checks passed" of this installation, in a list of at most
    one.
    """
    codes = ReasonCode.objects.filter(
        outcome=Outcome.APPROVE, is_active=True, claim=ReasonCode.Claim.ALL_PASSED
    )
    return list(codes.values_list("code", flat=True)[:1])


def _rationale(state: ReviewState) -> str:
    """The rationale that is stored with the decision, in English."""
    passed = passed_in_words(state)
    return (
        f"{versions.live()} approved the case automatically: no person has looked at it. {passed}, no"
        " finding speaks against the case, its risk is low, the agent recommends Approve without"
        " reasons, and no rule asks for a second person."
    )
