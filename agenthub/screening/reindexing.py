"""Rebuilds the index of lists after an upgrade of the engine, from the stored entries.

A new version of the same file is prepared, and activated in one transaction. Until then the earlier
version stays active. Its hits are valid, but a check without a hit is inconclusive, and names the
engine that built the index. Afterwards all earlier subjects are screened again, as after a load.

It can be interrupted and repeated at any time: the next run continues with the same version.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
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
# The longest time without a heartbeat: the postings of a list are written in one go.
LEASE = timedelta(minutes=30)
# An SQL condition: the list of the row was indexed by another engine than this one.
IS_STALE = (
    "source_id IN (SELECT active.source_id FROM agenthub_listversion active"  # noqa: S608
    f" WHERE active.status = 'active' AND active.engine_version <> '{ENGINE_VERSION}')"
)
# The wait while a load is running: that load also builds an index.
AFTER_A_LOAD = timedelta(minutes=1)
# The wait for an index of a newer engine. In a rolling upgrade, older workers wait to be replaced.
WHEN_NEWER = timedelta(hours=1)
AFTER_FAILURES = timedelta(days=1)
# A key in a version's `changes`: the engine that built the previous index. Loads do not set it.
ENGINE_BEFORE = "engine_before"


class OvertakenError(Exception):
    """A load or another worker was faster; nothing was changed."""


def perform(row: ListReindex) -> None:
    """Rebuild the index of a list if an older engine built it."""
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
    unsure = entries.renew(
        row.source, progress=lambda count: _note_progress(row, count)
    )
    row.heartbeat(LEASE)
    name_count = _write_postings(version)
    _activate(row, active, version, name_count, unsure)
    log.info("list %s: indexed by engine %s", row.source.slug, ENGINE_VERSION)


def give_up(row: ListReindex, reason: str) -> None:
    """Try again tomorrow. The page of the list shows the reason and what a person can do."""
    row.complete(due_at=clock.now() + AFTER_FAILURES, error=reason)


def is_older(engine_version: str) -> bool:
    """Whether an older engine built an index.

    Engine versions are integers; an empty one is the oldest.
    """
    return int(engine_version or 0) < int(ENGINE_VERSION)


def _note_progress(row: ListReindex, count: int) -> None:
    row.heartbeat(LEASE)
    ListReindex.objects.filter(pk=row.pk).update(reached=count)


def _begin(row: ListReindex, active: ListVersion) -> ListVersion | None:
    """The version to prepare: that of an interrupted run, or a new one.

    Returns None while the list is being loaded."""
    begun = row.version
    if begun is not None and begun.status == ListVersion.Status.STAGING:
        if begun.engine_version == ENGINE_VERSION:
            return begun
        begun.move(ListVersion.Status.REJECTED, note="The index was not finished.")
        decisive_rows.changed(begun)
    # A constraint allows one version per list in the status "staging": that of a load blocks this
    # one.
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
    # Remove postings of a run that was interrupted before it could activate them.
    ListPosting.objects.filter(version=version).delete()
    writing.count_rows()
    return writing.write_postings(
        version, lambda: writing.names_of(version, lambda *_: True)
    )


def _activate(
    row: ListReindex,
    active: ListVersion,
    version: ListVersion,
    name_count: int,
    unsure: Mapping[str, int],
) -> None:
    """Replace the active version by the new one, which differs from it only in the index."""
    before = active.engine_version or "0"
    nothing_new = {"added": 0, "changed": 0, "removed": 0}
    changes = {**active.changes, **nothing_new, **unsure, ENGINE_BEFORE: before}
    with transaction.atomic():
        has_ended = active.move(ListVersion.Status.RETIRED)
        is_active = version.move(
            ListVersion.Status.ACTIVE,
            published_at=active.published_at,
            # Keep the time of loading: a new index does not make the content newer.
            loaded_at=active.loaded_at,
            entity_count=ListEntity.objects.filter(
                source=row.source_id, last_version=None
            ).count(),
            name_count=name_count,
            topics=active.topics,
            changes=changes,
            # Not computed again: entries that were changed meanwhile must not become right.
            entries_sha256=active.entries_sha256,
        )
        is_ours = row.complete(due_at=clock.now(), error="", version_id=None)
        # Raising rolls all of it back.
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
        # The new engine may match people that the earlier one missed: screen all subjects again.
        Rescreening.begin(version)
        notify.after_commit(loading.QUEUE)
        ListPosting.objects.filter(version=active).delete()
