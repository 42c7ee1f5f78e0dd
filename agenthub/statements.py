"""Queries that are compiled once: Django's ORM takes longer to write the SQL of the hub's busiest
reads than the database takes to answer them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db import connections
from django.db.models import QuerySet

Build = Callable[..., "QuerySet[Any, Any]"]


class Statement:
    """The SQL of the query that `build` makes, to be run with other values each time.

    `build` is called once, with markers for its arguments; `markers` are values of the right type
    that stand nowhere else in the query.

    >>> jobs = Statement(lambda case: AgentJob.objects.filter(case_id=case).values("pk"), case="?")
    >>> list(jobs.run(case="case-001"))
    [{'pk': 7}]
    """

    def __init__(self, build: Build, **markers: Any) -> None:
        self._build, self._markers = build, markers
        self._compiled: dict[str, tuple[str, Sequence[Any], list[str], Any, Any]] = {}

    def run(self, **values: Any) -> Iterator[dict[str, Any]]:
        """The rows as values() gives them."""
        sql, params, names, compiler, converters = self._ready()
        given = {self._markers[name]: value for name, value in values.items()}
        with connections["default"].cursor() as cursor:
            cursor.execute(sql, [given.get(param, param) for param in params])
            rows: Any = cursor.fetchall()
        if converters:
            rows = compiler.apply_converters(rows, converters)
        for row in rows:
            yield dict(zip(names, row, strict=True))

    def _ready(self) -> tuple[str, Sequence[Any], list[str], Any, Any]:
        vendor = connections["default"].vendor
        if vendor not in self._compiled:
            query = self._build(**self._markers).query
            compiler = query.get_compiler(using="default")
            sql, params = compiler.as_sql()
            chosen = [column[0] for column in compiler.select]
            names = _names(query)
            self._compiled[vendor] = (sql, params, names, compiler, compiler.get_converters(chosen))
        return self._compiled[vendor]


def _names(query: Any) -> list[str]:
    """The names that values() gave the columns, in the order in which they are selected."""
    return [*query.extra_select, *query.selected]
