"""Faults of the database that a test causes, and that end with its transaction."""

from __future__ import annotations

from django.db import connection, models


def refuse_rows(model: type[models.Model], column: str, value: int) -> None:
    """Have the database refuse new rows of the table with this value in this column."""
    table = model._meta.db_table
    name = f"refuse_{table}_{value}"
    when = f"WHEN (NEW.{column} = {value})"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                f"CREATE TRIGGER {name} BEFORE INSERT ON {table} {when}"
                " BEGIN SELECT RAISE(ABORT, 'refused'); END"
            )
            return
        cursor.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'refused'; END $$"
        )
        cursor.execute(
            f"CREATE TRIGGER {name} BEFORE INSERT ON {table} FOR EACH ROW {when}"
            f" EXECUTE FUNCTION {name}()"
        )
