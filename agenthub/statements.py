"""Queries that are compiled once: Django's ORM takes longer to write the SQL of the hub's busiest
reads than the database takes to answer them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import QuerySet

from compliance.db import fast_sql

Build = Callable[..., "QuerySet[Any, Any]"]
Row = tuple[Any, ...]


class _Compiled(NamedTuple):
    sql: str
    params: Sequence[Any]
    names: tuple[str, ...]
    compiler: Any
    converters: Any


def _param(value: Any) -> Any:
    """As the query's own parameters are: SQLite has ids as text."""
    is_text = isinstance(value, uuid.UUID) and connection.vendor == "sqlite"
    return value.hex if is_text else value


class Statement:
    """The SQL of the query that `build` makes, to be run with other values each time.

    `build` is called once, with markers for its arguments; `markers` are values of the right type
    that stand nowhere else in the query. A marker that is a list stands for one of any length, in
    the query's one `__in`.

    >>> jobs = Statement(lambda case: AgentJob.objects.filter(case_id=case).values("pk"), case="?")
    >>> list(jobs.run(case="case-001"))
    [(7,)]
    """

    def __init__(self, build: Build, **markers: Any) -> None:
        self._build, self._markers = build, markers
        self._compiled: dict[str, _Compiled] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """What values() calls the columns, in the order of each row."""
        return self._ready().names

    def run(self, **values: Any) -> Sequence[Row]:
        """The rows, each with its columns in the order of `names`."""
        ready = self._ready()
        sql, given = ready.sql, {}
        for name, value in values.items():
            marker = self._markers[name]
            if isinstance(marker, list):
                # An empty list is none in SQL: nothing is in it that is in (NULL).
                sql = sql.replace("IN (%s)", f"IN ({', '.join(['%s'] * len(value)) or 'NULL'})")
                [marker] = marker
            given[_param(marker)] = _param(value)
        params: list[Any] = []
        for param in ready.params:
            value = given.get(param, param)
            params += value if isinstance(value, list) else [value]
        rows: Sequence[Row] = fast_sql.without_health_check(
            partial(fast_sql.fetch_rows, sql, params)
        )
        if ready.converters:
            rows = list(map(tuple, ready.compiler.apply_converters(rows, ready.converters)))
        return rows

    def _ready(self) -> _Compiled:
        vendor = connection.vendor
        if vendor not in self._compiled:
            query = self._build(**self._markers).query
            compiler = query.get_compiler(using="default")
            sql, params = compiler.as_sql()
            chosen = [column[0] for column in compiler.select]
            # The names that values() gave the columns, in the order in which they are selected.
            names = (*query.extra_select, *(query.selected or ()))
            converters = compiler.get_converters(chosen)
            self._compiled[vendor] = _Compiled(sql, params, names, compiler, converters)
        return self._compiled[vendor]
