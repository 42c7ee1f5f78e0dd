"""No request changes a setting alone where a second person is needed: each of them is sent."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection

from compliance.approvals import registry, snapshots
from tests.permissions import declared
from tests.permissions.routes import routes
from tests.permissions.visits import Visits
from tests.permissions.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.sweep(whole=True)]
HUB = "api/v1/"


@pytest.fixture
def world(db: None) -> World:
    return World()


@pytest.mark.parametrize("role", ["administrator", "hub administrator", "rule owner"])
def test_no_request_changes_a_setting_alone_where_two_are_needed(world, role, settings):
    settings.SETTINGS_FOUR_EYES = frozenset({"all"})
    visits = SettingsVisits(world, role)
    for route in routes():
        if route.path.startswith(HUB):
            continue
        for method in ("POST", "PATCH", "DELETE"):
            is_form = method == "POST" and route.table and route.page != "history"
            if is_form or (route.path, method) in declared.rows():
                visits.outcome(route, method)
    assert visits.changed == []
    # The requests did try: without a second person they change settings.
    settings.SETTINGS_FOUR_EYES = frozenset()
    for route in routes():
        if route.page == "delete" or (route.path, "POST") in hub_posts():
            visits.outcome(route, "POST")
    assert len(visits.changed) > 1


def hub_posts() -> set[tuple[str, str]]:
    return {key for key in declared.rows() if key[0].startswith("hub/")}


class WritesOfSettings:
    """Whether a statement wrote into a table of settings: most requests are refused before one."""

    def __init__(self) -> None:
        tables = set()
        for setting in registry.registered():
            model = setting.model
            tables.add(model._meta.db_table)
            for name in setting.many.split():
                relation: Any = model._meta.get_field(name)
                tables.add(relation.m2m_db_table())
        names = "|".join(sorted(tables))
        self.pattern = re.compile(
            rf'\s*(INSERT|UPDATE|DELETE)\b.*"({names})"', re.DOTALL
        )
        self.any = False

    def __call__(self, execute, sql, params, many, context):
        if self.pattern.match(sql):
            self.any = True
        return execute(sql, params, many, context)


class SettingsVisits(Visits):
    """Notes which requests have changed settings, but for what only ends something."""

    def __init__(self, world: World, visitor: str) -> None:
        super().__init__(world, visitor)
        self.changed: list[str] = []
        self.before = snapshots.take()

    def _send(self, path, method, body):
        writes = WritesOfSettings()
        with connection.execute_wrapper(writes):
            word = super()._send(path, method, body)
        if not writes.any:
            return word
        changes = snapshots.difference(self.before, snapshots.take())
        if not all(map(snapshots.is_at_once, changes)):
            self.changed.append(f"{method} {path}")
        return word
