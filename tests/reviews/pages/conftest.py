from __future__ import annotations

import pytest

from tests import factories


@pytest.fixture
def analyst(db):
    return factories.make_user("ana", first_name="Ana", last_name="Silva")


@pytest.fixture
def ana(client, analyst):
    """A client of somebody who has logged in and may submit cases."""
    client.force_login(analyst)
    return client


@pytest.fixture
def desk(db):
    return factories.make_connection()
