"""What comes after people decided: the case is theirs again, with why, and its clock runs anew.

A late result, a hit of a later screening, another recommendation, or a webhook that the service does
not confirm. The decision is taken back and stays on record. Whoever decides anew settles the alarm.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.utils.timezone import now

from compliance.db import fast_sql
from reviews import results
from reviews.access import roles
from reviews.audit import trail
from reviews.findings import check_runs, dismissals
from reviews.findings.recommendations import AGREES, word
from reviews.models import ENDING, Case, CaseEvent, CheckResult, Decision, Document, Job, Outcome
from reviews.people import sla
from reviews.subscriptions import announcements

MOST_NAMED = 5
LONGEST = 4000  # characters of all reasons together
# Cases on which people have spoken; of all others they see what comes when they decide.
SPOKEN = (Case.Status.DECIDED, Case.Status.SECOND)
VERDICTS = {
    "fail": "failed",
    "error": "could not be run",
    "review": "asks for a review",
    "inconclusive": "is inconclusive",
}


def raise_alarm(case: Case, job: Job, reasons: Sequence[str]) -> bool:
    """Put the reasons before a person. Returns whether a decision was taken back.

    A reason that the open alarm has already is not added. Runs in the transaction that took the
    news in, with the case locked.
    """
    known = case.alarm.splitlines()
    fresh = [line for line in (" ".join(reason.split()) for reason in reasons) if line not in known]
    if not fresh:
        return False
    moment = now()
    due = sla.due(case, risk=case.risk, since=moment)
    changes = {
        "alarm": "\n".join([*known, *dict.fromkeys(fresh)])[:LONGEST],
        "alarm_at": moment,
        "due_at": min(due, case.due_at) if case.alarm else due,
    }
    said = {"reason": " ".join(fresh)[:LONGEST], "job": job.remote_id}
    if case.status == Case.Status.DECIDED:
        return _take_back(case, said, changes)
    fast_sql.update(Case, {"updated_at": moment, **changes}, pk=case.pk)
    for name, value in changes.items():
        setattr(case, name, value)
    trail.record(case, "alarm", said, actor=CaseEvent.Actor.AGENT)
    return False


def _take_back(case: Case, said: dict[str, str], changes: dict[str, object]) -> bool:
    decision = _standing(case)
    owner = _owner(case, decision)
    if not case.move(Case.Status.TO_REVIEW, analyst=owner, snoozed_until=None, **changes):
        return False
    if decision is not None:
        decision.move(Decision.Status.REOPENED, reopened_for=said["reason"])
        said |= {"was": decision.outcome}
        announcements.queue(decision, "reopened")
    said |= {"owner": owner.get_username()} if owner else {}
    trail.record(case, "reopened", said, actor=CaseEvent.Actor.AGENT)
    return True


def _standing(case: Case) -> Decision | None:
    standing = case.decisions.filter(status=Decision.Status.STANDING, outcome__in=ENDING)
    return standing.select_related("made_by").first()


def _owner(case: Case, decision: Decision | None) -> User | None:
    """Who decided, if that person may still do so; else the case is nobody's, as in the queue."""
    if decision is None:
        return None
    return roles.colleagues(case, roles.DECIDE).filter(pk=decision.made_by_id).first()


def of_late(rows: Iterable[CheckResult]) -> list[str]:
    """Why results that came after the end of their job ask for a person; empty where none does."""
    asking = [row for row in rows if results.SEVERITY[row.rank] in {*VERDICTS, "unknown"}]
    return [f"A result came after the decision: {_in_words(row)}." for row in asking]


def _in_words(row: CheckResult) -> str:
    verdict = results.SEVERITY[row.rank]
    return f"{results.check_label(row.check_id)} {VERDICTS.get(verdict, 'cannot be read')}"


def raise_again(case: Case, job: Job) -> bool:
    """Raise the alarm where a job that ran after the decision says something else, or worse.

    Returns whether a decision was taken back. Cases that wait for somebody stay with them.
    """
    if case.status not in SPOKEN:
        return False
    return raise_alarm(case, job, [*_of_hits(case, job), *_of_checks(case), *_changed(case, job)])


