"""The state of each list, for the management command and the page."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from agenthub.models.lists import HeldVersion, ListReindex, ListSource, ListVersion
from agenthub.screening import held
from agenthub.screening.index import to_record
from checks.screening.policy import ENGINE_VERSION


@dataclass(frozen=True, slots=True)
class ListStatus:
    """The state of one list. `version`: None if none is active. `refused`: why the last load failed."""

    slug: str
    title: str
    topics: tuple[str, ...]
    max_age_days: int
    held: HeldVersion | None
    version: int | None = None
    published_at: str = ""
    loaded_at: str = ""
    sha256: str = ""
    entities: int = 0
    names: int = 0
    is_stale: bool = False
    # Set if another version of the engine built the index.
    engine_before: str = ""
    reindex: ListReindex | None = None
    changes: dict[str, int] = field(default_factory=dict)
    refused: str = ""


def all_lists() -> list[ListStatus]:
    return [of(source) for source in ListSource.objects.all()]


def of(source: ListSource) -> ListStatus:
    status = ListStatus(
        slug=source.slug,
        title=source.title,
        topics=tuple(source.topics),
        max_age_days=source.max_age_days,
        held=held.of(source),
    )
    # The newest version that is not being loaded: if it was rejected, show why.
    latest = source.versions.exclude(status=ListVersion.Status.STAGING).first()
    if latest is not None and latest.status == ListVersion.Status.REJECTED:
        status = replace(status, refused=latest.note)
    active = source.versions.filter(status=ListVersion.Status.ACTIVE).first()
    if active is None:
        return status
    record = to_record(active)
    if active.engine_version != ENGINE_VERSION:
        status = replace(
            status,
            engine_before=active.engine_version or "0",
            reindex=ListReindex.objects.filter(source=source).first(),
        )
    return replace(
        status,
        topics=tuple(active.topics),
        version=active.pk,
        published_at=active.published_at,
        loaded_at=record.loaded_at,
        sha256=active.sha256,
        entities=active.entity_count,
        names=active.name_count,
        is_stale=record.is_stale,
        changes=dict(active.changes),
    )
