"""No request changes a setting alone where a second person is needed: each of them is sent."""

from __future__ import annotations

import pytest

from compliance.approvals import snapshots
from tests.permissions import declared
from tests.permissions.routes import routes
from tests.permissions.visits import Visits
from tests.permissions.world import World

pytestmark = pytest.mark.django_db
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


class SettingsVisits(Visits):
    """Notes which requests have changed settings, but for what only ends something."""

    def __init__(self, world: World, visitor: str) -> None:
        super().__init__(world, visitor)
        self.changed: list[str] = []
        self.before = snapshots.take()

    def _send(self, path, method, body):
        word = super()._send(path, method, body)
        changes = snapshots.difference(self.before, snapshots.take())
        if not all(map(snapshots.is_at_once, changes)):
            self.changed.append(f"{method} {path}")
        return word
