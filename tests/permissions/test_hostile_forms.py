"""Each form of each page, with values that nobody can choose: it is refused, and nothing fails."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from django.contrib.auth.models import Group
from django.db import transaction
from lxml import html

from tests.permissions.routes import Route, address, routes
from tests.permissions.visits import Visits
from tests.permissions.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.sweep(whole=True)]
# More digits than a column holds, more than Python reads, and a character that PostgreSQL refuses.
VALUES = ("9" * 30, "9" * 5000, "\0")


@pytest.fixture
def visits(db: None) -> Visits:
    world = World()
    person = world.people["senior"]
    person.groups.set(Group.objects.all())
    return Visits(world, "senior")


def forms_of(visits: Visits, route: Route) -> dict[str, set[str]]:
    """The addresses to which the page of a route posts, with the names of their fields."""
    visits.outcome(route, "GET")
    content = visits.content
    if visits.status != 200 or b"<form" not in content:
        return {}
    values = visits.world.values(route.path)
    if route.table:
        values["object_id"] = visits.world.row_of(route.table).pk
    page = address(route.path, values)
    forms: dict[str, set[str]] = {}
    for form in html.fromstring(content).forms:
        target = urljoin(page, form.get("action") or page)
        if form.method == "POST" and "logout" not in target:
            names = {name for name in form.fields if name}
            forms.setdefault(target, set()).update(names)
    return forms


def test_no_form_fails(visits):
    forms: dict[str, set[str]] = {}
    for route in routes():
        # The tables of the admin have forms of Django's.
        if not route.path.startswith(("api/", "scim/", "admin/")):
            for target, names in forms_of(visits, route).items():
                forms.setdefault(target, set()).update(names)
    assert len(forms) > 60
    for target, names in forms.items():
        for value in VALUES:
            # It asserts that the answer is no error of the server.
            with transaction.atomic():
                visits.post(target, dict.fromkeys(names, value))
                transaction.set_rollback(True)
