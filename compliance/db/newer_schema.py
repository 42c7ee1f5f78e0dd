"""Whether a newer version than this code has migrated the database.

During an upgrade, workers of the version before still run. What they write may not fit the new
tables, and a job would fail for good. So they claim nothing more, and those of the new version do
the work.
"""

from __future__ import annotations

import logging
import pkgutil

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from compliance.db import clock

log = logging.getLogger(__name__)

# How often the table of migrations is counted. A worker of the version before may claim rows for
# this long.
EVERY_SECONDS = 2.0
Migration = tuple[str, str]  # label of the app, name


class SchemaWatch:
    """Compares the migrations of the database with those that this process began with."""

    def __init__(self) -> None:
        self._first: frozenset[Migration] | None = None
        self._count = 0
        self._next = 0.0  # in seconds of the steady clock
        self._is_newer = False

    def is_newer(self) -> bool:
        """Whether migrations were applied that this code does not have."""
        if clock.steady() >= self._next:
            self._look()
            self._next = clock.steady() + EVERY_SECONDS
        return self._is_newer

    def look_again(self) -> None:
        """Look at the next question, whenever the last look was."""
        self._next = 0.0

    def _look(self) -> None:
        recorder = MigrationRecorder(connection)
        count = recorder.migration_qs.count()
        if self._first is not None and count == self._count:
            return
        applied = frozenset(recorder.applied_migrations())
        if self._first is None:
            # Names that earlier versions left, and that this code does not have either.
            self._first = applied
        self._count = count
        unknown = sorted(applied - self._first - _of_this_code())
        if unknown and not self._is_newer:
            label, name = unknown[-1]
            log.error(
                "A newer version has migrated the database (%s.%s): this worker claims nothing more."
                " Replace it by the new version.",
                label,
                name,
            )
        self._is_newer = bool(unknown)


def _of_this_code() -> frozenset[Migration]:
    """The migrations whose files this code has. None of them is imported."""
    migrations: set[Migration] = set()
    for app in apps.get_app_configs():
        folder = f"{app.path}/migrations"
        for module in pkgutil.iter_modules([folder]):
            migrations.add((app.label, module.name))
    return frozenset(migrations)


WATCH = SchemaWatch()
