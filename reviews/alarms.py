"""A hit that came up after people decided: the decision is taken back, with why, and asked again.

Lists change, and the service screens again of itself. What it finds then is told by an ordinary
job of the case; whether that is new shows in what the earlier jobs had found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reviews import announcements, audit, dismissals, results
from reviews.models import ENDING, Case, CaseEvent, CheckResult, Decision, Document, Job

MOST_NAMED = 5


def raise_again(case: Case, job: Job) -> bool:
    """Reopen a decided case where this job found a hit that no earlier one had.

    Returns whether it did. Cases that wait for somebody stay with them. Runs in the transaction
    that took the results in, with the case locked.
    """
    if case.status != Case.Status.DECIDED or not (hits := new_hits(case, job)):
        return False
    if not case.move(Case.Status.TO_REVIEW):
        return False
    named = "; ".join(f"{hit.name}: {hit.description}" for hit in hits[:MOST_NAMED])
    more = f" And {len(hits) - MOST_NAMED} more." if len(hits) > MOST_NAMED else ""
    reason = f"Screened again, with a new hit. {named}{more}"
    standing = case.decisions.filter(status=Decision.Status.STANDING, outcome__in=ENDING).first()
    data = {"reason": reason, "job": job.remote_id}
    if standing is not None:
        standing.move(Decision.Status.REOPENED, reopened_for=reason)
        data["was"] = standing.outcome
        announcements.queue(standing, "reopened")
    audit.record(case, "reopened", data, actor=CaseEvent.Actor.AGENT)
    return True


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
