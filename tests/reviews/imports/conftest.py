"""A person who imports files, and the agent of the cases."""

from __future__ import annotations

import pytest

from tests import factories
from tests.reviews.rows import someone


@pytest.fixture
def agent(db):
    return factories.make_agent(factories.make_connection())


@pytest.fixture
def ana(client):
    client.force_login(someone("analyst", "ana"))
    return client
