"""Compares two runs of a case, and offers to run one check again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from reviews.findings import check_runs
from reviews.findings.review_state import ReviewState
from reviews.models import Case, Document, Job
from reviews.results import Check, Part, check_label
from reviews.results.details.difference import Difference, differences


class RunRow(TypedDict):
    """A run in the lists of runs to choose from."""

    job: Job
    number: int  # the first run of the case is 1
    check: str  # label of its only check; "" if it ran all checks


class DifferenceRow(TypedDict):
    """A difference between two runs, with the document's name and its address on the page."""

    difference: Difference
    document: str
    href: str


@dataclass(frozen=True)
class RunComparison:
    """The differences between the effective results after two runs of the case."""

    case: Case
    jobs: list[Job]  # newest first
    documents: list[Document]
    params: QueryDict

    def _place_of(self, name: str, default: int) -> int:
        key = self.params.get(name, "")
        for place, job in enumerate(self.jobs):
            if str(job.pk) == key:
                return place
        return default

    @cached_property
    def places(self) -> tuple[int, int]:
        """Indexes into `jobs`: of the earlier run, of the later run."""
        later = self._place_of("after", 0)
        earlier = self._place_of("before", later + 1)
        # The address may name the runs in any order, or runs that do not exist.
        last = len(self.jobs) - 1
        earlier = min(earlier, last)
        return max(earlier, later), min(earlier, later)

    @property
    def before(self) -> Job:
        return self.jobs[self.places[0]]

    @property
    def after(self) -> Job:
        return self.jobs[self.places[1]]

    @cached_property
    def runs(self) -> list[RunRow]:
        rows: list[RunRow] = []
        # The newest run is first and has the highest number.
        number = len(self.jobs)
        for job in self.jobs:
            check = check_label(job.check_id) if job.check_id else ""
            rows.append({"job": job, "number": number, "check": check})
            number -= 1
        return rows

    @cached_property
    def rows(self) -> list[DifferenceRow]:
        earlier, later = self.places
        if earlier == later:
            return []
        names = {document.pk.hex: document.file_name for document in self.documents}
        rows: list[DifferenceRow] = []
        before = self._state_after(earlier)
        after = self._state_after(later)
        for difference in differences(before, after):
            document = names.get(difference.latest.document, "")
            href = self._href(difference)
            rows.append({"difference": difference, "document": document, "href": href})
        return rows

    def _state_after(self, place: int) -> tuple[Sequence[Check], Sequence[Part]]:
        job = self.jobs[place]
        effective = check_runs.EffectiveResults.after(self.jobs, at=place)
        state = ReviewState.read(self.case, job, self.documents, effective)
        return state.checks, state.parts

    def _href(self, difference: Difference) -> str:
        """The address of the finding on the case page; "" if the page does not show that run."""
        after = difference.after
        is_newest = self.places[1] == 0
        if after is None or not is_newest:
            return ""
        page = reverse("case-detail", args=[self.case.pk])
        if not after.document:
            query = urlencode({"check": after.check})
            return f"{page}?{query}"
        query = urlencode({"doc": after.document})
        address = f"{page}?{query}"
        if after.ref:
            address += f"#{after.ref}"
        return address
