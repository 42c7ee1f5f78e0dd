"""Plain statements over models, written once and prepared: what every job does many times.

Django's ORM takes five to ten times longer to write such a statement than the database takes to
answer it. Here the SQL is made once for each shape. On PostgreSQL it is prepared, and the values
travel apart from it; elsewhere, and where somebody counts or logs statements, Django's own cursor
runs the same SQL. No signals are sent. Conditions are equalities, or memberships (`pk__in`).

>>> update(Job, {"status": "running"}, pk=job.pk, status__in=["queued"])
1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple, TypeVar, cast

from django.db import InterfaceError, OperationalError, connections, models, router
from django.db.backends.base.base import BaseDatabaseWrapper

Row = TypeVar("Row", bound=models.Model)
Result = TypeVar("Result")


def asked(sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows of a statement that somebody else has written, over the default database."""
    return _fetched(connections["default"], sql, values)


def without_health_check(statement: Callable[[], Result]) -> Result:
    """Run the first statement of a request, which does no harm if it runs twice.

    Django would run SELECT 1 before it, which doubles the round trips of a short request. A
    connection that was lost while it was idle is opened again here, and the statement repeated.
    """
    database = connections["default"]
    setattr(database, "health_check_done", True)  # noqa: B010 - unknown to the type stubs
    try:
        return statement()
    except (InterfaceError, OperationalError):
        if database.in_atomic_block or database.is_usable():
            raise
        database.close()
        return statement()


@contextmanager
def unsynced() -> Iterator[None]:
    """Commit on SQLite without waiting for the disk.

    For what does no harm if it is lost with the power, because it is then done again. The log of
    SQLite is one file: the next commit that waits for the disk takes this one with it. PostgreSQL
    waits in a process of its own, and for many at once: there it gained nothing.
    """
    database = connections["default"]
    if database.vendor != "sqlite" or database.in_atomic_block:  # it waits as a whole
        yield
        return
    database.ensure_connection()
    database.connection.execute("PRAGMA synchronous = NORMAL")
    try:
        yield
    finally:
        database.connection.execute("PRAGMA synchronous = FULL")


def rows(
    model: type[Row],
    *,
    order: str = "",
    most: int = 0,
    lock: bool = False,
    only: Sequence[str] = (),
    **conditions: Any,
) -> list[Row]:
    """The rows that meet the conditions, by `order` ("-id") if given, `most` of them (0: all).

    `lock` holds them for this transaction, where the database locks rows. `only`: the fields to
    read, the others are read when they are asked for.
    """
    using = router.db_for_read(model)
    database = connections[using]
    where, values = _where(model, conditions, database)
    end = f" ORDER BY {_ordered(model, order)}" if order else ""
    end += f" LIMIT {most}" if most else ""
    end += " FOR UPDATE" if lock and database.features.has_select_for_update else ""
    statement = _select(model, tuple(only), where + end, database.vendor)
    found = _fetched(database, statement.sql, values)
    return [model.from_db(using, statement.names, statement.read(row)) for row in found]


def returned(model: type[Row], sql: str, values: Sequence[Any]) -> list[Row]:
    """The rows that a statement over the model's table writes, as they then are."""
    using = router.db_for_write(model)
    database = connections[using]
    statement = _returning(model, sql, database.vendor)
    found = _fetched(database, statement.sql, values)
    return [model.from_db(using, statement.names, statement.read(row)) for row in found]


def update(model: type[models.Model], changes: Mapping[str, Any], **conditions: Any) -> int:
    """Write `changes` to the rows that meet the conditions. Returns how many there were."""
    using = router.db_for_write(model)
    if any(hasattr(value, "resolve_expression") for value in changes.values()):
        return model._base_manager.using(using).filter(**conditions).update(**changes)
    database = connections[using]
    where, params = _where(model, conditions, database)
    fields = [_field(model, name) for name in changes]
    written = [
        _written(field, getattr(value, "pk", value), database)
        for field, value in zip(fields, changes.values(), strict=True)
    ]
    sql = _update(model, tuple(changes), where)
    return int(_executed(database, sql, [*written, *params]).rowcount)


