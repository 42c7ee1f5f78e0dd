"""How a case stands, for who decides it: what failed, what was looked at, what still runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count

from reviews import results
from reviews.findings import check_runs, dismissals, notices
from reviews.findings.recommendations import AGREES
from reviews.models import Case, CheckResult, CheckReview, Document, Job, Outcome

FAILED = ("fail", "error")
DOUBTFUL = ("review", "inconclusive", "unknown")
# Whoever concludes so has looked at what there is to look at.
CONCLUSIVE = ("pass", "review", "fail")


@dataclass(frozen=True)
class ReviewState:
    """The checks of the newest job beside what people said of them."""

    case: Case
    job: Job | None
    documents: Sequence[Document]
    parts: Sequence[results.Part]
    checks: Sequence[results.Check]
    effective: check_runs.EffectiveResults

    @classmethod
    def of(cls, case: Case) -> ReviewState:
        jobs = list(case.jobs.all())
        standing = check_runs.EffectiveResults.after(jobs)
        counted = case.documents.annotate(page_count=Count("pages"))
        documents = list(counted.order_by("created_at", "id"))
        return cls.read(case, next(iter(jobs), None), documents, standing)

    @classmethod
    def read(
        cls,
        case: Case,
        job: Job | None,
        documents: Sequence[Document],
        standing: check_runs.EffectiveResults,
    ) -> ReviewState:
        found = results.parts(standing.rows, documents, case.self_attested_data)
        awaited = job is not None and job.is_under_way and not job.check_id
        checks = results.checks(standing.rows, documents, found, awaited=awaited)
        return cls(case, job, documents, found, check_runs.under_way(checks, job), standing)

    @cached_property
    def reviews(self) -> dict[str, CheckReview]:
        """What people said of the checks, by the check's id; of a run since then, nothing yet."""
        return self.effective.reviews

    @cached_property
    def dismissed(self) -> dismissals.Found:
        return dismissals.of(self.case, self.parts, self.documents)

    @cached_property
    def failed(self) -> list[results.Check]:
        return [check for check in self.checks if check.verdict in FAILED]

    @cached_property
    def agent_reasons(self) -> list[str]:
        """Why the agent recommends what it does: the checks that did not pass, the worst first, in
        their own words; then what the agent says itself."""
        own = [str(words) for words in self.case.recommendation_reasons]
        recommended = self.case.recommendation.strip().lower()
        if not recommended or recommended in AGREES[Outcome.APPROVE]:
            return own
        led = [results.headline(check) for check in results.open_checks(self.checks)]
        return list(dict.fromkeys([*led, *own]))

    @cached_property
    def passed(self) -> list[results.Check]:
        return [check for check in self.checks if check.verdict == "pass"]

    @cached_property
    def doubtful(self) -> list[results.Check]:
        return [check for check in self.checks if check.verdict in DOUBTFUL]

    @cached_property
    def running(self) -> list[results.Check]:
        return [check for check in self.checks if check.verdict == "running"]

    @cached_property
    def waiting(self) -> list[str]:
        """What speaks against the case and the service has not confirmed yet, in words."""
        waits = CheckResult.Confirmation.WAITING
        found = [
            check.label
            for check in (*self.failed, *self.doubtful)
            if waits in {state for _, state in check.unconfirmed}
        ]
        notice = notices.of(self.job)
        if notice and not notice.get("is_closed") and notices.is_adverse(notice):
            found.append(f"a webhook that says {notices.describe(notice)}")
        return found

    @property
    def is_running(self) -> bool:
        under_way = self.job is not None and self.job.is_under_way
        return self.case.status == Case.Status.CHECKING or under_way or bool(self.running)

    @cached_property
    def open(self) -> list[results.Check]:
        """What failed or is in doubt, and nobody has looked at it."""
        return [check for check in (*self.failed, *self.doubtful) if not self._is_settled(check)]

    def _is_settled(self, check: results.Check) -> bool:
        return check.id in self.reviews or self._is_dismissed(check)

    def _is_dismissed(self, check: results.Check) -> bool:
        """All that speaks against it was dismissed before: nobody is asked again."""
        if check.verdict == "error":
            return False
        if not all(part.is_whole for part in check.parts):
            return False
        against = [row for part in check.parts for row in part.findings if row.is_against]
        return bool(against) and all(row in self.dismissed for row in against)

    @cached_property
    def risks(self) -> int:
        """RISK indicators that nobody dismissed."""
        return sum(
            isinstance(row, results.Indicator) and row.type == "RISK" and row not in self.dismissed
            for part in self.parts
            for row in part.findings
        )

    @property
    def is_high_risk(self) -> bool:
        views = (part.view for part in self.parts if part.key == "fraud_verification_data")
        return self.risks > 0 and any(getattr(view, "tone", "") == "fail" for view in views)

    @cached_property
    def overridden(self) -> list[results.Check]:
        kinds = {check_id: review.kind for check_id, review in self.reviews.items()}
        return [c for c in self.checks if kinds.get(c.id) == CheckReview.Kind.OVERRIDDEN]

    @cached_property
    def not_passed(self) -> list[results.Check]:
        """What failed, or came to no verdict, whatever a person said of it; none overridden."""
        found = [*self.failed, *(c for c in self.doubtful if c.verdict not in CONCLUSIVE)]
        return [check for check in found if check not in self.overridden]

    @cached_property
    def has_examined(self) -> bool:
        """Whether a check looked at a document of the case, or into a list."""
        return any(
            check.verdict in CONCLUSIVE and (check.documents or _looked_into_lists(check))
            for check in self.checks
        )


def _looked_into_lists(check: results.Check) -> bool:
    """By the lists that the results name; where they come without any, by the kind of check."""
    views = [part.view for part in check.parts if isinstance(part.view, results.Screening)]
    if not views:
        return check.group == "Screening"
    return any(subject.lists for view in views for subject in view.subjects)
