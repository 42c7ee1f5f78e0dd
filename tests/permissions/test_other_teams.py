"""Nobody reaches what belongs to a case of another team, whatever else their roles allow."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, Permission

from compliance.security import data_map
from reviews.access import roles
from tests.permissions.routes import METHODS, routes
from tests.permissions.visits import DONE, Visits
from tests.permissions.world import OTHER_TEAM, World

pytestmark = [pytest.mark.django_db, pytest.mark.sweep(whole=True)]
# Routes with a parameter that lead to no case: settings, policies, and files that are for everybody.
OF_NO_CASE = (
    "account/",
    "admin/<str:app_label>/",
    "approvals/",
    "batches/template/",
    "decision-policy/<int:number>/",
    "period-report/",
    "privacy/rules/",
    "procedures/",
    "risk/<int:number>/",
    "screening-quality/<int:number>/",
    "settings/",
)
# Each visit has the links of an applicant and of the service, which open what they are for.
LINKS = ("apply/", "documents/<uuid:pk>/file/", "requests/")
# Its examples have the name and the reference that tests use.
DESCRIPTION = ("api/desk/v1/schema/", "api/desk/v1/openapi.json")


@pytest.fixture
def visits() -> Visits:
    """A person of another team with all roles but those that see every case."""
    world = World()
    sees_all = Permission.objects.get(codename=roles.EVERY_CASE.partition(".")[2])
    groups = Group.objects.filter(name__in=roles.ROLES).exclude(permissions=sees_all)
    assert {group.name for group in groups} >= {roles.SENIOR, roles.INTEGRATOR}
    world.people[OTHER_TEAM].groups.set(groups)
    return Visits(world, OTHER_TEAM)


def test_no_route_opens_a_row_of_another_team(visits):
    case = visits.world.case
    names = [text.encode() for text in (case.reference, case.subject)]
    of_no_case = tables_of_no_case(visits.world)
    opened = []
    for route in routes():
        # The hub takes keys alone.
        if route.path.startswith("api/v1/"):
            continue
        for method in METHODS if route.path.startswith("api/") else METHODS[:2]:
            outcome = visits.outcome(route, method)
            is_row = "<" in route.path and route.table not in of_no_case
            is_open = route.path.startswith((*OF_NO_CASE, *LINKS))
            if is_row and not is_open and outcome == DONE:
                opened.append((method, route.path))
            is_named = any(name in visits.content for name in names)
            if is_named and not route.path.startswith((*LINKS, *DESCRIPTION)):
                opened.append((method, f"{route.path} names the case"))
    assert not opened, "\n".join(map(str, opened))


def tables_of_no_case(world: World) -> set[str]:
    """The tables of the admin whose row does not belong to the case, such as settings."""
    rows: dict[str, set[object]] = {}
    for table in data_map.of_app("reviews", "webhooks"):
        if table.path or table.rows:
            keys = table.of(world.case).values_list("pk", flat=True)
            rows[table.model.lower()] = set(keys)
    tables = {route.table for route in routes() if route.table}
    return {
        table for table in tables if world.row_of(table).pk not in rows.get(table, ())
    }


def test_the_same_rows_are_open_to_the_team(visits):
    """Or the test above would prove nothing: its rows would not be there."""
    person = visits.client.get("/").wsgi_request.user
    visits.world.connection.teams.get(name="Team").members.add(person)
    page = next(row for row in routes() if row.path == "cases/<int:pk>/")
    assert visits.outcome(page, "GET") == DONE
    assert visits.world.case.subject.encode() in visits.content
