"""What people decide: marking checks, deciding, agreeing as the second person, reopening.

Each verb asks whether the actor may (PermissionDenied), whether the case still is as the actor
saw it (StaleError), and whether the rules allow it (RefusedError).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from reviews import results
from reviews.access import roles
from reviews.audit import trail
from reviews.decisions import policy
from reviews.findings.review_state import ReviewState
from reviews.intake import information_requests
from reviews.models import (
    DOCUMENT_KINDS,
    ENDING,
    Case,
    CheckReview,
    Decision,
    Job,
    Outcome,
    ReasonCode,
)
from reviews.results.kinds import STATE_WORDS, Verdict
from reviews.subscriptions import announcements

OPEN = (Case.Status.TO_REVIEW, Case.Status.ATTENTION, Case.Status.ESCALATED)
LONGEST = 10_000
# A decision settles what was raised before it.
SETTLED: dict[str, Any] = {"alarm": "", "alarm_at": None}


class RefusedError(Exception):
    """The rules do not allow it. `faults` say why, for the person who asked."""

    def __init__(self, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


class StaleError(Exception):
    """The case has changed since the actor saw it. The text says what happened, and when."""


@dataclass(frozen=True)
class Wish:
    """What somebody wants to decide, as it comes from a form or over REST."""

    outcome: str
    reasons: Sequence[str] = ()
    rationale: str = ""
    # For the applicant, where the outcome is to request information.
    message: str = ""
    kinds: Sequence[str] = field(default=())
    days: int = information_requests.DAYS


def is_escalated(case: Case) -> bool:
    """Whether the case was handed up, so that only a senior may decide."""
    newest = case.decisions.first()
    return newest is not None and newest.outcome == Outcome.ESCALATE


def obstacles(case: Case, situation: ReviewState, outcome: str) -> list[str]:
    """Why this outcome is not to be had now, in words."""
    if case.status not in OPEN:
        return [f"The case is not open to a decision: {case.status_word.lower()}."]
    found = lost_files(situation) if outcome in ENDING else []
    if outcome != Outcome.APPROVE:
        return found
    if situation.is_running:
        found.append("A check still runs.")
    if situation.waiting:
        found.append(f"The service has not confirmed yet: {', '.join(situation.waiting)}.")
    if situation.effective.is_cut:
        found.append(
            f"More than {results.MAX_RESULTS} results ask for a person: run the checks again."
        )
    if names := [check.label for check in situation.open]:
        found.append(f"Neither reviewed nor overridden: {', '.join(names)}.")
    return found


def lost_files(situation: ReviewState) -> list[str]:
    """The documents that are no evidence any more. The same file handed in again takes the place."""
    held = {row.sha256 for row in situation.documents if not row.fault}
    lost = [row for row in situation.documents if row.fault and row.sha256 not in held]
    return [f"“{row.file_name}”: {row.fault}" for row in lost]


def decide(case: Case, *, actor: User, wish: Wish, revision: str) -> Decision:
    """Decide, or propose where a second person must agree."""
    roles.require(actor, roles.DECIDE, case)
    try:
        with transaction.atomic():
            case = _current(case, revision)
            return _decide(case, actor, wish)
    except IntegrityError as exc:
        raise StaleError("Another decision was made at the same time.") from exc


def _decide(case: Case, actor: User, wish: Wish) -> Decision:
    situation = ReviewState.of(case)
    chosen = _reasons(wish)
    reasons = [[reason.code, reason.label] for reason in chosen]
    faults = [
        *_faults(wish, reasons, case.kind),
        *_contradictions(situation, chosen),
        *obstacles(case, situation, wish.outcome),
    ]
    if faults:
        raise RefusedError(*faults)
    if is_escalated(case):
        roles.require(actor, roles.APPROVE)
    why = policy.why_two(case, situation, wish.outcome) if wish.outcome in ENDING else []
    decision = Decision.objects.create(
        case=case,
        outcome=wish.outcome,
        status=Decision.Status.PROPOSED if why else Decision.Status.STANDING,
        reasons=reasons,
        rationale=wish.rationale.strip(),
        recommendation=case.recommendation,
        needs_second=bool(why),
        why_second=why,
        made_by=actor,
    )
    data = {
        "outcome": wish.outcome,
        "reasons": [code for code, _ in reasons],
        "rationale": decision.rationale,
        **({"alarm": case.alarm} if case.alarm else {}),
    }
    trail.record(
        case, "proposed" if why else "decided", data | ({"second": why} if why else {}), user=actor
    )
    _carry_out(decision, wish)
    return decision


def _faults(wish: Wish, reasons: list[list[str]], kind: str) -> list[str]:
    found = []
    if wish.outcome not in Outcome.values:
        found.append("Choose what you decide.")
    elif not reasons:
        found.append("Choose at least one reason of this outcome.")
    if not wish.rationale.strip():
        found.append("Write the rationale: it is what is read years later.")
    if len(wish.rationale) > LONGEST or len(wish.message) > LONGEST:
        found.append(f"At most {LONGEST:,} characters.")
    return [*found, *_faults_of_request(wish, kind)] if wish.outcome == Outcome.REQUEST else found


def _contradictions(situation: ReviewState, reasons: Sequence[ReasonCode]) -> list[str]:
    """Reasons that say what the case does not."""
    found = ((reason, policy.contradiction(reason, situation)) for reason in reasons)
    return [f"The reason {reason} does not fit: {words}." for reason, words in found if words]


def _faults_of_request(wish: Wish, kind: str) -> list[str]:
    found = []
    if not wish.message.strip():
        found.append("Write what the applicant is to read.")
    if not 1 <= wish.days <= 90:
        found.append("The link works for 1 to 90 days.")
    if not set(wish.kinds) <= set(DOCUMENT_KINDS[kind]):
        found.append("A case of this kind has no such kind of document.")
    return found


def _reasons(wish: Wish) -> list[ReasonCode]:
    codes = list(wish.reasons)
    return list(ReasonCode.objects.filter(code__in=codes, outcome=wish.outcome, is_active=True))


def _carry_out(decision: Decision, wish: Wish) -> None:
    case = decision.case
    if decision.status == Decision.Status.PROPOSED:
        moved = case.move(Case.Status.SECOND)
    elif decision.outcome in ENDING:
        moved = case.move(Case.Status.DECIDED, **SETTLED)
    elif decision.outcome == Outcome.REQUEST:
        moved = case.move(Case.Status.WAITING)
    else:
        # What is escalated already may be escalated again, with more to say.
        moved = case.status == Case.Status.ESCALATED or case.move(Case.Status.ESCALATED)
    if not moved:
        raise StaleError("The case has moved on.")
    if decision.outcome == Outcome.REQUEST:
        information_requests.make(
            case,
            actor=decision.made_by,
            message=wish.message.strip(),
            kinds=wish.kinds,
            days=wish.days,
        )
    elif decision.outcome in ENDING:
        information_requests.end(case, actor=decision.made_by)
    if decision.outcome in ENDING and decision.status == Decision.Status.STANDING:
        announcements.queue(decision, "decided")


def second(decision: Decision, *, actor: User, agrees: bool, note: str, revision: str) -> None:
    """The second person agrees, or sends the case back with a note."""
    roles.require(actor, roles.APPROVE, decision.case)
    if decision.made_by_id == actor.pk:
        raise RefusedError("You made this decision: somebody else must look at it.")
    if not agrees and not note.strip():
        raise RefusedError("Say what is to be done before it is decided again.")
    with transaction.atomic():
        case = _current(decision.case, revision)
        if agrees and (lost := lost_files(ReviewState.of(case))):
            raise RefusedError(*lost)
        if agrees and case.alarm_at and case.alarm_at > decision.made_at:
            raise RefusedError(f"This came after the proposal: {case.alarm} Send it back.")
        status = Decision.Status.STANDING if agrees else Decision.Status.RETURNED
        given = {"second_by": actor, "second_at": now(), "second_note": note.strip()[:LONGEST]}
        if not decision.move(status, **given):
            raise StaleError(_latest(case))
        if agrees:
            case.move(Case.Status.DECIDED, **SETTLED)
        else:
            case.move(Case.Status.TO_REVIEW)
        data = {
            "outcome": decision.outcome,
            "note": note.strip(),
            "made_by": decision.made_by.get_username(),
        }
        trail.record(case, "approved_second" if agrees else "sent_back", data, user=actor)
        if agrees:
            announcements.queue(decision, "decided")


def reopen(case: Case, *, actor: User, reason: str, revision: str) -> None:
    """Take a decision back. It stays on record, with why it was."""
    roles.require(actor, roles.REOPEN, case)
    if not reason.strip():
        raise RefusedError("Say why the case is reopened.")
    with transaction.atomic():
        case = _current(case, revision)
        standing = case.decisions.filter(
            status=Decision.Status.STANDING, outcome__in=ENDING
        ).first()
        if standing is None or not case.move(Case.Status.TO_REVIEW):
            raise StaleError(_latest(case))
        standing.move(Decision.Status.REOPENED, reopened_for=reason.strip()[:LONGEST])
        trail.record(
            case, "reopened", {"reason": reason.strip(), "was": standing.outcome}, user=actor
        )
        announcements.queue(standing, "reopened")


@transaction.atomic
def mark(
    case: Case, check_id: str, *, actor: User, kind: str, reason: str = "", seen: str = ""
) -> None:
    """Say of a check of the newest job that it was reviewed, or override it with a reason.

    "" as the kind takes back what was said. `seen`: the verdict that the actor looked at, where it
    is known: of another one nothing was said.
    """
    roles.require(actor, roles.REVIEW, case)
    job, check = _check(case, check_id)
    if kind == CheckReview.Kind.OVERRIDDEN and not reason.strip():
        raise RefusedError("Say why the check is overridden.")
    if kind and seen and seen != check:
        raise StaleError(f"The check has another result now: {STATE_WORDS[check]}.")
    before = CheckReview.objects.filter(job=job, check_id=check_id).first()
    data = {"check": check_id, "verdict": check}
    if not kind:
        if before:
            before.delete()
            trail.record(case, "mark_taken_back", data | {"was": before.kind}, user=actor)
        return
    if before and (before.kind, before.reason, before.by_id) == (kind, reason.strip(), actor.pk):
        return
    given = {"kind": CheckReview.Kind(kind), "reason": reason.strip()[:LONGEST], "by": actor}
    CheckReview.objects.update_or_create(
        job=job, check_id=check_id, defaults={**given, "at": now()}
    )
    data |= {"reason": reason.strip()} if reason.strip() else {}
    trail.record(case, f"check_{kind}", data, user=actor)


def _check(case: Case, check_id: str) -> tuple[Job, Verdict]:
    """The job that said what stands of the check, and the verdict."""
    case = Case.objects.select_for_update().get(pk=case.pk)
    if case.status not in (*OPEN, Case.Status.CHECKING):
        raise RefusedError("The case is not open.")
    situation = ReviewState.of(case)
    for check in situation.checks:
        job = situation.effective.job_of(check_id)
        if check.id == check_id and job is not None:
            return job, check.verdict
    raise RefusedError("The newest job has no such check.")


def _current(case: Case, revision: str) -> Case:
    """The case for this transaction alone, if it still is as the actor saw it."""
    found = Case.objects.select_for_update().get(pk=case.pk)
    if found.revision != revision:
        raise StaleError(_latest(found))
    return found


def _latest(case: Case) -> str:
    """What happened last, in words: "Sven Berg decided this at 09:41"."""
    event = case.events.select_related("user").order_by("-id").first()
    if event is None:
        return "The case has changed."
    who = event.user.get_full_name() or event.by if event.user else "The service"
    done = {
        "decided": "decided this",
        "proposed": "proposed a decision",
        "approved_second": "approved the decision",
        "sent_back": "sent this back",
        "reopened": "reopened this",
    }.get(event.what, "changed this")
    return f"{who} {done} at {event.at:%H:%M} UTC."
