"""Whether a newer version than this code has migrated the database.

During an upgrade, processes of the version before may still run. What they write may not fit the new
tables: a job would fail for good, or a line of the trail would lack what the new version binds to it.
So their workers claim nothing more, and their web processes refuse what writes.
"""

from __future__ import annotations

import logging
import pkgutil
from collections.abc import Sequence

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from compliance.db import clock

log = logging.getLogger(__name__)

# How often the table of migrations is counted. A process of the version before may write for this
# long.
EVERY_SECONDS = 2.0
Migration = tuple[str, str]  # label of the app, name


class SchemaWatch:
    """Compares the migrations of the database with those of this code."""

    def __init__(self) -> None:
        self._count = 0
        self._next = 0.0  # in seconds of the steady clock
        self._newest = ""

    def is_newer(self) -> bool:
        """Whether a version with further migrations has migrated the database."""
        return bool(self.newest())

    def newest(self) -> str:
        """The newest migration that this code does not have, as "app.name"; "" if there is none."""
        if clock.steady() >= self._next:
            self.wait()
            self._look()
        return self._newest

    def wait(self) -> None:
        """Look no sooner than EVERY_SECONDS from now, also after an error of the database."""
        self._next = clock.steady() + EVERY_SECONDS

    def look_again(self) -> None:
        """Look at the next question, whenever the last look was."""
        self._next = 0.0

    def _look(self) -> None:
        rows = MigrationRecorder(connection).migration_qs
        count = rows.count()
        if count == self._count:
            return
        newest = _newest_unknown(list(rows.order_by("id").values_list("app", "name")))
        self._count = count
        if newest and not self._newest:
            log.error(
                "A newer version has migrated the database (%s): this process claims no work and"
                " stores nothing more. Replace it by the new version.",
                newest,
            )
        self._newest = newest


def _newest_unknown(applied: Sequence[Migration]) -> str:
    """The last migration of an app that was applied after all that this code has of the app.

    `applied`: in the order in which they were applied. An unknown one before them is of an earlier
    version, which was replaced since. Apps that this process does not load have no rows for it.
    """
    known = _of_this_code()
    after: dict[str, str] = {}
    for label, name in applied:
        if (label, name) in known:
            after[label] = ""
        elif label in after:
            after[label] = name
    for label, name in reversed(applied):
        if after.get(label) == name:
            return f"{label}.{name}"
    return ""


def _of_this_code() -> frozenset[Migration]:
    """The migrations whose files this code has. None of them is imported."""
    migrations: set[Migration] = set()
    for app in apps.get_app_configs():
        folder = f"{app.path}/migrations"
        for module in pkgutil.iter_modules([folder]):
            migrations.add((app.label, module.name))
    return frozenset(migrations)


WATCH = SchemaWatch()
