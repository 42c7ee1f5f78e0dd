"""The database triggers that make the audit trail append-only, for SQLite and PostgreSQL."""

from __future__ import annotations

from django.apps import AppConfig
from django.db import connection

from reviews.models import CaseEvent, Chain, Seal, Unsealed

# Names of our own tables, no user input: safe to put into SQL. Rows of events and seals are
# only inserted.
_EVENTS = CaseEvent._meta.db_table
_SEALS = Seal._meta.db_table
_UNSEALED = Unsealed._meta.db_table
# The trigger that adds each new event to the list of unsealed events.
_TO_SEAL = f"{_EVENTS}_to_seal"

_POSTGRESQL_FUNCTIONS = (
    "CREATE OR REPLACE FUNCTION reviews_append_only() RETURNS trigger LANGUAGE plpgsql AS"
    " $$ BEGIN RAISE EXCEPTION 'the audit trail is append-only'; END $$",
    "CREATE OR REPLACE FUNCTION reviews_to_seal() RETURNS trigger LANGUAGE plpgsql AS"
    f" $$ BEGIN INSERT INTO {_UNSEALED} (event_id) VALUES (NEW.id); RETURN NULL; END $$",
)


def _triggers() -> dict[str, str]:
    """The SQL statement that creates each trigger, by its name, for the database in use."""
    if connection.vendor == "sqlite":
        return _sqlite_triggers()
    return _postgresql_triggers()


def _sqlite_triggers() -> dict[str, str]:
    triggers = {}
    for table in (_EVENTS, _SEALS):
        for act in ("update", "delete"):
            name = f"{table}_no_{act}"
            triggers[name] = (
                f"CREATE TRIGGER IF NOT EXISTS {name} BEFORE {act.upper()} ON {table}"
                " BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END"
            )
    triggers[_TO_SEAL] = (
        f"CREATE TRIGGER IF NOT EXISTS {_TO_SEAL} AFTER INSERT ON {_EVENTS} BEGIN"
        f" INSERT INTO {_UNSEALED} (event_id) VALUES (NEW.id); END"
    )
    return triggers


def _postgresql_triggers() -> dict[str, str]:
    triggers = {}
    for table in (_EVENTS, _SEALS):
        triggers[f"{table}_no_change"] = (
            f"CREATE OR REPLACE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table}"
            " FOR EACH ROW EXECUTE FUNCTION reviews_append_only()"
        )
        triggers[f"{table}_no_truncate"] = (
            f"CREATE OR REPLACE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION reviews_append_only()"
        )
    triggers[_TO_SEAL] = (
        f"CREATE OR REPLACE TRIGGER {_TO_SEAL} AFTER INSERT ON {_EVENTS}"
        " FOR EACH ROW EXECUTE FUNCTION reviews_to_seal()"
    )
    return triggers


def missing() -> list[str]:
    """The names of the triggers that do not exist or are disabled."""
    if connection.vendor == "sqlite":
        sql = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    else:
        # tgenabled 'O': the trigger fires in normal operation. A superuser can disable one.
        sql = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'"
    with connection.cursor() as cursor:
        cursor.execute(sql)
        present = {name for (name,) in cursor.fetchall()}
    return [name for name in _triggers() if name not in present]


def ensure(sender: AppConfig | None = None, **_: object) -> None:
    """Create the triggers and the row of the chain. Connected to post_migrate.

    On SQLite, a migration that alters a table creates a new table, which has no triggers.
    """
    with connection.cursor() as cursor:
        if connection.vendor != "sqlite":
            for statement in _POSTGRESQL_FUNCTIONS:
                cursor.execute(statement)
        for statement in _triggers().values():
            cursor.execute(statement)
    Chain.objects.get_or_create(pk=1)
