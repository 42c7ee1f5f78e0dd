"""Two worlds that differ in personal values alone answer a masked role alike, whatever it asks.

Otherwise a filter, an order or a count tells names to whoever guesses them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import urlencode

import pytest
import time_machine
from django.db import models, transaction

from compliance.security.data_map import hiding, of_app
from reviews.api.description import document
from reviews.models import Party, Team
from tests.permissions.routes import Route, address
from tests.permissions.test_masked import FILES, OWN, is_planted, requests_of
from tests.permissions.visits import QUERIES, Visits
from tests.permissions.world import ROLES, World, generic
from tests.reviews.rows import open_case

# Each role takes half a minute: they run at night.
pytestmark = [pytest.mark.django_db, pytest.mark.sweep(whole=True), pytest.mark.slow]

NAME = "Zquorvax"
# Later than all rows: pages say how long ago something was.
MOMENT = datetime(2031, 5, 6, 12, tzinfo=UTC)
# The names of parameters that a page knows: of its fields, and in its links.
FIELD = re.compile(rb"<(?:input|select|textarea)\b[^>]*\bname=\"([\w.-]+)\"")
LINK = re.compile(rb"[?&;]([a-z_]\w*)=")
# What differs from answer to answer, whoever asks.
CHANGING = re.compile(
    rb"(?<=csrfmiddlewaretoken\" value=\")\w+|(?<=nonce=\")[^\"]+|(?<=sealed=)[\w.-]+"
    rb"|(?<=X-CSRFToken\": \")\w+"
)
# Their answers differ each time: challenges and secrets of one's own, and times of the server. The
# trail has a line about each setting that is changed here, and a second look is for nobody who has
# opened the case before.
UNLIKE = (
    "account/2fa/",
    "health/",
    "queues/",
    "metrics",
    "admin/reviews/caseevent/",
    "second-looks/",
)
# Parameters that may take the place of a column, and a minus sign for the other direction.
ORDERS = {"o", "order", "ordering", "sort"}

Question = tuple[Route, str, str]
Answer = tuple[str, int, bytes]


def columns() -> Iterator[tuple[type[models.Model], list[str]]]:
    """Each table with personal texts, and the names of these."""
    for table in of_app("reviews", "webhooks", "agenthub", "admin"):
        names = [one.name for one in table.fields() if is_planted(table.model, one)]
        if names and table.model not in hiding.OPEN_TABLES:
            yield table.cls, names


def plant(number: Callable[[int], int]) -> None:
    """Write a name with a number, by the place of the row, into each personal column."""
    for table, names in columns():
        for place, row in enumerate(table._default_manager.order_by("pk")):
            for name in names:
                text = f"{NAME} {number(place)}"
                setattr(row, name, with_text(getattr(row, name), text, row, name))
            models.Model.save(row, update_fields=names)


def with_text(value: object, text: str, row: models.Model, name: str) -> object:
    if isinstance(value, dict):
        return {**value, "business_name": text, "people": [{"name": text}]}
    if isinstance(value, list):
        return [text]
    if isinstance(value, bytes):
        return b'{"subject": "%s"}' % text.encode()
    column: Any = row._meta.get_field(name)
    return text[: column.max_length or 80]


def questions_of(visits: Visits, route: Route) -> Iterator[tuple[str, str]]:
    """Parameters and values to ask a page with: names, places of a column, and none."""
    yield "", ""
    visits.outcome(route, "GET")
    names = {*FIELD.findall(visits.content), *LINK.findall(visits.content)}
    for name in sorted({name.decode() for name in names} | declared_by(route)):
        yield name, f"{NAME} 0"
        if name in ORDERS:
            yield name, "1"
            yield name, "-2"
    if not route.table:
        return
    # What the administration of Django takes without showing a field for it.
    yield "q", f"{NAME} 0"
    for table, personal in columns():
        if table._meta.label_lower == route.table:
            for name in personal:
                yield f"{name}__startswith", f"{NAME} 0"


@cache
def parameters() -> dict[str, set[str]]:
    """The parameters of the query by path, as the description of the desk's endpoints has them."""
    result = {}
    for path, operations in document()["paths"].items():
        names = operations.get("get", {}).get("parameters", [])
        result[path] = {one["name"] for one in names if one["in"] == "query"}
    return result


def declared_by(route: Route) -> set[str]:
    path = re.sub(r"<(?:\w+:)?(\w+)>", "{}", f"/{route.path}")
    for declared, names in parameters().items():
        if re.sub(r"{\w+}", "{}", declared) == path:
            return names
    return set()


@cache
def values_of(world: World, route: Route) -> dict[str, object]:
    """What stands for the parameters of its path: the same each time."""
    values = world.values(route.path)
    if route.table:
        values["object_id"] = world.row_of(route.table).pk
    return values


def answer(visits: Visits, question: Question) -> Answer:
    route, name, value = question
    query = urlencode({name: value}) if name else ""
    with transaction.atomic():
        word = visits.get(
            f"{address(route.path, values_of(visits.world, route))}?{query}"
        )
        transaction.set_rollback(True)
    return word, visits.status, CHANGING.sub(b"", visits.content)


def questions(visits: Visits, role: str) -> Iterator[Question]:
    for route, _ in requests_of(role, ["GET"]):
        if route.path in {*FILES, *OWN, *QUERIES} or route.path.startswith(UNLIKE):
            continue
        for name, value in questions_of(visits, route):
            yield route, name, value


@pytest.fixture
def world(db: None, settings: Any) -> Iterator[World]:
    """Three cases and three parties, so that there is an order of names."""
    settings.MASKED_ROLES = frozenset()
    world = World()
    team = Team.objects.get(name="Team")
    for number in range(2):
        team.connections.add(open_case(slug=f"more-{number}").connection)
        generic(Party)
    plant(lambda place: place)
    with time_machine.travel(MOMENT, tick=False):
        yield world


def differences(visits: Visits, role: str) -> set[str]:
    """The questions that are answered otherwise when the names of all rows are others."""
    before = {one: answer(visits, one) for one in questions(visits, role)}
    assert len(before) > 100
    plant(lambda place: 900 - place)
    result = set()
    for question, first in before.items():
        if answer(visits, question) != first:
            route, name, value = question
            result.add(f"{route.path}?{name}={value}")
    return result


def test_whoever_sees_names_tells_them_apart(world):
    """Or the other test would prove nothing."""
    assert len(differences(Visits(world, "senior"), "senior")) > 30


@pytest.mark.parametrize("role", ROLES)
def test_no_question_of_a_masked_role_tells_names_apart(world, settings, role):
    settings.MASKED_ROLES = frozenset(ROLES)
    assert differences(Visits(world, role), role) == set()
