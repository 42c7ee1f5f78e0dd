"""Upgrades from versions that had several migrations per app.

Those migrations were merged into 0001_initial. A database with all of them needs no change, since
its tables are the same. A database with only some of them cannot be upgraded by this version.
"""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.management.base import CommandError
from django.db import connections, migrations
from django.db.migrations.recorder import MigrationRecorder

# The last migration of each app before the merge.
LAST = {
    "agenthub": "0019_unread_documents",
    "reviews": "0023_more_claims_of_reasons",
    "webhooks": "0003_receiving_looks_no_other_row_up",
}
# The second migration of each app: if it is applied, the database is older than the merge.
SECOND = {
    "agenthub": "0002_batches_uploads_feedback_and_reruns",
    "reviews": "0002_decisions_and_trail",
    "webhooks": "0002_fewer_indexes_per_webhook",
}


def require_last_migration(sender: AppConfig, using: str, **_: object) -> None:
    """A receiver of pre_migrate. Raises CommandError for a database with only some of them."""
    if sender.label not in LAST:
        return
    applied = MigrationRecorder(connections[using]).applied_migrations()
    is_of_earlier_version = (sender.label, SECOND[sender.label]) in applied
    if is_of_earlier_version and (sender.label, LAST[sender.label]) not in applied:
        raise CommandError(
            f"This database is of an earlier version: {sender.label} lacks"
            f" {LAST[sender.label]}. Run `{settings.PROGRAM} migrate` of the version before the migrations"
            " were merged (CHANGELOG.md), and then of this one."
        )


class AlterToBinary(migrations.AlterField):
    """Turns a column of text or JSON into one of bytes, with the same content in UTF-8.

    Django's own operation would read the text as an escaped form of bytes.
    """

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        if schema_editor.connection.vendor != "postgresql":
            # SQLite stores the text unchanged in a column of any type.
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        table = schema_editor.quote_name(model._meta.db_table)
        column = schema_editor.quote_name(model._meta.get_field(self.name).column)
        schema_editor.execute(
            f"ALTER TABLE {table} ALTER COLUMN {column} TYPE bytea"
            f" USING convert_to({column}::text, 'UTF8')"
        )

    def database_backwards(
        self,
        app_label: str,
        schema_editor: object,
        from_state: object,
        to_state: object,
    ) -> None:
        raise CommandError("What is encrypted cannot be read by an earlier version.")
