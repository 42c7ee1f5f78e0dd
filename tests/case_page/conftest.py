from __future__ import annotations

import pytest
from django.test import Client

from tests.factories import make_user


@pytest.fixture
def analyst(client: Client) -> Client:
    client.force_login(make_user(first_name="Ana", last_name="Lindqvist"))
    return client
