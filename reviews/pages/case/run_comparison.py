"""Two runs of a case side by side, and running one check again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from reviews.findings import check_runs
from reviews.findings.review_state import ReviewState
from reviews.models import Case, Document, Job
from reviews.results import check_label
from reviews.results.details.difference import Difference, differences


@dataclass(frozen=True)
class Comparing:
    """What differs between what stood after one run and after a later one."""

    case: Case
    jobs: list[Job]  # newest first
    documents: list[Document]
    asked: QueryDict

    def _at(self, name: str, otherwise: int) -> int:
        wanted = self.asked.get(name, "")
        found = (n for n, job in enumerate(self.jobs) if str(job.pk) == wanted)
        return next(found, otherwise)

    @cached_property
    def places(self) -> tuple[int, int]:
        """Of the earlier and of the later run, in `jobs`."""
        later = self._at("after", 0)
        earlier = self._at("before", later + 1)
        earlier = min(earlier, len(self.jobs) - 1)
        return max(earlier, later), min(earlier, later)

    @property
    def before(self) -> Job:
        return self.jobs[self.places[0]]

    @property
    def after(self) -> Job:
        return self.jobs[self.places[1]]

    @property
    def listed(self) -> list[dict[str, Any]]:
        return [
            {"job": job, "number": len(self.jobs) - n, "check": check_label(job.check_id) if job.check_id else ""}
            for n, job in enumerate(self.jobs)
        ]  # fmt: skip

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        earlier, later = self.places
        if earlier == later:
            return []
        found = differences(self._said(earlier), self._said(later))
        names = {document.pk.hex: document.file_name for document in self.documents}
        return [
            {"difference": one, "document": names.get(one.latest.document, ""), "href": self._href(one)}
            for one in found
        ]  # fmt: skip

    @property
    def counts(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for row in self.rows:
            found[row["difference"].kind] = found.get(row["difference"].kind, 0) + 1
        return found

    def _said(self, at: int) -> Any:
        standing = check_runs.EffectiveResults.after(self.jobs, at=at)
        found = ReviewState.read(self.case, self.jobs[at], self.documents, standing)
        return found.checks, found.parts

    def _href(self, one: Difference) -> str:
        """Where it stands on the page of what stands now; nothing where it does not any more."""
        if one.after is None or self.places[1] != 0:
            return ""
        query = (
            {"doc": one.after.document}
            if one.after.document
            else {"check": one.after.check}
        )
        where = f"{reverse('case-detail', args=[self.case.pk])}?{urlencode(query)}"
        return (
            f"{where}#{one.after.ref}"
            if one.after.document and one.after.ref
            else where
        )
