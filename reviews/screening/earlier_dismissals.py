"""Adds labels for hits that people dismissed before the labelled set existed."""

from __future__ import annotations

from django.db import transaction

from reviews import results
from reviews.audit import trail
from reviews.findings import dismissals, hit_labels
from reviews.findings.review_state import ReviewState
from reviews.models import Case, Dismissal, HitLabel


@transaction.atomic
def label(case: Case) -> list[HitLabel]:
    """Add the missing labels of a case. A second call adds none.

    A label gets the time and the person of its dismissal. If the results no longer contain the
    hit, its score and script are unknown, so it gets no label.
    """
    Case.objects.select_for_update().get(pk=case.pk)
    labelled = HitLabel.objects.filter(case=case).values_list("key", flat=True)
    rows = Dismissal.objects.filter(case=case, taken_back_at=None)
    missing = list(rows.exclude(key__in=list(labelled)).select_related("by"))
    if not missing:
        return []
    hits = _hits(case)
    labels: list[HitLabel] = []
    for row in missing:
        hit = hits.get(row.key)
        if hit is not None:
            labels += hit_labels.add(
                case,
                [(row.key, hit)],
                kind=HitLabel.Kind.DISMISSED,
                source=HitLabel.Source.SCREENING,
                actor=row.by,
                moment=row.at,
            )
    if labels:
        data = {"count": len(labels)}
        trail.record(case, "dismissed_hits_labelled", data, about=labels)
    return labels


def _hits(case: Case) -> dict[str, results.Hit]:
    """The hits of a case for each of their lists, by dismissal key."""
    hits: dict[str, results.Hit] = {}
    for part in ReviewState.of(case).parts:
        for finding in part.findings:
            if isinstance(finding, results.Hit):
                for member in finding.members:
                    hits[dismissals.key_of(case, "", member)] = member
    return hits
