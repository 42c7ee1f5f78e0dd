"""The decisions that people make: decide, agree or refuse as second person, reopen.

Each function checks three things: the actor has the permission (else
PermissionDenied), the case is as the actor saw it (else StaleError), and the rules allow the
decision (else RefusedError).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.languages import ENGLISH, english, number
from reviews.access import roles
from reviews.audit import trail
from reviews.decisions import obstacles, policy
from reviews.decisions.policies import looks
from reviews.decisions.policies import versions as policy_versions
from reviews.documents import scans
from reviews.findings.review_state import ReviewState
from reviews.inbox import notifications
from reviews.intake import information_requests, request_mails
from reviews.models import (
    DOCUMENT_KINDS,
    ENDING,
    BulkApproval,
    Case,
    ChecklistMark,
    Decision,
    Document,
    Notification,
    Outcome,
    ReasonCode,
    SubscriptionEvent,
)
from reviews.people import sla
from reviews.procedures import checklists
from reviews.subscriptions import announcements
from reviews.versions import errors

NO_LANGUAGE = gettext_lazy("The desk does not have this language.")
# Characters of a rationale or of a message to the applicant.
LONGEST = 10_000
LONGEST_REFUSAL = 500  # characters of the reason why a document is not accepted
LONGEST_REQUEST = 90  # days for which the link of the applicant may work


class NoAlarm(TypedDict):
    alarm: str
    alarm_at: None


# A decision closes the alarm that was raised before it.
NO_ALARM: NoAlarm = {"alarm": "", "alarm_at": None}

# A decision answers these messages, whoever makes it. They would stay unread for the others.
ANSWERED_BY_DECISION = (
    Notification.Kind.ASSIGNED,
    Notification.Kind.ESCALATED,
    Notification.Kind.SENT_BACK,
    Notification.Kind.ANSWER,
    Notification.Kind.NO_ANSWER,
    Notification.Kind.ALARM,
    Notification.Kind.DUE_SOON,
    Notification.Kind.OVERDUE,
)

# The sentence for the newest event of a case, by the kind of the event (`CaseEvent.what`).
_ANY_CHANGE = gettext_lazy("%(person)s changed this at %(time)s UTC.")
_SENTENCES = {
    "decided": gettext_lazy("%(person)s decided this at %(time)s UTC."),
    "proposed": gettext_lazy("%(person)s proposed a decision at %(time)s UTC."),
    "approved_second": gettext_lazy(
        "%(person)s approved the decision at %(time)s UTC."
    ),
    "sent_back": gettext_lazy("%(person)s sent this back at %(time)s UTC."),
    "reopened": gettext_lazy("%(person)s reopened this at %(time)s UTC."),
}


class RefusedError(errors.RefusedError):
    """The rules do not allow this decision."""


class StaleError(Exception):
    """The case has changed since the actor saw it. The text names the event and its time."""


@dataclass(frozen=True)
class DecisionRequest:
    """A decision as a form or a REST request asks for it, before any check."""

    outcome: str
    # Codes of `ReasonCode` rows of this outcome.
    reasons: Sequence[str] = ()
    rationale: str = ""
    # The next fields are for the applicant. They count only if the outcome is Outcome.REQUEST.
    # `kinds` are the kinds of documents to hand in; the link works for `days` days.
    message: str = ""
    kinds: Sequence[str] = ()
    days: int = information_requests.DAYS
    # The address that receives the link, and how many days before the end a reminder follows
    # (0: no reminder).
    email: str = ""
    remind_days: int = 0
    # The language of the mails to the applicant: a code of settings.LANGUAGES.
    language: str = ENGLISH
    # Why documents of earlier answers are not accepted: a reason by the id of the document.
    refused: Mapping[str, str] = field(default_factory=dict)
    # The user name of the second person who is asked. Empty: everybody who may agree is asked.
    second: str = ""
    # Keys of items of the checklist that are ticked with the decision.
    ticked: Sequence[str] = ()
    # The bulk approval that this decision belongs to. None: a decision on its own.
    bulk: BulkApproval | None = None


def is_escalated(case: Case) -> bool:
    """Whether the newest decision is an escalation. Then only a senior may decide."""
    newest = case.decisions.first()
    return newest is not None and newest.outcome == Outcome.ESCALATE


def decide(
    case: Case, *, actor: User, request: DecisionRequest, revision: str
) -> Decision:
    """Make a decision, or only propose it if a second person must agree.

    `revision` is the revision of the case that the actor saw.

    Raises PermissionDenied, StaleError and RefusedError.
    """
    roles.require(actor, roles.DECIDE, case)
    try:
        with transaction.atomic():
            case = _lock(case, revision)
            _tick(case, actor, request.ticked)
            return _decide(case, actor, request)
    except IntegrityError as exc:
        raise StaleError(_("Another decision was made at the same time.")) from exc


def _tick(case: Case, actor: User, keys: Sequence[str]) -> None:
    """Tick items of the checklist. If the decision is then refused, they are open again."""
    for key in keys:
        checklists.mark(case, key, actor=actor, kind=ChecklistMark.Kind.TICKED)


def approve_automatically(
    case: Case, *, request: DecisionRequest, revision: str
) -> Decision:
    """Approve a case by the decision policy, without a person.

    The caller has checked already that the policy allows it.

    Raises StaleError and RefusedError.
    """
    try:
        with transaction.atomic():
            case = _lock(case, revision)
            decision = _decide(case, None, request)
            if decision.needs_second:
                # A rule was added at this moment. The error rolls the decision back.
                raise RefusedError(_("A second person must agree."))
            return decision
    except IntegrityError as exc:
        raise StaleError(_("Another decision was made at the same time.")) from exc


def _decide(case: Case, actor: User | None, request: DecisionRequest) -> Decision:
    """Check the request, store the decision, move the case and notify. Without `actor`:
    automatic.

    The caller holds the lock of the case and an open transaction.
    """
    checklists.count_again(case)
    state = ReviewState.of(case)
    # Codes that are unknown, inactive or of another outcome are dropped here. `_faults` then
    # refuses a request that has no reason left.
    codes = ReasonCode.objects.filter(
        code__in=list(request.reasons), outcome=request.outcome, is_active=True
    )
    reasons = list(codes)
    faults = _faults(request, reasons, case.kind)
    faults += _contradictions(state, reasons)
    faults += obstacles.of(case, state, request.outcome, actor=actor)
    if faults:
        raise RefusedError(*faults)
    if actor is not None and is_escalated(case):
        roles.require(actor, roles.APPROVE)
    needs_second = []
    if request.outcome in ENDING:
        # These sentences are stored with the decision and in the trail, so they are in English.
        with english():
            needs_second = policy.reasons_for_second_person(
                case, state, request.outcome
            )
    # A named second person matters only if a second person must agree.
    seniors = _asked(case, actor, request.second if needs_second else "")
    live = policy_versions.live()
    if needs_second:
        status = Decision.Status.PROPOSED
    else:
        status = Decision.Status.STANDING
    decision = Decision.objects.create(
        case=case,
        outcome=request.outcome,
        status=status,
        reasons=[[reason.code, reason.label] for reason in reasons],
        rationale=request.rationale.strip(),
        recommendation=case.recommendation,
        needs_second=bool(needs_second),
        why_second=needs_second,
        made_by=actor,
        due_at=case.due_at,
        bulk=request.bulk,
        policy=live,
    )
    # The decision exists now. The second look is drawn after it is in the trail, and the case
    # moves after that: an announcement then shows the final state.
    share = policy_versions.demands_on(case, live).sample
    if request.second:
        asked = [person.get_username() for person in seniors]
    else:
        asked = []
    _record_decision(decision, actor, asked if needs_second else [])
    looks.draw(decision, share=share)
    _apply(decision, request)
    notifications.mark_done(case, *ANSWERED_BY_DECISION)
    _tell_seniors(decision, seniors)
    return decision


def _asked(case: Case, actor: User | None, username: str) -> Sequence[User]:
    """The seniors who are asked to act after this decision: all of them, or the named one.

    The actor never is one of them. Raises RefusedError if the named person may not agree.
    """
    seniors = roles.colleagues(case, roles.APPROVE)
    if actor is not None:
        seniors = seniors.exclude(pk=actor.pk)
    if not username:
        return list(seniors)
    chosen = list(seniors.filter(username=username.replace("\0", "")))
    if not chosen:
        raise RefusedError(
            _("%(username)s cannot be the second person.")
            % {"username": username[:150]}
        )
    return chosen


def _tell_seniors(decision: Decision, seniors: Sequence[User]) -> None:
    """Notify those who must act now: on an escalated case, or on a proposed decision."""
    if decision.status == Decision.Status.PROPOSED:
        kind = Notification.Kind.SECOND
    elif decision.outcome == Outcome.ESCALATE:
        kind = Notification.Kind.ESCALATED
    else:
        return
    notifications.notify(decision.case, seniors, kind, by=decision.made_by)


def _record_decision(
    decision: Decision, actor: User | None, asked: Sequence[str] = ()
) -> None:
    # Add the decision to the trail: as proposed, or as decided. `asked`: user names.
    case = decision.case
    data: dict[str, object] = {
        "outcome": decision.outcome,
        "reasons": [code for code, _ in decision.reasons],
        "rationale": decision.rationale,
    }
    if decision.bulk_id:
        data["bulk"] = decision.bulk_id
    if decision.policy:
        data["policy"] = decision.policy.number
    if case.alarm:
        data["alarm"] = case.alarm
    if decision.needs_second:
        data["second"] = decision.why_second
        if asked:
            data["asked"] = list(asked)
        trail.record(case, "proposed", data, user=actor, about=[decision])
    else:
        trail.record(case, "decided", data, user=actor, about=[decision])


def _faults(
    request: DecisionRequest, reasons: Sequence[ReasonCode], kind: str
) -> list[str]:
    """What is wrong with the request itself, in words. `kind` is the kind of the case."""
    faults = []
    if request.outcome not in Outcome.values:
        faults.append(_("Choose what you decide."))
    elif not reasons:
        faults.append(_("Choose at least one reason of this outcome."))
    if not request.rationale.strip():
        faults.append(_("Write the rationale: it is what is read years later."))
    if len(request.rationale) > LONGEST or len(request.message) > LONGEST:
        faults.append(_("At most %(most)s characters.") % {"most": number(LONGEST)})
    if request.outcome == Outcome.REQUEST:
        faults += _faults_of_information_request(request, kind)
    return faults


def _faults_of_information_request(request: DecisionRequest, kind: str) -> list[str]:
    faults = []
    if not request.message.strip():
        faults.append(_("Write what the applicant is to read."))
    if not 1 <= request.days <= LONGEST_REQUEST:
        faults.append(
            _("The link works for 1 to %(most)d days.") % {"most": LONGEST_REQUEST}
        )
    if not set(request.kinds) <= set(DOCUMENT_KINDS[kind]):
        faults.append(_("A case of this kind has no such kind of document."))
    if request.email and (fault := request_mails.fault_of(request.email)):
        faults.append(fault)
    if request.language not in dict(settings.LANGUAGES):
        faults.append(str(NO_LANGUAGE))
    if request.remind_days and not 0 < request.remind_days < request.days:
        faults.append(
            _("The reminder is sent before the link ends: choose fewer days.")
        )
    if any(len(reason) > LONGEST_REFUSAL for reason in request.refused.values()):
        faults.append(
            _("Why a document is not accepted: at most %(most)d characters.")
            % {"most": LONGEST_REFUSAL}
        )
    return faults


def _contradictions(state: ReviewState, reasons: Sequence[ReasonCode]) -> list[str]:
    """Sentences about the reasons that the results of the case contradict."""
    faults = []
    for reason in reasons:
        if words := policy.contradiction(reason, state):
            faults.append(
                _("The reason %(reason)s does not fit: %(words)s.")
                % {"reason": reason, "words": words}
            )
    return faults


def _apply(decision: Decision, request: DecisionRequest) -> None:
    """Move the case to its next status, and carry out what the outcome asks for."""
    case = decision.case
    if not _move_case(case, decision):
        raise StaleError(_("The case has moved on."))
    if decision.outcome == Outcome.REQUEST and decision.made_by:
        information_requests.create(
            case,
            actor=decision.made_by,
            message=request.message.strip(),
            kinds=request.kinds,
            days=request.days,
            email=request.email,
            remind_days=request.remind_days,
            language=request.language,
            refused=_refused_documents(case, request),
        )
    # The case is closed for the applicant, too: a link that is still open ends.
    if decision.outcome in ENDING:
        information_requests.end(case, actor=decision.made_by)
        if decision.status == Decision.Status.STANDING:
            announcements.announce_decision(decision, SubscriptionEvent.DECIDED)
    _announce_stop(decision)


def _announce_stop(decision: Decision) -> None:
    """Announce to subscribers that the case now waits: for a second person, a senior or the
    applicant.
    """
    case = decision.case
    if decision.status == Decision.Status.PROPOSED:
        announcements.announce(case, SubscriptionEvent.PROPOSED)
    elif decision.outcome == Outcome.REQUEST:
        announcements.announce(case, SubscriptionEvent.WAITING)
    elif decision.outcome == Outcome.ESCALATE:
        announcements.announce(case, SubscriptionEvent.ESCALATED)


def _refused_documents(case: Case, request: DecisionRequest) -> dict[Document, str]:
    """The documents of the applicant that are not accepted, with the reason.

    Ids of other documents are ignored.
    """
    refused = {}
    for document in information_requests.accepted_documents(case):
        reason = request.refused.get(str(document.pk), "").strip()
        if reason:
            refused[document] = reason
    return refused


def _move_case(case: Case, decision: Decision) -> bool:
    """Move the case by its new decision. Returns False if its status does not allow that.

    A snooze ends: it would hide the case from those who act next.
    """
    if decision.status == Decision.Status.PROPOSED:
        return case.move(Case.Status.SECOND, snoozed_until=None)
    if decision.outcome in ENDING:
        return case.move(Case.Status.DECIDED, snoozed_until=None, **NO_ALARM)
    if decision.outcome == Outcome.REQUEST:
        return case.move(Case.Status.WAITING, snoozed_until=None)
    # An escalated case may be escalated again, for example with another rationale.
    if case.status == Case.Status.ESCALATED:
        return True
    return case.move(Case.Status.ESCALATED, snoozed_until=None)


def second(
    decision: Decision, *, actor: User, agrees: bool, note: str, revision: str
) -> None:
    """Agree to a proposed decision as the second person, or send it back with a note.

    Raises PermissionDenied, StaleError and RefusedError.
    """
    roles.require(actor, roles.APPROVE, decision.case)
    if decision.made_by_id == actor.pk:
        raise RefusedError(_("You made this decision: somebody else must look at it."))
    note = note.strip()
    if not agrees and not note:
        raise RefusedError(_("Say what is to be done before it is decided again."))
    with transaction.atomic():
        case = _lock(decision.case, revision)
        if agrees:
            _require_unchanged(case, decision)
        if agrees:
            status = Decision.Status.STANDING
        else:
            status = Decision.Status.RETURNED
        # `move` succeeds once only: of two people who answer at the same time, one gets
        # StaleError.
        if not decision.move(
            status, second_by=actor, second_at=now(), second_note=note[:LONGEST]
        ):
            raise StaleError(_latest_event(case))
        notifications.mark_done(case, Notification.Kind.SECOND)
        data = {
            "outcome": decision.outcome,
            "note": note,
            "made_by": decision.made_by.get_username() if decision.made_by else "",
        }
        if agrees:
            case.move(Case.Status.DECIDED, snoozed_until=None, **NO_ALARM)
            trail.record(case, "approved_second", data, user=actor, about=[decision])
            announcements.announce_decision(decision, SubscriptionEvent.DECIDED)
        else:
            # A snooze of the second person would hide it from the first one.
            case.move(Case.Status.TO_REVIEW, snoozed_until=None)
            trail.record(case, "sent_back", data, user=actor, about=[decision])
            notifications.notify(
                case, [decision.made_by], Notification.Kind.SENT_BACK, by=actor
            )


def _require_unchanged(case: Case, decision: Decision) -> None:
    """Raise RefusedError if the evidence has changed since the first person decided."""
    state = ReviewState.of(case)
    faults = []
    # An alarm that is older than the proposal was visible to the first person.
    if case.alarm_at and case.alarm_at > decision.made_at:
        words = _("This came after the proposal: %(alarm)s Send it back.")
        faults.append(words % {"alarm": case.alarm})
    faults += obstacles.lost_files(state)
    deactivation = roles.deactivation_of(decision.made_by)
    if deactivation:
        faults.append(deactivation)
    if decision.outcome == Outcome.APPROVE:
        faults += scans.closed_documents(state.documents)
        # A dismissal may have ended, or have been taken back.
        faults += obstacles.open_checks(state)
    if faults:
        raise RefusedError(*faults)


def reopen(case: Case, *, actor: User, reason: str, revision: str) -> None:
    """Reopen a decided case. The old decision stays on record, with the reason for reopening.

    Raises PermissionDenied, StaleError and RefusedError.
    """
    roles.require(actor, roles.REOPEN, case)
    reason = reason.strip()
    if not reason:
        raise RefusedError(_("Say why the case is reopened."))
    with transaction.atomic():
        case = _lock(case, revision)
        final = case.decisions.filter(
            status=Decision.Status.STANDING, outcome__in=ENDING
        )
        decision = final.first()
        # The time until it is due begins anew. Cases that an earlier version decided may be
        # snoozed still.
        changes = {
            "due_at": sla.due(case, risk=case.risk, since=now()),
            "snoozed_until": None,
        }
        if decision is None or not case.move(Case.Status.TO_REVIEW, **changes):
            raise StaleError(_latest_event(case))
        decision.move(Decision.Status.REOPENED, reopened_for=reason[:LONGEST])
        data = {"reason": reason, "was": decision.outcome}
        trail.record(case, "reopened", data, user=actor, about=[decision])
        announcements.announce_decision(decision, SubscriptionEvent.REOPENED)


def _lock(case: Case, revision: str) -> Case:
    """Lock the row of the case until the transaction ends, and return it.

    Raises StaleError if its revision is not the one that the actor saw.
    """
    current = Case.objects.select_for_update().get(pk=case.pk)
    if current.revision != revision:
        raise StaleError(_latest_event(current))
    return current


def _latest_event(case: Case) -> str:
    """The newest event as a sentence, such as "Sven Berg decided this at 09:41 UTC."."""
    event = case.events.select_related("user").order_by("-id").first()
    if event is None:
        return _("The case has changed.")
    who = _("The service")
    if event.user:
        who = event.user.get_full_name() or event.by
    sentence = _SENTENCES.get(event.what, _ANY_CHANGE)
    return sentence % {"person": who, "time": f"{event.at:%H:%M}"}
