"""How the lists stand, for the command and the page."""

from __future__ import annotations

from dataclasses import dataclass

from agenthub.models.lists import HeldVersion, ListSource, ListVersion
from agenthub.screening import held
from agenthub.screening.index import to_record


@dataclass(frozen=True, slots=True)
class ListStatus:
    """One list. `version` is None where none is active; `refused` says why the last load failed."""

    slug: str
    title: str
    topics: tuple[str, ...]
    version: int | None
    published_at: str
    loaded_at: str
    sha256: str
    entities: int
    names: int
    is_stale: bool
    max_age_days: int
    changes: dict[str, int]
    refused: str
    held: HeldVersion | None


def all_lists() -> list[ListStatus]:
    return [of(source) for source in ListSource.objects.all()]


def of(source: ListSource) -> ListStatus:
    active = source.versions.filter(status=ListVersion.Status.ACTIVE).first()
    latest = source.versions.exclude(status=ListVersion.Status.STAGING).first()
    was_refused = latest is not None and latest.status == ListVersion.Status.REJECTED
    known = to_record(active) if active else None
    return ListStatus(
        slug=source.slug,
        title=source.title,
        topics=tuple(active.topics if active else source.topics),
        version=active.pk if active else None,
        published_at=active.published_at if active else "",
        loaded_at=known.loaded_at if known else "",
        sha256=active.sha256 if active else "",
        entities=active.entity_count if active else 0,
        names=active.name_count if active else 0,
        is_stale=bool(known and known.is_stale),
        max_age_days=source.max_age_days,
        changes=dict(active.changes) if active else {},
        refused=latest.note if latest is not None and was_refused else "",
        held=held.of(source),
    )
