"""Whoever needs no names is shown none: every request of every role, over a world in which each
personal column holds a value that is known."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import models

from compliance.security import masks
from compliance.security.data_map import hiding, of_app
from tests.permissions import declared
from tests.permissions.routes import METHODS, Route, routes
from tests.permissions.visits import Visits
from tests.permissions.world import ROLES, World, first

pytestmark = pytest.mark.django_db

NAME = "Zquorvax"
BIRTH = "1971-03-09"
NUMBER = 917130903
PLANTED = (NAME.encode(), NAME.lower().encode(), BIRTH.encode(), str(NUMBER).encode())
TEXTS = (models.CharField, models.TextField)
# What a person typed is shown to that person.
OWN = {"batches/files/<uuid:pk>/", "cases/new/"}


@pytest.fixture
def world(db: None, settings: Any) -> World:
    settings.MASKED_ROLES = frozenset()
    world = World()
    plant()
    settings.MASKED_ROLES = frozenset(ROLES)
    return world


def plant() -> None:
    """Write values that are known into each personal column of all rows."""
    for table in of_app("reviews", "webhooks", "agenthub", "admin"):
        if table.model in hiding.OPEN_TABLES:
            continue
        names = [one.name for one in table.fields() if is_planted(table.model, one)]
        for row in table.cls._default_manager.all() if names else ():
            for name in names:
                setattr(row, name, planted(getattr(row, name), row, name))
            models.Model.save(row, update_fields=names)


def is_planted(table: str, column: Any) -> bool:
    if f"{table}.{column.name}" in hiding.OPEN_COLUMNS:
        return False
    return isinstance(column, (*TEXTS, models.JSONField, models.BinaryField))


def planted(value: object, row: models.Model, name: str) -> object:
    if isinstance(value, dict):
        more = {"business_name": f"{NAME} Ltd", "date_of_birth": BIRTH, "ein": NUMBER}
        return {**value, **more, "people": [dict(more)]}
    if isinstance(value, list):
        return [*value, NAME]
    if isinstance(value, bytes):
        return b'{"subject": "%s"}' % NAME.encode()
    column: Any = row._meta.get_field(name)
    return f"{NAME} {row.pk}"[: column.max_length or 80]


def found(content: bytes) -> bool:
    return any(value in content for value in PLANTED)


def walk(visits: Visits, methods: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The requests whose answers had a planted value, and all that were answered with a page."""
    leaks, answered = [], []
    rows = declared.rows()
    for route in routes():
        for method in methods:
            if not route.table and (route.path, method) not in rows:
                continue
            visits.outcome(route, method)
            words = f"{method} {route.path}"
            if found(visits.content) and route.path not in OWN:
                leaks.append(words)
            if visits.status == 200:
                answered.append(words)
    return leaks, answered


def test_the_world_is_full_of_names(world, settings):
    """Or the other tests would prove nothing."""
    settings.MASKED_ROLES = frozenset()
    leaks, _ = walk(Visits(world, "senior"), ("GET",))
    assert len(leaks) > 30


@pytest.mark.parametrize("role", ROLES)
def test_no_answer_to_a_masked_role_has_a_name(world, role, settings):
    masked = Visits(world, role)
    leaks, answered = walk(masked, METHODS)
    assert leaks == []
    settings.MASKED_ROLES = frozenset()
    _, open_to_role = walk(Visits(world, role), ("GET",))
    refused = {words for words in open_to_role if words not in answered}
    print(role, sorted(refused))
