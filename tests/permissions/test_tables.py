"""The tables of the admin, as each role: docs/permissions.md says what each may do there."""

from __future__ import annotations

import pytest

from tests.permissions import declared
from tests.permissions.declared import PAGE
from tests.permissions.routes import routes
from tests.permissions.visits import DONE, Visits
from tests.permissions.world import OTHER_TEAM, ROLES, VISITORS, World

pytestmark = [pytest.mark.django_db, pytest.mark.sweep(whole=True)]
# Which column of the table of the admin a request is of.
VIEW, ADD, CHANGE, DELETE = range(4)
# Tables of the admin whose rows belong to a case, and which analysts may see.
OF_CASES = (
    "case",
    "document",
    "page",
    "job",
    "checkresult",
    "caseevent",
    "decision",
    "note",
    "caserating",
    "ratingoverride",
    "periodicreview",
)
# Of no case: every reader sees them.
OF_ALL = ("riskpolicy", "procedure")
ADMIN_REQUESTS = (
    ("changelist", "GET", VIEW),
    ("change", "GET", VIEW),
    ("history", "GET", VIEW),
    ("add", "POST", ADD),
    ("change", "POST", CHANGE),
    ("delete", "POST", DELETE),
)


@pytest.fixture
def world(db: None) -> World:
    return World()


@pytest.mark.parametrize("role", ROLES)
def test_the_admin_lets_each_role_do_what_the_table_says(world, role):
    visits = Visits(world, role)
    tables, wrong = declared.tables(), []
    pages = {(route.table, route.page): route for route in routes() if route.table}
    for table, columns in tables.items():
        for page, method, column in ADMIN_REQUESTS:
            route = pages[table, page]
            outcome = visits.outcome(route, method)
            if (outcome == DONE) != (role in columns[column]):
                wrong.append((method, route.path, outcome))
    assert wrong == [], f"{PAGE} says otherwise."


@pytest.mark.parametrize("visitor", VISITORS[:3])
def test_the_admin_is_for_staff_with_a_role(world, visitor):
    world.people.get(visitor, world.person).is_staff = False
    visits = Visits(world, visitor)
    for route in routes():
        if route.table and route.page == "changelist":
            assert visits.outcome(route, "GET") != DONE or visitor == VISITORS[2]


def test_the_admin_shows_cases_of_ones_own_teams_alone(world):
    visits = Visits(world, OTHER_TEAM)
    for route in routes():
        if route.page == "changelist" and route.table.startswith("reviews."):
            is_open = route.table.removeprefix("reviews.") in (*OF_CASES, *OF_ALL)
            assert (visits.outcome(route, "GET") == DONE) == is_open
    for name in OF_CASES:
        page = visits.client.get(f"/admin/reviews/{name}/")
        assert page.context["cl"].result_count == 0, name
