"""The review state of a case: what failed, what was reviewed, and what still runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from compliance.languages import english
from reviews import results
from reviews.findings import check_runs, dismissals, matches, notices
from reviews.findings.recommendations import AGREES
from reviews.findings.values.choices import ValueChoices
from reviews.models import Case, CheckResult, CheckReview, Document, Job, Outcome
from reviews.results.kinds import Extraction
from reviews.results.words import translated

FAILED = ("fail", "error")
DOUBTFUL = ("review", "inconclusive", "unknown")
# The verdicts with which a check has come to a result.
CONCLUSIVE = ("pass", "review", "fail")
# The verdicts of a part that asks nobody.
IN_ORDER = ("pass", "not_applicable")


@dataclass(frozen=True)
class ReviewState:
    """The effective results of a case, together with reviews and dismissals of people."""

    case: Case
    job: Job | None
    documents: Sequence[Document]
    parts: Sequence[results.Part]
    checks: Sequence[results.Check]
    effective: check_runs.EffectiveResults

    @classmethod
    def of(cls, case: Case) -> ReviewState:
        jobs = list(case.jobs.all())
        newest = jobs[0] if jobs else None
        effective = check_runs.EffectiveResults.after(jobs)
        rows = case.documents.select_related("scan").order_by("created_at", "id")
        return cls.read(case, newest, list(rows), effective)

    @classmethod
    def read(
        cls,
        case: Case,
        job: Job | None,
        documents: Sequence[Document],
        effective: check_runs.EffectiveResults,
    ) -> ReviewState:
        """Build the state. `job` is the newest job."""
        rows = effective.rows
        parts = results.parts(rows, documents, case.self_attested_data)
        # While a job of all checks runs, a document without results still waits for them.
        runs_all_checks = job is not None and job.is_under_way and not job.check_id
        checks = results.checks(rows, documents, parts, awaited=runs_all_checks)
        return cls(
            case=case,
            job=job,
            documents=documents,
            parts=parts,
            checks=check_runs.mark_running(checks, job),
            effective=effective,
        )

    @cached_property
    def reviews(self) -> dict[str, CheckReview]:
        """The reviews of people by the id of the check.

        A review of an earlier run does not count.
        """
        return self.effective.reviews

    @cached_property
    def dismissed(self) -> dismissals.DismissedFindings:
        return dismissals.of(
            self.case,
            self.parts,
            self.documents,
        )

    @cached_property
    def confirmed(self) -> matches.ConfirmedHits:
        """The hits that a person confirmed as matches."""
        return matches.ConfirmedHits(self.case, self.parts)

    @cached_property
    def values(self) -> ValueChoices:
        """The fields of the documents, and the values that people chose."""
        return ValueChoices(self.case, self.parts)

    @cached_property
    @english()
    def agent_reasons(self) -> list[str]:
        """Why the agent recommends what it does, in English.

        First the words of the checks that did not pass, the worst first; then the agent's own
        reasons. For an approval only the latter.
        """
        agent_words = []
        for words in self.case.recommendation_reasons:
            agent_words.append(str(words))
        recommendation = self.case.recommendation.strip().lower()
        if not recommendation or recommendation in AGREES[Outcome.APPROVE]:
            return agent_words
        open_checks = results.open_checks(self.checks)
        headlines = []
        for check in open_checks:
            headlines.append(results.headline(check))
        # The agent may repeat the words of a check. A dict drops duplicates and keeps the
        # order.
        reasons = dict.fromkeys([*headlines, *agent_words])
        return list(reasons)

    @cached_property
    def passed(self) -> list[results.Check]:
        return self._with_verdict("pass")

    @cached_property
    def failed(self) -> list[results.Check]:
        return self._with_verdict(*FAILED)

    @cached_property
    def doubtful(self) -> list[results.Check]:
        return self._with_verdict(*DOUBTFUL)

    @cached_property
    def running(self) -> list[results.Check]:
        return self._with_verdict("running")

    def _with_verdict(self, *verdicts: str) -> list[results.Check]:
        return [check for check in self.checks if check.verdict in verdicts]

    @cached_property
    def waiting(self) -> list[str]:
        """Results against the case that the service has not confirmed yet, in words."""
        waiting = []
        for check in (*self.failed, *self.doubtful):
            for _row, state in check.unconfirmed:
                if state == CheckResult.Confirmation.WAITING:
                    waiting.append(translated(check.label))
                    break
        notice = notices.of(self.job)
        is_open = bool(notice) and not notice.get("is_closed")
        if is_open and notices.is_adverse(notice):
            waiting.append(
                _("a webhook that says %(notice)s")
                % {"notice": notices.describe(notice)}
            )
        return waiting

    @property
    def is_running(self) -> bool:
        if self.case.status == Case.Status.CHECKING or self.running:
            return True
        return self.job is not None and self.job.is_under_way

    @cached_property
    def open(self) -> list[results.Check]:
        """The failed or doubtful checks that no person has handled: neither reviewed, nor
        dismissed, nor settled by the choice of a value.
        """
        checks = []
        for check in (*self.failed, *self.doubtful):
            if check.id not in self.reviews and not self._is_settled(check):
                checks.append(check)
        return checks

    def _is_settled(self, check: results.Check) -> bool:
        """Whether everything against the check was dismissed, or settled by the choice of a
        value. An error cannot be settled.
        """
        if check.verdict == "error":
            return False
        has_findings = False
        for part in check.parts:
            # A part that could not be read completely may contain more findings.
            if not part.is_whole:
                return False
            for finding in part.findings:
                if finding.is_against:
                    has_findings = True
                elif not self.values.contradicts(finding):
                    continue
                if not self.is_settled(finding):
                    return False
        return has_findings or self._asked_only_for_values(check)

    def is_settled(self, finding: results.Finding) -> bool:
        """Whether a person has handled the finding: dismissed it, or chosen its value."""
        return finding in self.dismissed or self.values.settles(finding)

    def _asked_only_for_values(self, check: results.Check) -> bool:
        """Whether unsure fields were all that the check asked for, and each has its value.

        A part that failed is never settled by a value, whatever its service says beside it.
        """
        has_asked = False
        for part in check.parts:
            view = part.view
            if part.verdict == "review" and isinstance(view, Extraction):
                # A service that names no unsure field has asked for something else.
                if not view.only_unsure or not view.unsure:
                    return False
                if not all(self.is_settled(row) for row in view.unsure):
                    return False
                # The tool asks for a value that the document does not state: a person decides.
                if any(self.values.is_absent(row) for row in view.unsure):
                    return False
                has_asked = True
            elif part.verdict not in IN_ORDER:
                return False
        return has_asked

    @cached_property
    def risks(self) -> int:
        """The number of RISK indicators that nobody dismissed."""
        count = 0
        for part in self.parts:
            for finding in part.findings:
                if not isinstance(finding, results.Indicator):
                    continue
                if finding.type == "RISK" and finding not in self.dismissed:
                    count += 1
        return count

    @property
    def is_high_risk(self) -> bool:
        if not self.risks:
            return False
        for part in self.parts:
            tone = getattr(part.view, "tone", "")
            if part.key == "fraud_verification_data" and tone == "fail":
                return True
        return False

    def label_after_reviews(self, check: results.Check, label: str) -> str:
        """The label of an open hit, "strong" or "possible", after the review of its check.

        An override clears it. A person who marks a failed check as reviewed agrees that it
        failed, so a strong hit counts as confirmed.
        """
        review = self.reviews.get(check.id)
        if review is None:
            return label
        if review.kind == CheckReview.Kind.OVERRIDDEN:
            return "cleared"
        is_match = check.verdict == "fail" or not results.is_sanctions(check.label)
        if label == "strong" and is_match:
            return "confirmed"
        return label

    @cached_property
    def overridden(self) -> list[results.Check]:
        checks = []
        for check in self.checks:
            review = self.reviews.get(check.id)
            if review and review.kind == CheckReview.Kind.OVERRIDDEN:
                checks.append(check)
        return checks

    @cached_property
    def not_passed(self) -> list[results.Check]:
        """The checks that failed or came to no verdict, reviewed or not, without overridden
        ones.
        """
        checks = []
        for check in (*self.failed, *self.doubtful):
            asks_for_review = check.verdict == "review"
            if not asks_for_review and check not in self.overridden:
                checks.append(check)
        return checks

    @cached_property
    def has_examined(self) -> bool:
        """Whether a check has examined a document of the case or searched a list."""
        for check in self.checks:
            if check.verdict not in CONCLUSIVE:
                continue
            if check.documents or _has_searched_lists(check):
                return True
        return False


def _has_searched_lists(check: results.Check) -> bool:
    """Whether the results name a searched list. Without such results, the group decides."""
    views = []
    for part in check.parts:
        if isinstance(part.view, results.Screening):
            views.append(part.view)
    for view in views:
        for subject in view.subjects:
            if subject.lists:
                return True
    return not views and check.group == "Screening"
