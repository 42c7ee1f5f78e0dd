"""Erasures: planned by people or rules, confirmed, carried out, and passed on to the service."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.db import clock
from compliance.languages import english
from compliance.work import notify
from compliance.work.queues import attempt
from compliance.work.rows import backoff
from reviews.access import roles
from reviews.audit import trail
from reviews.models import (
    Case,
    Connection,
    Erasure,
    Job,
    RetentionRule,
    SuspicionReport,
)
from reviews.privacy import erasing, holds, retention, traces
from reviews.service import pauses
from reviews.service.client import ServiceError

QUEUE = "reviews.tasks.erase_due"
# The longest pause in seconds between calls of a service that does not answer.
LONGEST_PAUSE = 3600.0
# What an erasure says that `manage.py erase_again` has done, in place of a rule.
AGAIN = "It was erased before a backup was restored."
# A rule plans once a day, and so many cases in one query.
DAY = timedelta(days=1)
# When cases that could not be planned are tried again.
HOUR = timedelta(hours=1)
CHUNK = 100
# Why an erasure waits, for people.
SWITCHED_OFF = "The service is not asked: the connection is switched off."
# The statuses of a service that does not have the endpoint.
NO_ENDPOINT = (404, 405, 501)


class RefusedError(ValueError):
    """The case cannot be erased now. The text says why."""


def refusal(case: Case, *, rule: RetentionRule | None = None) -> str:
    """Why a case cannot be erased now, as a sentence; "" if it can.

    With a `rule` for undecided cases, an open case may be erased, too. The rule must still let the
    case go: it may have been decided, or used, since the erasure was planned.
    """
    if case.erased_at is not None:
        return _("The case was erased before.")
    hold = holds.of_case(case).first()
    if hold is not None:
        return _("The case is on hold since %(day)s, by %(person)s.") % {
            "day": f"{hold.at:%Y-%m-%d}",
            "person": hold.by,
        }
    # The law asks for the report, and for what it rests on. Not everybody may know of it, so the
    # sentence does not name it.
    if case.suspicion_reports.filter(status__in=SuspicionReport.OPEN).exists():
        return _("A person has to look at it first.")
    under_way = [Job.Status.QUEUED, Job.Status.RUNNING]
    if case.jobs.filter(status__in=under_way).exists():
        return _("A job of the case is under way.")
    of_undecided = rule is not None and rule.outcome == RetentionRule.UNDECIDED
    if case.status != Case.Status.DECIDED and not of_undecided:
        return _("The case is open: it has no decision that stands.")
    if rule is not None and not retention.let_go(rule).filter(pk=case.pk).exists():
        return _("The rule no longer applies to the case.")
    return ""


@transaction.atomic
def plan(case: Case, *, actor: User, reason: str) -> Erasure:
    """Plan the erasure of a case at somebody's request.

    Raises RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.ERASE, case)
    if not reason.strip():
        raise RefusedError(_("Say why, such as the number of the request."))
    if words := refusal(case):
        raise RefusedError(words)
    needs_second = settings.ERASURE_SECOND_PERSON
    erasure = Erasure(
        case=case,
        by=actor,
        reason=reason.strip(),
        needs_second=needs_second,
        due_at=None if needs_second else now(),
    )
    _add(erasure)
    data = {"erasure": erasure.pk, "reason": erasure.reason}
    trail.record(case, "erasure_planned", data, user=actor, about=[erasure])
    notify.after_commit(QUEUE)
    return erasure


def plan_due(rule: RetentionRule) -> None:
    """The work of the task: plan the erasure of due cases. The rule is due again in a day.

    A case that cannot be planned stops no other one.
    """
    if not rule.is_active:
        rule.complete(due_at=None)
        return
    failed = 0
    for case in _due_cases(rule):
        what = f"the plan of case {case.pk}"
        if attempt(retention.QUEUE, what, partial(_is_planned, case, rule)) is None:
            failed += 1
    if failed:
        # It shows on the page of the queues as a row that is tried again.
        rule.complete(due_at=clock.now() + HOUR, failures=rule.failures + 1)
    else:
        rule.complete(due_at=clock.now() + DAY)


def _due_cases(rule: RetentionRule) -> Iterator[Case]:
    """The due cases, each once, also if it cannot be planned."""
    keys = list(retention.due(rule).values_list("pk", flat=True))
    for start in range(0, len(keys), CHUNK):
        rule.heartbeat(settings.LEASE)
        # Read again: a person may have put a case on hold meanwhile.
        yield from retention.due(rule).filter(pk__in=keys[start : start + CHUNK])


