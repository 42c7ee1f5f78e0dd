"""The labelled set: hits that people confirmed or dismissed, with their scores at that time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.utils.timezone import now

from reviews import results
from reviews.access import roles
from reviews.models import Case, HitLabel


def add(
    case: Case,
    hits: Sequence[tuple[str, results.Hit]],
    *,
    kind: HitLabel.Kind,
    source: HitLabel.Source,
    actor: User,
    moment: datetime | None = None,
) -> list[HitLabel]:
    """Add a label for each list of a hit. `hits`: pairs of key and hit.

    `moment`: the time of the judgement, if not now. Lists that have a label already are
    skipped. The caller records the line of the trail with the returned rows, in the same
    transaction.
    """
    keys = [key for key, _hit in hits]
    labels = {label.key for label in standing(case, keys)}
    moment = moment or now()
    rows = []
    for key, hit in hits:
        # A hit has one label in a case. The first judgement stays until it is taken back.
        if key in labels:
            continue
        rows.append(
            HitLabel.objects.create(
                case=case,
                kind=kind,
                source=source,
                key=key,
                asked=hit.details["query"],
                title=hit.entry_name,
                entry_id=hit.identity[1],
                list_slug=hit.list_slug,
                list_title=hit.list_title,
                script=hit.script,
                schema=hit.details["schema"],
                band=hit.band,
                score=hit.score,
                is_certain=hit.is_certain,
                by=actor,
                at=moment,
            )
        )
    return rows


def end(rows: Collection[HitLabel], moment: datetime) -> None:
    for row in rows:
        row.taken_back_at = moment
        row.save(update_fields=["taken_back_at"])


def standing(
    case: Case, keys: Collection[str], kind: HitLabel.Kind | None = None
) -> list[HitLabel]:
    """The labels of these hits in this case that were not taken back."""
    rows = HitLabel.objects.filter(
        case=case,
        key__in=keys,
        taken_back_at=None,
    )
    if kind is not None:
        rows = rows.filter(kind=kind)
    return list(rows.select_related("by", "case"))


def confirmed_keys(case: Case, keys: Collection[str]) -> set[str]:
    """The keys that a person has confirmed, in this or another case of the connection."""
    rows = HitLabel.objects.filter(
        key__in=keys,
        kind=HitLabel.Kind.CONFIRMED,
        taken_back_at=None,
        case__connection=case.connection_id,
    )
    return set(rows.values_list("key", flat=True))


def all_standing() -> QuerySet[HitLabel]:
    return HitLabel.objects.filter(taken_back_at=None)


def visible(user: User | AnonymousUser) -> QuerySet[HitLabel]:
    """The labels of cases that the user may see."""
    return roles.only_visible(user, all_standing(), "case__connection")
