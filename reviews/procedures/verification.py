"""Compares the number of open items of cases with their checklists, for `audit_verify`.

Marks and procedures are bound to the trail. The number on the case is a copy of what follows from them,
and a case without open items may be decided.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import Q

from reviews.models import Case, ChecklistMark, Procedure
from reviews.procedures import versions

BATCH = 500


def faults() -> Iterator[str]:
    """Cases whose number of open items does not follow from the marks. Erased ones are left out."""
    required = _required_items()
    cases = Case.objects.filter(erased_at=None).order_by("pk")
    cases = cases.filter(Q(procedure__in=required) | Q(open_items__gt=0))
    rows = cases.values_list("pk", "procedure", "open_items")
    batch: list[tuple[int, int | None, int]] = []
    for row in rows.iterator(chunk_size=BATCH):
        batch.append(row)
        if len(batch) == BATCH:
            yield from _of(batch, required)
            batch = []
    yield from _of(batch, required)


def _required_items() -> dict[int, frozenset[str]]:
    """The keys of the required items of each procedure that has some."""
    required = {}
    for procedure in Procedure.objects.all():
        items = versions.content_of(procedure).items
        keys = frozenset(item.key for item in items if item.required)
        if keys:
            required[procedure.pk] = keys
    return required


def _of(
    rows: list[tuple[int, int | None, int]], required: dict[int, frozenset[str]]
) -> Iterator[str]:
    marked: dict[int, set[str]] = defaultdict(set)
    marks = ChecklistMark.objects.filter(case__in=[pk for pk, _, _ in rows])
    for case, item in marks.values_list("case", "item"):
        marked[case].add(item)
    for pk, procedure, count in rows:
        items = required.get(procedure or 0, frozenset())
        if count != len(items - marked[pk]):
            yield f"reviews_case {pk}: its open items are not those of its checklist."
