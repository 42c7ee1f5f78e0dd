"""Downloads lists once a day, if an administrator has enabled it."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils.timezone import now

from agenthub.models.lists import ListRefresh, ListSource
from agenthub.screening import catalogue, loading
from agenthub.screening.formats import ListError
from compliance.db import clock
from compliance.work import notify

QUEUE = "agenthub.tasks.refresh_lists"
# The longest time of a download with its load: indexing alone takes minutes on a slow machine.
LEASE = timedelta(minutes=30)
EVERY, AFTER_A_FAILURE = timedelta(days=1), timedelta(hours=1)


@transaction.atomic
def switch(source: ListSource, *, url: str, on: bool) -> ListRefresh:
    """Enable or disable the daily download of a list. An empty `url` keeps the stored URL.

    Raises ListError if there is no URL.
    """
    if url:
        source.url = url
        source.save(update_fields=["url"])
    if on and not source.url:
        raise ListError("Say where the list is fetched from.")
    row, _ = ListRefresh.objects.get_or_create(source=source)
    # It may be enabled already: then only fetch it now.
    if on and not row.move(ListRefresh.Status.ON, due_at=clock.now(), error=""):
        fetch_now(row)
    if not on:
        row.move(ListRefresh.Status.OFF, due_at=None, leased_until=None)
    notify.after_commit(QUEUE)
    return row


def fetch_now(row: ListRefresh) -> bool:
    """Make the download due at once. Returns False if it is disabled."""
    rows = ListRefresh.objects.filter(pk=row.pk, status=ListRefresh.Status.ON)
    if not rows.update(due_at=clock.now()):
        return False
    notify.after_commit(QUEUE)
    return True


def perform(row: ListRefresh) -> None:
    """Download and load the list.

    After a failure, try again in an hour; the active version stays.
    """
    source = row.source
    try:
        with catalogue.file_of(source.url) as path:
            loading.load(source, path, progress=lambda _: row.heartbeat(LEASE))
    except ListError as exc:
        row.complete(due_at=clock.now() + AFTER_A_FAILURE, error=str(exc))
        return
    row.complete(
        due_at=clock.now() + EVERY,
        error="",
        fetched_at=now(),
    )
