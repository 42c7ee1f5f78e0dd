"""Alarms: news after a decision returns the case to people, with the reason and a new due time.

News are a late result, a hit of a later screening, another recommendation, or a webhook that
the service does not confirm. The decision is reopened and stays on record. The next decision
closes the alarm.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.timezone import now

from compliance.languages import english
from reviews import results
from reviews.access import roles
from reviews.audit import trail
from reviews.findings import dismissals
from reviews.findings.check_runs import EffectiveResults
from reviews.findings.recommendations import AGREES, word
from reviews.findings.review_state import ReviewState
from reviews.inbox import notifications
from reviews.jobs import case_changes
from reviews.jobs.case_changes import LockedCase
from reviews.models import (
    ENDING,
    Case,
    CaseEvent,
    CheckResult,
    Decision,
    Document,
    Job,
    Notification,
    Outcome,
    SubscriptionEvent,
)
from reviews.people import sla
from reviews.subscriptions import announcements

MOST_HITS = 5  # hits named in one sentence
LONGEST = 4000  # characters of all reasons together
# A dismissed hit that was off its list for less is not asked again: publishers drop entries by mistake,
# and mend it within days, also over holidays. Who lists it again after more has a reason.
SHORTEST_ABSENCE = timedelta(days=14)
# The statuses after a decision. In all other statuses people see news before they decide.
DECIDED_BY_PEOPLE = (Case.Status.DECIDED, Case.Status.SECOND)
# The identity of a hit: list, entry and its content. The subject is that of the case.
Entry = tuple[str, ...]
# The verdicts that need a person, in words.
VERDICTS = {
    "fail": "failed",
    "error": "could not be run",
    "review": "asks for a review",
    "inconclusive": "is inconclusive",
}
# Verdicts without information about the case.
_SILENT = frozenset({"unknown", "running", "not_applicable"})


def raise_alarm(case: Case, job: Job, reasons: Sequence[str]) -> bool:
    """Raise an alarm with these reasons. Returns whether a decision was reopened.

    Reasons that the open alarm already has are not repeated. Runs in the transaction of the
    news, with the case locked.
    """
    present = case.alarm.splitlines()
    new: list[str] = []
    for reason in reasons:
        line = " ".join(reason.split())
        if line not in present:
            new.append(line)
    if not new:
        return False
    moment = now()
    due = sla.due(case, risk=case.risk, since=moment)
    if case.alarm:
        # The first alarm has set the time within which a person must look. A second one does
        # not extend it.
        due = min(due, case.due_at)
    lines = dict.fromkeys([*present, *new])
    alarm = "\n".join(lines)
    # The case is no longer snoozed: nobody would see the news until the end of the snooze.
    changes = {
        "alarm": alarm[:LONGEST],
        "alarm_at": moment,
        "due_at": due,
        "snoozed_until": None,
    }
    reason = " ".join(new)
    data = {
        "reason": reason[:LONGEST],
        "job": job.remote_id,
    }
    if case.status == Case.Status.DECIDED:
        return _reopen(case, data, changes)
    case_changes.write(case, changes)
    trail.record(case, "alarm", data, actor=CaseEvent.Actor.AGENT)
    return False


def reopen(case: Case, reason: str) -> bool:
    """Reopen a decided case for a reason that does not come from a job.

    Runs in the transaction of the caller. Returns whether the case was decided.
    """
    case = Case.objects.select_for_update().get(pk=case.pk)
    if case.status != Case.Status.DECIDED:
        return False
    moment = now()
    changes = {
        "alarm": reason[:LONGEST],
        "alarm_at": moment,
        "due_at": sla.due(case, risk=case.risk, since=moment),
        "snoozed_until": None,
    }
    return _reopen(case, {"reason": reason[:LONGEST]}, changes)


def _reopen(case: Case, data: dict[str, str], changes: Mapping[str, object]) -> bool:
    ending = case.decisions.filter(
        status=Decision.Status.STANDING,
        outcome__in=ENDING,
    )
    decision = ending.select_related("made_by").first()
    owner = _owner(case, decision)
    # The case returns to the person who decided.
    is_open_again = case.move(
        Case.Status.TO_REVIEW,
        analyst=owner,
        **changes,
    )
    if not is_open_again:
        return False
    about: list[Decision] = []
    if decision is not None:
        decision.move(Decision.Status.REOPENED, reopened_for=data["reason"])
        data["was"] = decision.outcome
        announcements.announce_decision(decision, SubscriptionEvent.REOPENED)
        about.append(decision)
    if owner is not None:
        data["owner"] = owner.get_username()
    trail.record(case, "reopened", data, actor=CaseEvent.Actor.AGENT, about=about)
    notifications.notify(case, [owner], Notification.Kind.ALARM)
    return True


def _owner(case: Case, decision: Decision | None) -> User | None:
    """The person who decided, if they still may decide; else None: the case is unassigned."""
    if decision is None or decision.made_by_id is None:
        return None
    colleagues = roles.colleagues(case, roles.DECIDE)
    return colleagues.filter(pk=decision.made_by_id).first()


def reasons_of_late_results(rows: Iterable[CheckResult]) -> list[str]:
    """Why results that arrived after a decision need a person; empty if they do not."""
    reasons = []
    for row in rows:
        verdict = results.SEVERITY[row.rank]
        if verdict in VERDICTS or verdict == "unknown":
            label = results.check_label(row.check_id)
            words = VERDICTS.get(verdict, "cannot be read")
            reasons.append(f"A result came after the decision: {label} {words}.")
    return reasons


def reopen_after_job(case: Case, job: Job) -> bool:
    """Raise an alarm if a job that ran after the decision has other or worse results.

    Returns whether a decision was reopened. Cases that wait for somebody stay with them. One that
    somebody has snoozed wakes for such results: they were not there when it was put aside.
    """
    is_decided = case.status in DECIDED_BY_PEOPLE
    if not is_decided and case.snoozed_until is None:
        return False
    hits = new_hits(case, job)
    worse = _worse_checks(case)
    # What people have dismissed before is no news. The service does not know of it.
    settled = [] if hits else _settled(case, worse)
    reasons = _reasons_of_hits(hits)
    reasons += _reasons_of_checks(check for check in worse if check not in settled)
    if not is_decided:
        if reasons:
            case_changes.write(case, {"snoozed_until": None})
        return False
    if reasons or not settled:
        reasons += _reasons_of_recommendation(case, job)
    return raise_alarm(case, job, reasons)


def reasons_of_silence(locked: LockedCase, job: Job) -> list[str]:
    """Reasons for a case that ran again without a result for a check that spoke against it.

    A run that leaves a check out does not show that the check would pass.
    """
    case = locked.case
    is_first = len(locked.jobs) == 1
    if is_first or job.check_id or case.status in DECIDED_BY_PEOPLE:
        return []
    before, after = _checks_before_and_after(case)
    reasons = []
    for check in before.values():
        current = after.get(check.id)
        is_silent = current is None or current.verdict in _SILENT
        if check.verdict in VERDICTS and is_silent:
            reasons.append(
                f"Run again, and nothing is said of this check any more: {check.label}."
                f" Before, it {VERDICTS[check.verdict]}."
            )
    return reasons


@english()
def _reasons_of_hits(hits: Sequence[results.Hit]) -> list[str]:
    if not hits:
        return []
    names = []
    for hit in hits[:MOST_HITS]:
        names.append(f"{hit.name}: {hit.description}")
    reason = f"Screened again, with a new hit. {' '.join(names)}"
    more = len(hits) - MOST_HITS
    if more > 0:
        reason += f" And {more} more."
    return [reason]


def _worse_checks(case: Case) -> list[results.Check]:
    """The checks whose verdict is worse than before the newest job."""
    before, after = _checks_before_and_after(case)
    worse = []
    for check in after.values():
        if check.verdict not in VERDICTS:
            continue
        earlier = before.get(check.id)
        gravity = results.gravity(check.verdict)
        # A smaller gravity is worse.
        if earlier is None or gravity < results.gravity(earlier.verdict):
            worse.append(check)
    return worse


def _settled(case: Case, worse: Collection[results.Check]) -> list[results.Check]:
    """Those of these checks of which people have dismissed everything that speaks against the case."""
    if not worse:
        return []
    still_open = {check.id for check in ReviewState.of(case).open}
    return [check for check in worse if check.id not in still_open]


def _reasons_of_checks(checks: Iterable[results.Check]) -> list[str]:
    reasons = []
    for check in checks:
        verdict = VERDICTS[check.verdict]
        reasons.append(f"Run after the decision: {check.label} {verdict}.")
    return reasons


def _checks_before_and_after(
    case: Case,
) -> tuple[dict[str, results.Check], dict[str, results.Check]]:
    """The checks before the newest job, and the present checks, by id."""
    jobs = list(case.jobs.all())
    documents = list(case.documents.all())
    earlier = EffectiveResults.after(jobs, at=1)
    before = _checks(case, earlier, documents)
    current = EffectiveResults.after(jobs)
    after = _checks(case, current, documents)
    return before, after


def _checks(
    case: Case, effective: EffectiveResults, documents: Sequence[Document]
) -> dict[str, results.Check]:
    rows = effective.rows
    parts = results.parts(rows, documents, case.self_attested_data)
    checks = results.checks(rows, documents, parts)
    return {check.id: check for check in checks}


def _reasons_of_recommendation(case: Case, job: Job) -> list[str]:
    """The reason if the recommendation differs from the one at the time of the decision."""
    decision = case.decisions.filter(outcome__in=ENDING).first()
    if decision is None or job.check_id:
        return []
    before = decision.recommendation.strip()
    after = job.recommendation.strip()
    if before.casefold() == after.casefold():
        return []
    # A later one that agrees with the decision is no news: the hit for which the service spoke
    # against an approval is listed no more, for example.
    if after.casefold() in AGREES[Outcome(decision.outcome)]:
        return []
    return [
        f"The service recommends {_quoted(after)}. It was decided on {_quoted(before)}."
    ]


def _quoted(recommendation: str) -> str:
    if recommendation:
        return f"“{word(recommendation)}”"
    return "nothing"


def new_hits(case: Case, job: Job) -> list[results.Hit]:
    """The hits of a job that need a person, and that the case did not show just before the job.

    A dismissed one is not among them, unless it had left its list for SHORTEST_ABSENCE.
    """
    attested = case.self_attested_data
    documents = list(case.documents.all())
    jobs = list(case.jobs.all())  # the newest first
    earlier = jobs[jobs.index(job) + 1 :]
    before = EffectiveResults.after(earlier) if earlier else EffectiveResults([], [])
    present = _entries(before.rows, documents, attested)
    rows = job.check_results.all()
    parts = results.parts(rows, documents, attested)
    dismissed = dismissals.of(case, parts, documents)
    # A tool and its check report the same hit. Each list entry counts once.
    by_entry: dict[Entry, results.Hit] = {}
    returned: dict[Entry, results.Hit] = {}
    for hit in _hits(parts, dismissed):
        entry = _entry(hit)
        if entry in present:
            continue
        if dismissed.get_alone(hit) is None:
            by_entry[entry] = hit
        else:
            returned[entry] = hit
    for entry in _absent_long(case, earlier, returned.keys()):
        by_entry[entry] = returned[entry]
    return list(by_entry.values())


def _absent_long(
    case: Case, jobs: Sequence[Job], entries: AbstractSet[Entry]
) -> set[Entry]:
    """Those of these entries that the case showed once, and not for SHORTEST_ABSENCE.

    `jobs`: the earlier ones, the newest first. The newest shows none of the entries.
    """
    documents = list(case.documents.all())
    left = set(entries)
    absent: set[Entry] = set()
    for number in range(len(jobs)):
        if not left:
            break
        rows = EffectiveResults.after(jobs, at=number).rows
        shown = left & _entries(rows, documents, case.self_attested_data)
        left -= shown
        # The job after this one was the first that did not show them.
        if shown and _ended(jobs[number - 1]) <= now() - SHORTEST_ABSENCE:
            absent |= shown
    return absent


def _ended(job: Job) -> datetime:
    return job.ended_at or job.created_at


def _entries(
    rows: Iterable[CheckResult],
    documents: Sequence[Document],
    attested: Mapping[str, object],
) -> set[Entry]:
    """The hits of these results."""
    return {_entry(hit) for hit in _hits(results.parts(rows, documents, attested))}


def _hits(
    parts: Iterable[results.Part],
    dismissed: dismissals.DismissedFindings | None = None,
) -> list[results.Hit]:
    """The hits against the case, one per list.

    With `dismissed`, hits below the threshold of the screening policy are left out.
    """
    hits = []
    for part in parts:
        for finding in part.findings:
            if dismissed is not None and dismissed.folded_by(finding):
                continue
            if isinstance(finding, results.Hit) and finding.is_against:
                for hit in finding.members:
                    if hit.is_against:
                        hits.append(hit)
    return hits


def _entry(hit: results.Hit) -> Entry:
    return tuple(hit.identity[:3])
