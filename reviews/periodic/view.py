"""The periodic reviews of a case, as its page, the report and the REST interface show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet

from reviews.access import roles
from reviews.models import Case, PeriodicReview
from reviews.periodic import changes
from reviews.periodic.changes import Change

Person = User | AnonymousUser
Status = PeriodicReview.Status


@dataclass(frozen=True)
class ReviewView:
    """`of`: the review that opened this case. `own`: reviews that follow from its approvals,
    newest first. `visible`: id → reference of other cases that the user may see.
    """

    case: Case
    of: PeriodicReview | None
    own: Sequence[PeriodicReview]
    visible: dict[int, str]

    @classmethod
    def read(cls, case: Case, user: Person) -> ReviewView:
        rows = _of_case(case).exclude(status=Status.ENDED)
        own = []
        of = None
        for row in rows:
            if row.case_id == case.pk:
                own.append(row)
            # A case is opened by at most one review.
            elif of is None:
                of = row
        visible = _visible(user, own, of)
        return cls(case, of, own, visible)

    @property
    def waiting(self) -> PeriodicReview | None:
        """The next review of the case, or None."""
        for row in self.own:
            if row.status == Status.WAITING:
                return row
        return None

    @property
    def opened(self) -> list[PeriodicReview]:
        """Reviews of this case that have opened another case, or the case itself again."""
        return [row for row in self.own if row.status == Status.OPENED]

    @property
    def changes(self) -> list[tuple[Change, str]]:
        """The changes since the approval. Each has the reference of its case, or "" if the user
        must not see it.
        """
        if self.of is None:
            return []
        rows = []
        for row in changes.stored(self.of.changes):
            reference = ""
            if row.case is not None:
                reference = self.visible.get(row.case, "")
            rows.append((row, reference))
        return rows

    @property
    def checks(self) -> list[tuple[str, str, str]]:
        """The checks whose verdict differs from the earlier case: label, earlier verdict,
        current verdict.
        """
        if self.of is None or self.case.status == Case.Status.CHECKING:
            return []
        # The summaries are enough; loading both results would be slow.
        before = _verdicts(self.of.case)
        after = _verdicts(self.case)
        # In the order of the earlier case.
        labels = dict.fromkeys([*before, *after])
        rows = []
        for label in labels:
            then = before.get(label, "")
            now = after.get(label, "")
            if then != now:
                rows.append((label, then, now))
        return rows

    def to_wire(self) -> dict[str, object]:
        return {
            "next": self.case.review_on,
            "next_reason": self.waiting.reason if self.waiting else "",
            "review_of": _opened_to_wire(self.of) if self.of else None,
            "changes": [
                {"on": row.on, "words": row.words, "case_id": self._seen(row.case)}
                for row, _ in self.changes
            ],
            "opened": [
                {"case_id": _continued_in(row).pk, "on": row.on, "reason": row.reason}
                for row in self.opened
            ],
        }

    def _seen(self, case: int | None) -> int | None:
        if case in self.visible:
            return case
        return None


def _continued_in(row: PeriodicReview) -> Case:
    """The case in which the customer is reviewed: the new one, or else the reopened one."""
    return row.opened_case or row.case


def _opened_to_wire(row: PeriodicReview) -> dict[str, object]:
    return {
        "case_id": row.case_id,
        "reference": row.case.reference,
        "on": row.on,
        "reason": row.reason,
        "opened_at": row.opened_at,
    }


def row_to_wire(row: PeriodicReview) -> dict[str, object]:
    """The review as JSON for the evidence pack."""
    opened = ""
    if row.status == Status.OPENED:
        opened = _continued_in(row).reference
    return {
        "status": row.status,
        "case": row.case.reference,
        "on": row.on,
        "reason": row.reason,
        "opened": opened,
        "opened_at": row.opened_at,
        "changes": row.changes,
    }


def rows_of(case: Case) -> list[PeriodicReview]:
    """All reviews of the case for the evidence pack, including ended ones and the one that
    opened it.
    """
    rows = _of_case(case)
    return list(rows.order_by("pk"))


def _of_case(case: Case) -> QuerySet[PeriodicReview]:
    """The reviews of the case, and the review that opened it."""
    is_of_case = Q(case=case) | Q(opened_case=case)
    rows = PeriodicReview.objects.filter(is_of_case)
    return rows.select_related("case", "opened_case")


def _visible(
    user: Person, own: Sequence[PeriodicReview], of: PeriodicReview | None
) -> dict[int, str]:
    numbers = [row.opened_case_id for row in own]
    if of is not None:
        numbers.append(of.case_id)
        for row in changes.stored(of.changes):
            numbers.append(row.case)
    keys = {number for number in numbers if number is not None}
    if not keys:
        return {}
    rows = roles.visible(user).filter(pk__in=keys)
    return dict(rows.values_list("pk", "reference"))


def _verdicts(case: Case) -> dict[str, str]:
    return dict(_pairs(case.summary))


def _pairs(summary: object) -> Iterator[tuple[str, str]]:
    if not isinstance(summary, dict):
        return
    pairs = summary.get("checks")
    if not isinstance(pairs, list):
        return
    for pair in pairs:
        match pair:
            case [str(label), str(verdict)]:
                yield label, verdict