def _is_planned(case: Case, rule: RetentionRule) -> bool:
    return plan_by_rule(case, rule=rule) is not None


@transaction.atomic
@english()
def plan_by_rule(case: Case, *, rule: RetentionRule) -> Erasure | None:
    """Plan the erasure of a case whose time is over. None if it is planned already."""
    needs_second = settings.ERASURE_SECOND_PERSON
    due_at = clock.now() + timedelta(days=settings.ERASURE_NOTICE_DAYS)
    words = f"{rule.name}: {rule.months} months from {rule.get_clock_display().lower()}"
    erasure = Erasure(
        case=case,
        rule=rule,
        rule_name=words[:160],
        needs_second=needs_second,
        # Without a second person, the notice period runs first.
        due_at=None if needs_second else due_at,
    )
    try:
        _add(erasure)
    except RefusedError:
        return None
    data = {"erasure": erasure.pk, "rule": rule.pk, "which": words}
    trail.record(case, "erasure_planned", data, about=[erasure])
    return erasure


def _add(erasure: Erasure) -> None:
    try:
        with transaction.atomic():
            erasure.save(force_insert=True)
    except IntegrityError as exc:
        raise RefusedError(_("The erasure of this case is planned already.")) from exc


@transaction.atomic
def confirm(erasure: Erasure, *, actor: User) -> None:
    """Agree as the second person: the case becomes due for erasure.

    Raises RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.CONFIRM_ERASURE, erasure.case)
    if erasure.by_id == actor.pk:
        raise RefusedError(_("Somebody else than who planned it must agree."))
    # An erasure cannot be undone: somebody who was sent away must not be one approval from it.
    if roles.deactivation_of(erasure.by):
        words = _(
            "%(person)s planned it, and was deactivated. Withdraw it, and plan it again."
        )
        raise RefusedError(words % {"person": erasure.by})
    if words := refusal(erasure.case, rule=erasure.rule):
        raise RefusedError(words)
    waiting = Erasure.objects.filter(
        pk=erasure.pk,
        status=Erasure.Status.PLANNED,
        needs_second=True,
        second_by=None,
    )
    if not waiting.update(second_by=actor, second_at=now(), due_at=clock.now()):
        raise RefusedError(_("It does not wait for a second person any more."))
    erasure.refresh_from_db()
    data = {"erasure": erasure.pk}
    trail.record(erasure.case, "erasure_confirmed", data, user=actor, about=[erasure])
    notify.after_commit(QUEUE)


@transaction.atomic
def withdraw(erasure: Erasure, *, actor: User, reason: str) -> None:
    """Withdraw a planned erasure. A rule plans it again, unless the case is put on hold.

    Raises RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.ERASE, erasure.case)
    if not reason.strip():
        raise RefusedError(_("Say why it is withdrawn."))
    changes = {"refusal": reason.strip(), "due_at": None, "leased_until": None}
    if not erasure.move(Erasure.Status.WITHDRAWN, **changes):
        raise RefusedError(_("It is not planned any more."))
    data = {"erasure": erasure.pk, "reason": erasure.refusal}
    trail.record(erasure.case, "erasure_withdrawn", data, user=actor, about=[erasure])


def advance(erasure: Erasure) -> None:
    """The work of the task: erase the case here, then at its service."""
    if erasure.status == Erasure.Status.PLANNED:
        if erasure.waits_for_second:
            erasure.complete(due_at=None)
            return
        if not _erase_here(erasure):
            return
    _erase_at_service(erasure)
    # Last, because a service in the same database has erased its rows by now.
    traces.remove()


@transaction.atomic
def _erase_here(erasure: Erasure) -> bool:
    """Erase the case at the desk.

    Returns False if it was refused, or another worker has the row.
    """
    case = Case.objects.select_for_update().get(pk=erasure.case_id)
    erasure.case = case
    # Between planning and now, a hold may have been placed or the case reopened.
    words = refusal(case, rule=erasure.rule)
    if not words and erasure.rule is not None and not erasure.rule.is_active:
        words = "The rule is not active any more."
    if words:
        changes = {"refusal": words, "due_at": None, "leased_until": None}
        if erasure.move(Erasure.Status.REFUSED, **changes):
            data = {"erasure": erasure.pk, "reason": words}
            trail.record(case, "erasure_refused", data, about=[erasure])
        return False
    moment = now()
    if not erasure.move(Erasure.Status.RUNNING, erased_at=moment):
        return False
    outcome = erasing.erase(case, at=moment)
    Erasure.objects.filter(pk=erasure.pk).update(
        counts=outcome.counts, remains=outcome.remains
    )
    erasure.counts, erasure.remains = outcome.counts, outcome.remains
    _record_erased(erasure, outcome, rule=erasure.rule_name, user=erasure.by)
    return True