def insert(made: Sequence[models.Model], *, replacing: Replacing | None = None) -> None:
    """Insert new rows of one model, in one statement, as they are; their keys are filled in.

    `replacing`: where a row has the unique fields of one that stands, it takes its place in the
    fields named; then keys are not filled in. Raises IntegrityError.
    """
    if not made:
        return
    model = type(made[0])
    database = connections[router.db_for_write(model)]
    key = model._meta.pk
    is_numbered = made[0].pk is None
    fields = [field for field in model._meta.concrete_fields if not (is_numbered and field == key)]
    values = [
        _written(field, field.pre_save(row, add=True), database) for row in made for field in fields
    ]
    asks = is_numbered and replacing is None
    sql = _insert(model, len(made), is_numbered, asks, replacing)
    numbers: Sequence[tuple[Any, ...]] = ()
    if asks:
        numbers = _fetched(database, sql, values)
    else:
        _executed(database, sql, values)
    for row, (number,) in zip(made, numbers, strict=False):
        row.pk = number
    for row in made:
        row._state.adding, row._state.db = False, database.alias


class Replacing(NamedTuple):
    """Which rows an insert may meet, and what it then writes to them. Fields by name."""

    unique: tuple[str, ...]
    fields: tuple[str, ...]


class _Select(NamedTuple):
    sql: str
    names: list[str]
    converters: list[tuple[int, list[Callable[..., Any]], Any]]
    database: str

    def read(self, row: Sequence[Any]) -> Sequence[Any]:
        """The values of a row as the model's fields have them."""
        if not self.converters:
            return row
        values, database = list(row), connections[self.database]
        for place, own, column in self.converters:
            for convert in own:
                values[place] = convert(values[place], column, database)
        return values


@lru_cache(maxsize=256)
def _select(
    model: type[models.Model],
    only: tuple[str, ...],
    where: str,
    vendor: str,  # how a value is read is the database's affair
) -> _Select:
    wanted = {_field(model, name) for name in only} | {model._meta.pk}
    fields = [field for field in model._meta.concrete_fields if not only or field in wanted]
    sql = f"SELECT {_columns(fields)} FROM {_quoted(model._meta.db_table)} WHERE {where}"  # noqa: S608
    return _reading(model, fields, sql)


@lru_cache(maxsize=256)
def _returning(model: type[models.Model], sql: str, vendor: str) -> _Select:
    fields = model._meta.concrete_fields
    return _reading(model, fields, f"{sql} RETURNING {_columns(fields)}")


def _reading(
    model: type[models.Model], fields: Sequence[models.Field[Any, Any]], sql: str
) -> _Select:
    using = router.db_for_read(model)
    database = connections[using]
    converters = []
    for place, field in enumerate(fields):
        column: Any = field.get_col(model._meta.db_table)
        own = [*database.ops.get_db_converters(column), *field.get_db_converters(database)]
        if own:
            converters.append((place, own, column))
    return _Select(sql, [field.attname for field in fields], converters, using)


@lru_cache(maxsize=256)
def _update(model: type[models.Model], names: tuple[str, ...], where: str) -> str:
    changes = ", ".join(f"{_column(model, name)} = %s" for name in names)
    return f"UPDATE {_quoted(model._meta.db_table)} SET {changes} WHERE {where}"  # noqa: S608


@lru_cache(maxsize=256)
def _insert(
    model: type[models.Model],
    count: int,
    is_numbered: bool,  # noqa: FBT001
    asks: bool,  # noqa: FBT001
    replacing: Replacing | None,
) -> str:
    key = model._meta.pk
    fields = [field for field in model._meta.concrete_fields if not (is_numbered and field == key)]
    row = f"({', '.join(['%s'] * len(fields))})"
    table = _quoted(model._meta.db_table)
    sql = f"INSERT INTO {table} ({_columns(fields)}) VALUES {', '.join([row] * count)}"  # noqa: S608
    if replacing:
        unique = ", ".join(_column(model, name) for name in replacing.unique)
        own = [_column(model, name) for name in replacing.fields]
        changes = ", ".join(f"{column} = EXCLUDED.{column}" for column in own)
        sql += f" ON CONFLICT ({unique}) DO UPDATE SET {changes}"
    return f"{sql} RETURNING {_columns([key])}" if asks else sql


