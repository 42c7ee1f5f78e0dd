"""The administration answers for a row of a table that is closed to a person as for one that is not there."""

from __future__ import annotations

import uuid

import pytest

from agenthub.accounts.permissions import HUB_ADMINISTRATOR
from reviews.access import roles
from tests.permissions.routes import address, routes
from tests.permissions.visits import Visits
from tests.permissions.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.sweep(whole=True)]
# Together they see nearly every table, and each of them sees few of the others'.
VISITORS = (roles.ANALYST, roles.RULE_OWNER, HUB_ADMINISTRATOR)


@pytest.fixture(scope="module")
def pages() -> list[tuple[str, str]]:
    return [
        (route.path, route.table)
        for route in routes()
        if route.table and "<path:object_id>" in route.path
    ]


@pytest.mark.parametrize("visitor", VISITORS)
def test_no_page_tells_which_keys_a_closed_table_has(visitor, pages):
    visits = Visits(World(), visitor)
    told = []
    refused = 0
    for path, table in pages:
        row = visits.world.row_of(table)
        no_row = uuid.uuid4() if isinstance(row.pk, uuid.UUID) else 987_654
        visits.get(address(path, {"object_id": row.pk}))
        status = visits.status
        visits.get(address(path, {"object_id": no_row}))
        refused += status == 403
        if status == 403 and visits.status != 403:
            told.append((path, status, visits.status))
    assert refused > 60
    assert not told, "\n".join(map(str, told))
