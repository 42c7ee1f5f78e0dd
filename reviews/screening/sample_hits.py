"""Sample results with hits, and judgements of people on them, for a demonstration."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from reviews import results
from reviews.audit import trail
from reviews.findings import dismissals, matches
from reviews.findings.review_state import ReviewState
from reviews.jobs import result_rows
from reviews.models import Case, CheckResult, Job
from reviews.wire import JsonObject


def add_result(case: Case, check_id: str, result: JsonObject, *, at: datetime) -> None:
    """Add a completed job with the result of one check to a case."""
    job = Job.objects.create(
        case=case,
        connection=case.connection,
        agent=case.agent,
        remote_id=f"demo-{case.reference}",
        status=Job.Status.COMPLETE,
        has_results=True,
        due_at=None,
        ended_at=at,
    )
    content = {"id": "1", "check_id": check_id, "status": "completed", "result": result}
    rows = result_rows.check_results(job, {"check_results": [content]})
    for row in rows:
        row.confirmation = CheckResult.Confirmation.CONFIRMED
    result_rows.save(job, rows, is_over=True)
    stored = job.check_results.all()
    trail.record(case, "job_complete", {}, about=[job, *stored])


def judge(case: Case, *, actor: User, reason: str) -> int:
    """Dismiss every hit of the case for a reason; without a reason, confirm each.

    Returns the number of hits.
    """
    state = ReviewState.of(case)
    hits = []
    for part in state.parts:
        for finding in part.findings:
            if isinstance(finding, results.Hit) and state.dismissed.key(finding):
                hits.append(finding)
    for hit in hits:
        if reason:
            key = state.dismissed.key(hit)
            dismissals.dismiss(case, hit, key=key, actor=actor, reason=reason)
        else:
            matches.confirm(case, hit, actor=actor)
    return len(hits)
