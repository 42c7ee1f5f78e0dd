"""docs/permissions.md says who may send which request, and each of them is sent as everybody.

A new route, or a new method of one, needs a row there: without it the first test fails, and says which.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group

from tests.permissions import declared
from tests.permissions.declared import PAGE
from tests.permissions.routes import METHODS, Route, routes
from tests.permissions.visits import (
    DONE,
    HIDDEN,
    LOGIN_FIRST,
    NO_METHOD,
    Visits,
)
from tests.permissions.world import ANONYMOUS, VISITORS, World

pytestmark = [pytest.mark.django_db, pytest.mark.sweep(whole=True)]
HUB = "api/v1/"


def others() -> list[Route]:
    """All routes but those of the hub's interface and of the tables of the admin."""
    return [row for row in routes() if not row.table and not row.path.startswith(HUB)]


def test_every_route_has_a_row_and_every_row_a_route():
    assert {path for path, _ in declared.rows()} == {row.path for row in others()}
    admin = {route.table for route in routes()} - {""}
    assert set(declared.tables()) == admin, f"Add them to {PAGE}."
    hub = {route.path for route in routes() if route.path.startswith(HUB)}
    assert {path for path, _ in declared.endpoints()} == hub


@pytest.fixture
def world(db: None) -> World:
    return World()


def test_a_method_without_a_row_is_refused(world):
    person = world.people["senior"]
    person.groups.set(Group.objects.all())
    visits = Visits(world, "senior")
    rows, answered = declared.rows(), []
    for route in others():
        methods = METHODS if route.path.startswith("api/") else METHODS[:2]
        for method in methods:
            if (route.path, method) in rows:
                continue
            outcome = visits.outcome(route, method)
            if outcome not in {NO_METHOD, HIDDEN, LOGIN_FIRST}:
                answered.append((method, route.path, outcome))
    assert answered == [], f"Add them to {PAGE}."


@pytest.mark.parametrize("visitor", VISITORS)
def test_each_request_is_answered_as_the_table_says(world, visitor):
    visits = Visits(world, visitor)
    rows, wrong = declared.rows(), []
    for route in others():
        for method in METHODS:
            row = rows.get((route.path, method))
            if row is None:
                continue
            outcome = visits.outcome(route, method)
            if (outcome == DONE) != row.may(visitor):
                wrong.append((method, route.path, outcome))
            elif visitor == ANONYMOUS and not row.may(visitor):
                assert outcome in {LOGIN_FIRST, HIDDEN, NO_METHOD}
    assert wrong == [], f"{PAGE} says otherwise."


def test_the_hub_takes_keys_alone(world):
    """Neither a session of a hub administrator nor a token of the desk opens its interface."""
    keyless = Visits(world, "hub administrator")
    for (path, method), key in declared.endpoints().items():
        outcome = keyless.outcome(Route(path, ""), method)
        if key == "a key":
            assert outcome in {LOGIN_FIRST, HIDDEN}, (path, method)
        elif key == "everybody":
            assert outcome == DONE, (path, method)
        else:
            assert outcome in {HIDDEN, "no"}, (path, method)