# What these fields write as it is. A field of a class of its own may write something else.
_PLAIN: dict[type[models.Field[Any, Any]], type] = {
    models.BooleanField: bool,
    models.CharField: str,
    models.TextField: str,
    models.IntegerField: int,
    models.PositiveIntegerField: int,
    models.BigAutoField: int,
    models.ForeignKey: int,
}


def _written(field: models.Field[Any, Any], value: Any, database: BaseDatabaseWrapper) -> Any:
    """A value as it goes into the row."""
    if value is None or value.__class__ is _PLAIN.get(type(field)):
        return value
    return field.get_db_prep_save(value, database)


def _where(
    model: type[models.Model], conditions: Mapping[str, Any], database: BaseDatabaseWrapper
) -> tuple[str, list[Any]]:
    """The condition as SQL, and its values."""
    parts, values = [], []
    for name, value in conditions.items():
        plain = name.removesuffix("__in")
        field = _field(model, plain)
        column = _quoted(field.column)
        if plain == name:
            parts.append(f"{column} = %s")
            values.append(field.get_db_prep_value(getattr(value, "pk", value), database))
            continue
        listed = [field.get_db_prep_value(getattr(each, "pk", each), database) for each in value]
        if len(listed) == 1:  # nearly always, and planned better than a list of unknown length
            parts.append(f"{column} = %s")
            values += listed
        elif database.vendor == "postgresql":  # one statement for lists of any length
            parts.append(f"{column} = ANY(%s)")
            values.append(listed)
        else:
            parts.append(f"{column} IN ({', '.join(['%s'] * len(listed))})")
            values += listed
    return " AND ".join(parts), values


def _ordered(model: type[models.Model], order: str) -> str:
    return _column(model, order.removeprefix("-")) + (" DESC" if order.startswith("-") else "")


def _field(model: type[models.Model], name: str) -> models.Field[Any, Any]:
    found = model._meta.pk if name == "pk" else model._meta.get_field(name)
    return cast("models.Field[Any, Any]", found)


def _column(model: type[models.Model], name: str) -> str:
    return _quoted(_field(model, name).column)


def _columns(fields: Sequence[models.Field[Any, Any]]) -> str:
    return ", ".join(_quoted(field.column) for field in fields)


def _quoted(name: str | None) -> str:
    return f'"{name}"'


def _executed(database: BaseDatabaseWrapper, sql: str, values: Sequence[Any]) -> Any:
    """A cursor that has run the statement."""
    if database.execute_wrappers or database.queries_logged:
        return _ran(database.cursor(), sql, values)
    database.close_if_health_check_failed()
    database.ensure_connection()
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        if database.vendor == "postgresql":
            connection: Any = database.connection
            connection.prepare_threshold = 0
            return _ran(_prepares()(connection), sql, values)
        return _ran(database.create_cursor(), sql, values)


def _fetched(database: BaseDatabaseWrapper, sql: str, values: Sequence[Any]) -> list[Any]:
    """All rows of the statement. SQLite commits an INSERT … RETURNING as its last row is read."""
    cursor = _executed(database, sql, values)
    try:
        with database.wrap_database_errors:
            rows: list[Any] = cursor.fetchall()
    except Exception:
        cursor.close()  # for the reason in _ran
        raise
    return rows


def _ran(cursor: Any, sql: str, values: Sequence[Any]) -> Any:
    try:
        cursor.execute(sql, values)
    except Exception:
        # By this thread: the error keeps it in a ring, and whichever thread collects that later
        # would wait for this connection, perhaps with SQLite's one write lock in hand.
        cursor.close()
        raise
    return cursor


@lru_cache
def _prepares() -> Any:
    """psycopg's own cursor; Django's writes the values into the SQL. Without PostgreSQL, none."""
    return import_module("psycopg").Cursor