def _record_erased(
    erasure: Erasure, outcome: erasing.Outcome, *, rule: str, user: User | None = None
) -> None:
    data = {
        "erasure": erasure.pk,
        "rule": rule,
        "counts": outcome.counts,
        "remains": outcome.remains,
    }
    rows = [*outcome.rows, erasure]
    trail.record(
        erasure.case, "case_erased", data, user=user, about=rows, gone=outcome.gone
    )
    # Lines about reports of suspicious activity do not name the case.
    for report in outcome.secret_rows:
        trail.record(None, "suspicion_erased", {"report": report.pk}, about=[report])


def erase_again(key_ids: Sequence[int]) -> None:
    """Erase cases that a restored backup has brought back, by the ids of their data keys.

    They were erased before, so nothing can forbid it. The caller has an open transaction. The services
    are asked again by the worker: when the backup was made nobody had asked them, and what they
    answered since then is lost.
    """
    cases = Case.objects.select_for_update().filter(
        data_key__in=key_ids, erased_at=None
    )
    for case in cases.order_by("pk"):
        moment = now()
        outcome = erasing.erase(case, at=moment)
        erasure = _erasure_again(case, at=moment)
        erasure.counts, erasure.remains = outcome.counts, outcome.remains
        erasure.save(update_fields=["counts", "remains"])
        _record_erased(erasure, outcome, rule=AGAIN)
    notify.after_commit(QUEUE)


def _erasure_again(case: Case, *, at: datetime) -> Erasure:
    """The erasure of a case that is erased again, due for its service.

    The backup may be of the time when it was planned: that row goes on.
    """
    planned = case.erasures.filter(status=Erasure.Status.PLANNED).first()
    changes = {"erased_at": at, "due_at": at, "leased_until": None}
    if planned and planned.move(Erasure.Status.RUNNING, **changes):
        return planned
    return Erasure.objects.create(
        case=case,
        rule_name=AGAIN,
        status=Erasure.Status.RUNNING,
        erased_at=at,
        due_at=at,
    )


def _erase_at_service(erasure: Erasure) -> None:
    connection = Connection.objects.get(pk=erasure.case.connection_id)
    if not connection.is_active:
        # Its copy of the data is still there: it is asked when the connection is on again.
        erasure.complete(due_at=clock.now() + pauses.LONGEST, waits_for=SWITCHED_OFF)
        return
    if connection.standing_pause:
        erasure.complete(due_at=clock.now() + pauses.LONGEST, waits_for=pauses.WAITS)
        return
    try:
        with pauses.asking(connection) as service:
            answer = service.erase_case(erasure.case.reference)
    except ServiceError as exc:
        if exc.status in NO_ENDPOINT:
            _end(erasure, "The service was not asked: it has no such endpoint.")
            return
        # A refusal is retried, too: its reason is shown, and a running job at the service will
        # end.
        pause = backoff(erasure.claim_count, first=5.0, longest=LONGEST_PAUSE)
        erasure.complete(due_at=pause, waits_for=str(exc)[:500])
        return
    _end(erasure, f"The service erased it: {_counts(answer)}")


def _counts(answer: dict[str, object]) -> str:
    """What the service says that it erased, in words."""
    counts = answer.get("erased")
    if not isinstance(counts, dict):
        return "it does not say what."
    parts = []
    for name, number in counts.items():
        parts.append(f"{name} {number}")
    return f"{', '.join(parts)[:400] or 'nothing was there'}."


@transaction.atomic
def _end(erasure: Erasure, words: str) -> None:
    changes = {
        "service": words,
        "waits_for": "",
        "done_at": now(),
        "due_at": None,
        "leased_until": None,
    }
    if erasure.move(Erasure.Status.DONE, **changes):
        data = {"erasure": erasure.pk, "service": words}
        trail.record(erasure.case, "erasure_done", data, about=[erasure])
