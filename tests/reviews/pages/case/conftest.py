from __future__ import annotations

import pytest
from django.test import Client

# Pages in a real browser are opened as those of the shell are.
from tests.browser.conftest import (  # noqa: F401
    base_url,
    boss,
    browser_context_args,
    browser_type_launch_args,
    desk,
    logged_in,
    page_events,
    person,
    pytest_collection_modifyitems,
)
from tests.factories import make_user


@pytest.fixture
def analyst(client: Client) -> Client:
    client.force_login(make_user(first_name="Ana", last_name="Lindqvist"))
    return client
