"""Short SQL statements over models that bypass the ORM: built once, and prepared by PostgreSQL.

For such a statement Django's ORM takes five to ten times longer than the database. Here the SQL is
built once per kind of statement. On PostgreSQL it is a prepared statement, and the values are sent
separately. On SQLite, and if statements are counted or logged, Django's own cursor runs the same
SQL. No signals are sent. A condition is an equality or a list (`pk__in`).

>>> update(Job, {"status": "running"}, pk=job.pk, status__in=["queued"])
1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

from django.db import InterfaceError, OperationalError, connections, models, router
from django.db.backends.base.base import BaseDatabaseWrapper

Row = TypeVar("Row", bound=models.Model)
Result = TypeVar("Result")
Field: TypeAlias = "models.Field[Any, Any]"


def fetch_rows(sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """Run any statement on the default database. Returns its rows as tuples."""
    return _fetch_all(connections["default"], sql, values)


def without_health_check(statement: Callable[[], Result]) -> Result:
    """Run the first statement of a request. It must be harmless if it runs twice.

    Django would run SELECT 1 before it, which doubles the round trips of a short request. Here the
    statement runs at once; if the idle connection was lost, it is opened again and the statement is
    repeated.
    """
    database = connections["default"]
    # Tells Django that the connection was checked, so that it does not check it now.
    setattr(database, "health_check_done", True)  # noqa: B010 - unknown to the type stubs
    try:
        return statement()
    except (InterfaceError, OperationalError):
        # Inside a transaction, its earlier statements are lost with the connection: do not repeat.
        if database.in_atomic_block or database.is_usable():
            raise
        database.close()
        return statement()


def fetch_models(
    model: type[Row],
    *,
    order: str = "",
    only: Sequence[str] = (),
    **conditions: object,
) -> list[Row]:
    """The rows that match the conditions, ordered by a field (`order="-id"`).

    `only`: the fields to read; any other field is read at its first use.
    """
    using = router.db_for_read(model)
    database = connections[using]
    where, values = _where(model, conditions, database)
    if order:
        where += f" ORDER BY {_order(model, order)}"
    statement = _select(model, tuple(only), where, database.vendor)
    rows = _fetch_all(database, statement.sql, values)
    return [
        model.from_db(using, statement.names, statement.convert(row)) for row in rows
    ]


def update_returning(
    model: type[Row],
    sql: str,
    values: Sequence[object],
    *,
    on_unreadable: Callable[[Row, Exception], None],
    readable: Sequence[str],
) -> list[Row]:
    """Run an UPDATE of the model's table. Returns the changed rows with their new values.

    `on_unreadable` gets each row with a value that its field cannot read, and the error. Such a row
    has the fields `readable` alone. It has been changed, like the others.
    """
    using = router.db_for_write(model)
    database = connections[using]
    statement = _returning(model, sql, database.vendor)
    changed = []
    for row in _fetch_all(database, statement.sql, values):
        try:
            changed.append(
                model.from_db(using, statement.names, statement.convert(row))
            )
        except Exception as exc:  # noqa: BLE001 - a field may raise anything
            names = [_field(model, name).attname for name in readable]
            part = statement.convert(row, only=names)
            on_unreadable(model.from_db(using, names, part), exc)
    return changed


def update(
    model: type[models.Model], changes: Mapping[str, object], **conditions: object
) -> int:
    """Write `changes` to the rows that match the conditions. Returns the number of rows."""
    using = router.db_for_write(model)
    # An expression such as Now() has its own SQL: leave the statement to the ORM.
    if any(hasattr(value, "resolve_expression") for value in changes.values()):
        return model._base_manager.using(using).filter(**conditions).update(**changes)
    database = connections[using]
    values = []
    for name, value in changes.items():
        # A related object is written as its primary key.
        plain = getattr(value, "pk", value)
        values.append(_db_value(_field(model, name), plain, database))
    where, condition_values = _where(model, conditions, database)
    sql = _update(model, tuple(changes), where)
    cursor = _execute(database, sql, [*values, *condition_values])
    return int(cursor.rowcount)


def insert(rows: Sequence[models.Model], *, replacing: Replacing | None = None) -> None:
    """Insert new rows of one model in one statement, and set their primary keys.

    `replacing`: on a conflict of its unique fields, the existing row gets the new values of the
    named fields instead. Then no primary keys are set. Raises IntegrityError.
    """
    if not rows:
        return
    model = type(rows[0])
    database = connections[router.db_for_write(model)]
    # The database generates the keys, unless the model does it itself (a UUID).
    is_numbered = rows[0].pk is None
    returns_keys = is_numbered and replacing is None
    fields = _insert_fields(model, is_numbered=is_numbered)
    values = []
    for row in rows:
        for field in fields:
            values.append(_db_value(field, field.pre_save(row, add=True), database))
    sql = _insert(model, len(rows), is_numbered, returns_keys, replacing)
    if returns_keys:
        keys = _fetch_all(database, sql, values)
        for row, (key,) in zip(rows, keys, strict=True):
            row.pk = key
    else:
        _execute(database, sql, values)
    # As save() does: the object now counts as stored.
    for row in rows:
        row._state.adding = False
        row._state.db = database.alias


class Replacing(NamedTuple):
    """How an insert handles existing rows: the unique fields, and the fields to overwrite."""

    unique: tuple[str, ...]
    fields: tuple[str, ...]


class _Converter(NamedTuple):
    """How the value at one position of a row is converted to the value of its field."""

    place: int
    functions: list[Callable[..., Any]]
    column: Any


class _Select(NamedTuple):
    sql: str
    names: list[str]
    converters: list[_Converter]
    database: str

    def convert(
        self, row: Sequence[object], *, only: Sequence[str] = ()
    ) -> Sequence[object]:
        """The values of a row, converted as the model's fields expect them.

        `only`: the names of the values to convert and return; none means all.
        """
        if not self.converters and not only:
            return row
        database = connections[self.database]
        values = list(row)
        for place, functions, column in self.converters:
            if only and self.names[place] not in only:
                continue
            for function in functions:
                values[place] = function(values[place], column, database)
        if only:
            # In the order of the model's fields, as from_db() expects them.
            pairs = zip(self.names, values, strict=True)
            return [value for name, value in pairs if name in only]
        return values


# The SQL depends only on the arguments of these functions, so it is cached by them. `vendor` is one
# of them because each database converts values in its own way.


@lru_cache(maxsize=256)
def _select(
    model: type[models.Model], only: tuple[str, ...], where: str, vendor: str
) -> _Select:
    fields = list(model._meta.concrete_fields)
    if only:
        # Always read the key: Django needs it to read the omitted fields later.
        names = {_field(model, name).name for name in (*only, "pk")}
        fields = [field for field in fields if field.name in names]
    sql = f"SELECT {_columns(fields)} FROM {_quote(model._meta.db_table)} WHERE {where}"  # noqa: S608
    return _prepare_reading(model, fields, sql)


@lru_cache(maxsize=256)
def _returning(model: type[models.Model], sql: str, vendor: str) -> _Select:
    fields = model._meta.concrete_fields
    return _prepare_reading(model, fields, f"{sql} RETURNING {_columns(fields)}")


def _prepare_reading(
    model: type[models.Model], fields: Sequence[Field], sql: str
) -> _Select:
    using = router.db_for_read(model)
    database = connections[using]
    converters = []
    for place, field in enumerate(fields):
        column: Any = field.get_col(model._meta.db_table)
        functions = [
            *database.ops.get_db_converters(column),
            *field.get_db_converters(database),
        ]
        if functions:
            converters.append(_Converter(place, functions, column))
    return _Select(sql, [field.attname for field in fields], converters, using)


@lru_cache(maxsize=256)
def _update(model: type[models.Model], names: tuple[str, ...], where: str) -> str:
    changes = ", ".join(f"{_column(model, name)} = %s" for name in names)
    return f"UPDATE {_quote(model._meta.db_table)} SET {changes} WHERE {where}"  # noqa: S608


@lru_cache(maxsize=256)
def _insert(
    model: type[models.Model],
    count: int,
    is_numbered: bool,  # noqa: FBT001
    returns_keys: bool,  # noqa: FBT001
    replacing: Replacing | None,
) -> str:
    fields = _insert_fields(model, is_numbered=is_numbered)
    placeholders = ", ".join(["%s"] * len(fields))
    rows = ", ".join([f"({placeholders})"] * count)
    table = _quote(model._meta.db_table)
    sql = f"INSERT INTO {table} ({_columns(fields)}) VALUES {rows}"  # noqa: S608
    if replacing:
        unique = _columns([_field(model, name) for name in replacing.unique])
        changes = ", ".join(
            _take_new_value(_column(model, name)) for name in replacing.fields
        )
        sql += f" ON CONFLICT ({unique}) DO UPDATE SET {changes}"
    if returns_keys:
        sql += f" RETURNING {_columns([model._meta.pk])}"
    return sql


def _insert_fields(model: type[models.Model], *, is_numbered: bool) -> list[Field]:
    """The fields that an insert writes: all but the key if the database generates it."""
    fields = list(model._meta.concrete_fields)
    if is_numbered:
        fields.remove(model._meta.pk)
    return fields


def _take_new_value(column: str) -> str:
    return f"{column} = EXCLUDED.{column}"


# These field classes write a value of this type unchanged. A subclass of them may convert it.
_PLAIN: dict[type[Field], type] = {
    models.BooleanField: bool,
    models.CharField: str,
    models.TextField: str,
    models.IntegerField: int,
    models.PositiveIntegerField: int,
    models.BigAutoField: int,
    models.ForeignKey: int,
}


def _db_value(field: Field, value: object, database: BaseDatabaseWrapper) -> object:
    """The value as this field writes it to the database."""
    if value is None or value.__class__ is _PLAIN.get(type(field)):
        return value
    return field.get_db_prep_save(value, database)


def _where(
    model: type[models.Model],
    conditions: Mapping[str, object],
    database: BaseDatabaseWrapper,
) -> tuple[str, list[object]]:
    """The WHERE condition as SQL with placeholders, and its values."""
    parts: list[str] = []
    values: list[object] = []
    for name, value in conditions.items():
        field = _field(model, name.removesuffix("__in"))
        column = _quote(field.column)
        choices: Iterable[object] = [value]
        if name.endswith("__in"):
            choices = cast("Iterable[object]", value)
        params = [_param(field, choice, database) for choice in choices]
        # A list of one is nearly as frequent as a single value. An equality gets a better query
        # plan than a list of unknown length.
        if len(params) == 1:
            parts.append(f"{column} = %s")
            values += params
        elif database.vendor == "postgresql":
            # An array is one parameter, so the same prepared statement serves lists of any length.
            parts.append(f"{column} = ANY(%s)")
            values.append(params)
        else:
            placeholders = ", ".join(["%s"] * len(params))
            parts.append(f"{column} IN ({placeholders})")
            values += params
    return " AND ".join(parts), values


def _param(field: Field, value: object, database: BaseDatabaseWrapper) -> object:
    return field.get_db_prep_value(getattr(value, "pk", value), database)


def _order(model: type[models.Model], order: str) -> str:
    column = _column(model, order.removeprefix("-"))
    return f"{column} DESC" if order.startswith("-") else column


def _field(model: type[models.Model], name: str) -> Field:
    field = model._meta.pk if name == "pk" else model._meta.get_field(name)
    return cast("Field", field)


def _column(model: type[models.Model], name: str) -> str:
    return _quote(_field(model, name).column)


def _columns(fields: Sequence[Field]) -> str:
    return ", ".join(_quote(field.column) for field in fields)


def _quote(name: str | None) -> str:
    return f'"{name}"'


def _execute(database: BaseDatabaseWrapper, sql: str, values: Sequence[object]) -> Any:
    """Run the statement. Returns its cursor."""
    # Somebody counts or logs statements, which only Django's own cursor supports.
    if database.execute_wrappers or database.queries_logged:
        return _run(database.cursor(), sql, values)
    database.close_if_health_check_failed()
    database.ensure_connection()
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        if database.vendor == "postgresql":
            return _run(_psycopg_cursor()(database.connection), sql, values)
        return _run(database.create_cursor(), sql, values)


def _fetch_all(
    database: BaseDatabaseWrapper, sql: str, values: Sequence[object]
) -> list[Any]:
    """Run the statement and fetch all its rows.

    All must be fetched: SQLite commits an INSERT … RETURNING only when its last row is read.
    """
    cursor = _execute(database, sql, values)
    try:
        with database.wrap_database_errors:
            rows: list[Any] = cursor.fetchall()
    except Exception:
        cursor.close()  # for the reason in _run
        raise
    return rows


def _run(cursor: Any, sql: str, values: Sequence[object]) -> Any:
    try:
        cursor.execute(sql, values)
    except Exception:
        # Close the cursor here, in this thread. The traceback refers to it until the garbage
        # collector runs, perhaps in another thread. Closing it there would wait for this
        # connection, perhaps while that thread holds SQLite's only write lock.
        cursor.close()
        raise
    return cursor


@lru_cache
def _psycopg_cursor() -> Any:
    """psycopg's own cursor class, which sends values separately; Django's puts them into the SQL.

    Imported at first use: an installation on SQLite has no psycopg.
    """
    return import_module("psycopg").Cursor