def _of_hits(case: Case, job: Job) -> list[str]:
    hits = new_hits(case, job)
    if not hits:
        return []
    named = "; ".join(f"{hit.name}: {hit.description}" for hit in hits[:MOST_NAMED])
    more = f" And {len(hits) - MOST_NAMED} more." if len(hits) > MOST_NAMED else ""
    return [f"Screened again, with a new hit. {named}{more}"]


def _of_checks(case: Case) -> list[str]:
    """The checks that say something worse than they did before the newest job."""
    before, after = _before_and_after(case)
    found = []
    for check in after.values():
        earlier = before.get(check.id)
        is_worse = earlier is None or results.gravity(check.verdict) < results.gravity(
            earlier.verdict
        )
        if check.verdict in VERDICTS and is_worse:
            found.append(f"Run after the decision: {check.label} {VERDICTS[check.verdict]}.")
    return found


def of_silence(case: Case, job: Job) -> list[str]:
    """Why a person must look at a case that ran again: of what spoke against it nothing is said now.

    A run that leaves a check out does not say that the check passed.
    """
    if job.check_id or case.status in SPOKEN or case.jobs.count() < 2:
        return []
    before, after = _before_and_after(case)
    silent = {"unknown", "running", "not_applicable"}
    return [
        f"Run again, and nothing is said of this check any more: {check.label}. Before, it "
        f"{VERDICTS[check.verdict]}."
        for check in before.values()
        if check.verdict in VERDICTS
        and (check.id not in after or after[check.id].verdict in silent)
    ]


def _before_and_after(case: Case) -> tuple[dict[str, results.Check], dict[str, results.Check]]:
    """The checks as they stood before the newest job and as they stand now, by their ids."""
    jobs = list(case.jobs.all())
    documents = list(case.documents.all())
    stood = (check_runs.EffectiveResults.after(jobs, at=1), check_runs.EffectiveResults.after(jobs))
    before, after = (_checks(case, standing, documents) for standing in stood)
    return {check.id: check for check in before}, {check.id: check for check in after}


def _checks(
    case: Case, standing: check_runs.EffectiveResults, documents: Sequence[Document]
) -> list[results.Check]:
    parts = results.parts(standing.rows, documents, case.self_attested_data)
    return results.checks(standing.rows, documents, parts)


def _changed(case: Case, job: Job) -> list[str]:
    """Whether the recommendation is another than the one that was decided on."""
    decision = case.decisions.filter(outcome__in=ENDING).first()
    if decision is None or job.check_id:
        return []
    before, after = decision.recommendation.strip(), job.recommendation.strip()
    agreeing = AGREES[Outcome(decision.outcome)]
    if before.casefold() == after.casefold() or (not before and after.casefold() in agreeing):
        return []
    return [f"The service recommends {_quoted(after)}. It was decided on {_quoted(before)}."]


def _quoted(recommendation: str) -> str:
    return f"“{word(recommendation)}”" if recommendation else "nothing"


def new_hits(case: Case, job: Job) -> list[results.Hit]:
    """The hits of a job that ask for a person, were in no earlier job, and were not dismissed."""
    documents = list(case.documents.all())
    earlier = CheckResult.objects.filter(job__case=case).exclude(job=job)
    known = {_entry(hit) for hit in _hits(case, earlier, documents)}
    parts = results.parts(job.check_results.all(), documents, case.self_attested_data)
    dismissed = dismissals.of(case, parts, documents)
    found = [
        row
        for part in parts
        for row in part.findings
        if isinstance(row, results.Hit) and row.is_against and row not in dismissed
    ]
    by_entry = {_entry(hit): hit for hit in found}
    return [hit for entry, hit in by_entry.items() if entry not in known]


def _hits(
    case: Case, rows: Iterable[CheckResult], documents: Sequence[Document]
) -> list[results.Hit]:
    parts = results.parts(rows, documents, case.self_attested_data)
    found = [row for part in parts for row in part.findings]
    return [row for row in found if isinstance(row, results.Hit) and row.is_against]


def _entry(hit: results.Hit) -> tuple[str, ...]:
    """The list, the entry and its content; the subject is that of the case."""
    return tuple(hit.identity[:3])
