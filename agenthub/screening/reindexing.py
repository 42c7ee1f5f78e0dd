"""Indexes lists again after an upgrade of the engine, from the entries that are kept.

A new version of the same file is prepared, and becomes active in one transaction. Until then the
earlier one stays: its hits are hits, and a check without one is inconclusive, and says which engine
made the index. Then everybody who is known is screened again, as after a load. May run twice, and may be killed at any time: the next run goes on with its version.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db import IntegrityError, transaction

from agenthub.models.lists import (
    ListEntity,
    ListPosting,
    ListReindex,
    ListVersion,
    Rescreening,
)
from agenthub.screening import loading
from agenthub.screening.indexing import entries, writing
from checks.screening.policy import ENGINE_VERSION
from compliance.approvals import lines
from compliance.db import clock
from compliance.security import decisive_rows
from compliance.work import notify
from compliance.work.rows import LeaseLostError

log = logging.getLogger(__name__)

QUEUE = "agenthub.tasks.reindex_lists"
# The index of a list is written in one go, as that of a load.
LEASE = timedelta(minutes=30)
# SQL that holds for a row whose list an engine other than this one has indexed.
IS_STALE = (
    "source_id IN (SELECT active.source_id FROM agenthub_listversion active"  # noqa: S608
    f" WHERE active.status = 'active' AND active.engine_version <> '{ENGINE_VERSION}')"
)
# While the list is being loaded: that load makes an index, too.
AFTER_A_LOAD = timedelta(minutes=1)
# In an upgrade machine by machine, workers of the earlier version wait here to be replaced.
WHEN_NEWER = timedelta(hours=1)
AFTER_FAILURES = timedelta(days=1)
# Among the changes of a version: which engine made the index before. Versions of a load have it not.
ENGINE_BEFORE = "engine_before"


class OvertakenError(Exception):
    """A load or another worker was faster: nothing was changed."""


def perform(row: ListReindex) -> None:
    """Make the index of a list anew where an older engine made it."""
    active = ListVersion.objects.filter(
        source=row.source_id, status=ListVersion.Status.ACTIVE
    ).first()
    if active is None or active.engine_version == ENGINE_VERSION:
        row.complete(due_at=clock.now(), error="")
        return
    if not is_older(active.engine_version):
        row.complete(due_at=clock.now() + WHEN_NEWER, error="")
        return
    version = _begin(row, active)
    if version is None:
        row.complete(due_at=clock.now() + AFTER_A_LOAD)
        return
    entries.renew(row.source, progress=lambda count: _note_progress(row, count))
    row.heartbeat(LEASE)
    name_count = _write_postings(version)
    _activate(row, active, version, name_count)
    log.info("list %s: indexed by engine %s", row.source.slug, ENGINE_VERSION)


def give_up(row: ListReindex, reason: str) -> None:
    """Try again tomorrow: the page says why, and what a person can do."""
    row.complete(due_at=clock.now() + AFTER_FAILURES, error=reason)


def is_older(engine_version: str) -> bool:
    """Whether an engine before this one made an index. Versions are numbers; none is before all."""
    return int(engine_version or 0) < int(ENGINE_VERSION)


def _note_progress(row: ListReindex, count: int) -> None:
    row.heartbeat(LEASE)
    ListReindex.objects.filter(pk=row.pk).update(reached=count)


def _begin(row: ListReindex, active: ListVersion) -> ListVersion | None:
    """The version to prepare: that of a run which was cut off, or a new one. None while the list is
    being loaded."""
    begun = row.version
    if begun is not None and begun.status == ListVersion.Status.STAGING:
        if begun.engine_version == ENGINE_VERSION:
            return begun
        begun.move(ListVersion.Status.REJECTED, note="The index was not finished.")
        decisive_rows.changed(begun)
    try:
        with transaction.atomic():
            version = ListVersion.objects.create(
                source=row.source,
                file_name=active.file_name,
                sha256=active.sha256,
                size=active.size,
                engine_version=ENGINE_VERSION,
            )
            if not row.write({"version_id": version.pk, "reached": 0}):
                raise LeaseLostError
    except IntegrityError:
        return None
    return version


def _write_postings(version: ListVersion) -> int:
    # Those of a run that was cut off before it could activate them.
    ListPosting.objects.filter(version=version).delete()
    writing.count_rows()
    return writing.write_postings(
        version, lambda: writing.names_of(version, lambda *_: True)
    )


def _activate(
    row: ListReindex, active: ListVersion, version: ListVersion, name_count: int
) -> None:
    """The new version in the place of the earlier one, which it is like in all but the index."""
    before = active.engine_version or "0"
    nothing_new = {"added": 0, "changed": 0, "removed": 0}
    changes = {**active.changes, **nothing_new, ENGINE_BEFORE: before}
    with transaction.atomic():
        has_ended = active.move(ListVersion.Status.RETIRED)
        is_active = version.move(
            ListVersion.Status.ACTIVE,
            published_at=active.published_at,
            # The list is as old as it was: a new index does not make it younger.
            loaded_at=active.loaded_at,
            entity_count=ListEntity.objects.filter(
                source=row.source_id, last_version=None
            ).count(),
            name_count=name_count,
            topics=active.topics,
            changes=changes,
        )
        is_ours = row.complete(due_at=clock.now(), error="", version_id=None)
        if not (has_ended and is_active and is_ours):
            raise OvertakenError
        for changed in (active, version):
            decisive_rows.changed(changed)
        data = {
            "list": row.source.slug,
            "version": version.pk,
            "engine": ENGINE_VERSION,
            "engine_before": before,
        }
        lines.record("list_indexed_again", data, user=None)
        # The engine may know people whom the earlier one did not: everybody is screened again.
        Rescreening.begin(version)
        notify.after_commit(loading.QUEUE)
        ListPosting.objects.filter(version=active).delete()
