"""Whoever needs no names is shown none: every request of every role, over a world in which each
personal column holds a value that is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.db import models

from compliance.security.data_map import hiding, of_app
from tests.permissions import declared
from tests.permissions.routes import METHODS, Route, routes
from tests.permissions.visits import REFUSED, Visits
from tests.permissions.world import ROLES, World

pytestmark = [pytest.mark.django_db, pytest.mark.sweep(whole=True)]

NAME = "Zquorvax"
BIRTH = "1971-03-09"
NUMBER = 917130903
PLANTED = (NAME.encode(), NAME.lower().encode(), BIRTH.encode(), str(NUMBER).encode())
TEXTS = (models.CharField, models.TextField)
# What a person typed is shown to that person, and to an applicant who has the link.
OWN = {
    "batches/files/<uuid:pk>/",
    "cases/new/",
    "requests/<int:pk>/",
    "apply/<int:pk>/",
}
# What is whole or not given.
FILES = {
    "cases/<int:pk>/evidence/",
    "cases/<int:pk>/report/pdf/",
    "cases/<int:pk>/subject/",
    "cases/<int:pk>/enrich/",
    "reports/",
    "attachments/<int:pk>/",
    "documents/<uuid:pk>/copy/",
    "documents/<uuid:pk>/original/",
    "batches/<int:agent_id>/<uuid:batch_id>/export.csv",
    "api/desk/v1/agents/<int:pk>/batches/<uuid:batch>/export",
    "api/desk/v1/cases/<int:pk>/evidence",
    "api/desk/v1/cases/<int:pk>/report",
    "api/desk/v1/documents/<uuid:pk>/content",
    "api/desk/v1/documents/<uuid:pk>/original",
    "api/desk/v1/attachments/<int:pk>/content",
    "api/desk/v1/suspicion-reports/<int:pk>/goaml",
    "api/desk/v1/suspicion-reports/<int:pk>/fincen",
}


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
    if name == "typed":
        # A draft holds texts alone.
        return {"business_name": f"{NAME} Ltd", "date_of_birth": BIRTH}
    if isinstance(value, dict):
        more = {"business_name": f"{NAME} Ltd", "date_of_birth": BIRTH, "ein": NUMBER}
        return {**value, **more, "people": [dict(more)]}
    if isinstance(value, list):
        return [*value, NAME]
    if isinstance(value, bytes):
        return b'{"subject": "%s"}' % NAME.encode()
    column: Any = row._meta.get_field(name)
    return f"{NAME} {row.pk}"[: column.max_length or 80]


def contains_name(content: bytes) -> bool:
    return any(value in content for value in PLANTED)


def requests_of(role: str, methods: Iterable[str]) -> Iterator[tuple[Route, str]]:
    """What the role may send; the matrix of permissions sees to the rest."""
    rows, tables = declared.rows(), declared.tables()
    for route in routes():
        is_read = route.page in {"changelist", "change", "history"}
        if route.table and is_read and role in tables[route.table][0]:
            yield route, "GET"
        for method in methods:
            row = rows.get((route.path, method))
            if row and row.may(role):
                yield route, method


def test_the_world_is_full_of_names(world, settings):
    """Or the other test would prove nothing."""
    settings.MASKED_ROLES = frozenset()
    visits = Visits(world, "senior")
    named = 0
    for route, method in requests_of("senior", ["GET"]):
        if route.path in FILES:
            continue
        visits.outcome(route, method)
        named += contains_name(visits.content)
    assert named > 30


@pytest.mark.parametrize("role", ROLES)
def test_no_answer_to_a_masked_role_has_a_name(world, role):
    visits = Visits(world, role)
    leaks, refused = [], []
    for route, method in requests_of(role, METHODS):
        outcome = visits.outcome(route, method)
        words = f"{method} {route.path}"
        if contains_name(visits.content) and route.path not in OWN:
            leaks.append(words)
        if outcome == REFUSED and route.path not in FILES:
            refused.append(words)
    assert (leaks, refused) == ([], [])
