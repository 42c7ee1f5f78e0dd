"""What makes the audit trail append-only: triggers, on SQLite as on PostgreSQL."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db import connection

from reviews.models import CaseEvent, Chain, Seal, Unsealed

# The tables that only grow, and what waits for its seal. The names of our own tables, no input.
_EVENTS, _SEALS, _UNSEALED = (model._meta.db_table for model in (CaseEvent, Seal, Unsealed))


def _triggers() -> dict[str, str]:
    """Name → statement that sets it, for the database at hand."""
    if connection.vendor == "sqlite":
        refuse = "BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END"
        made = {
            f"{table}_no_{act}": f"CREATE TRIGGER IF NOT EXISTS {table}_no_{act}"
            f" BEFORE {act.upper()} ON {table} {refuse}"
            for table in (_EVENTS, _SEALS)
            for act in ("update", "delete")
        }
        made[f"{_EVENTS}_to_seal"] = (
            f"CREATE TRIGGER IF NOT EXISTS {_EVENTS}_to_seal AFTER INSERT ON {_EVENTS} BEGIN"
            f" INSERT INTO {_UNSEALED} (event_id) VALUES (NEW.id); END"
        )
        return made
    made = {}
    for table in (_EVENTS, _SEALS):
        for name, act, each in (
            ("no_change", "UPDATE OR DELETE", "ROW"),
            ("no_truncate", "TRUNCATE", "STATEMENT"),
        ):
            made[f"{table}_{name}"] = (
                f"CREATE OR REPLACE TRIGGER {table}_{name} BEFORE {act} ON {table}"
                f" FOR EACH {each} EXECUTE FUNCTION reviews_append_only()"
            )
    made[f"{_EVENTS}_to_seal"] = (
        f"CREATE OR REPLACE TRIGGER {_EVENTS}_to_seal AFTER INSERT ON {_EVENTS}"
        " FOR EACH ROW EXECUTE FUNCTION reviews_to_seal()"
    )
    return made


_FUNCTIONS = (
    "CREATE OR REPLACE FUNCTION reviews_append_only() RETURNS trigger LANGUAGE plpgsql AS"
    " $$ BEGIN RAISE EXCEPTION 'the audit trail is append-only'; END $$",
    "CREATE OR REPLACE FUNCTION reviews_to_seal() RETURNS trigger LANGUAGE plpgsql AS"
    f" $$ BEGIN INSERT INTO {_UNSEALED} (event_id) VALUES (NEW.id); RETURN NULL; END $$",
)


def _present() -> set[str]:
    """The names of the triggers that are set and not switched off."""
    if connection.vendor == "sqlite":
        sql = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    else:
        sql = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'"
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return {name for (name,) in cursor.fetchall()}


def missing() -> list[str]:
    present = _present()
    return [name for name in _triggers() if name not in present]


def ensure(sender: AppConfig | None = None, **_: Any) -> None:
    """Set the triggers and make the head. Connected to post_migrate: on SQLite a migration that
    alters a table makes it anew, and its triggers are gone."""
    with connection.cursor() as cursor:
        for statement in () if connection.vendor == "sqlite" else _FUNCTIONS:
            cursor.execute(statement)
        for statement in _triggers().values():
            cursor.execute(statement)
    Chain.objects.get_or_create(pk=1)


def unguard() -> None:
    """Take the triggers away: for tests, which empty all tables."""
    with connection.cursor() as cursor:
        for name in _triggers():
            on = "" if connection.vendor == "sqlite" else f" ON {_table_of(name)}"
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")


def _table_of(trigger: str) -> str:
    return _EVENTS if trigger.startswith(_EVENTS) else _SEALS
