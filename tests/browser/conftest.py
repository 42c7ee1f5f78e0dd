"""Pages in a real Chromium: the one of the system, or the one that REQUIRE_BROWSER=1 demands."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.handlers.wsgi import WSGIHandler
from playwright.sync_api import expect

from tests import factories

# Playwright keeps an event loop in this thread; the test's own use of the database is still plain.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
# A busy machine is slow, not wrong.
expect.set_options(timeout=20_000)

# The shell has no windows to draw, and takes two thirds of the time.
BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)


def _chromium() -> str | None:
    for name in BROWSERS:
        if path := shutil.which(name):
            return path
    return None


CHROMIUM = _chromium()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM or os.environ.get("REQUIRE_BROWSER") == "1":
        return
    skip = pytest.mark.skip(
        reason="no Chromium on this machine (REQUIRE_BROWSER=1 makes this fail)"
    )
    for item in items:
        # Not by a mark, which a new test may lack.
        if "browser_type_launch_args" in getattr(item, "fixturenames", ()):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def base_url() -> None:
    """Each test has an address of its own, that of its server."""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    assert CHROMIUM, "REQUIRE_BROWSER=1, but there is no Chromium"
    return {
        **browser_type_launch_args,
        "executable_path": CHROMIUM,
        "args": ["--no-sandbox"],
    }


@pytest.fixture
def browser_context_args(browser_context_args, live_server):
    # Static files as the finders have them: nothing is collected for the tests.
    live_server.thread.httpd.set_app(StaticFilesHandler(WSGIHandler()))
    return {
        **browser_context_args,
        "base_url": live_server.url,
        "viewport": {"width": 1440, "height": 900},
    }


@dataclass
class PageEvents:
    """What a page complained about, and whom it called."""

    complaints: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)


@pytest.fixture
def page_events(page) -> PageEvents:
    """Everything the console says of errors: scripts that fail and violations of the CSP."""
    item = PageEvents()

    def hear(text) -> None:
        if text.type in {"error", "warning"}:
            item.complaints.append(text.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: item.complaints.append(str(error)))
    page.on("request", lambda request: item.hosts.add(request.url.split("/")[2]))
    return item


@pytest.fixture
def person(live_server):
    return factories.make_user(
        "boss", role="administrator", is_staff=True, is_superuser=True
    )


@pytest.fixture
def desk(live_server):
    """A service with an agent of each kind."""
    connection = factories.make_connection(is_active=True)
    for kind in ("kyb", "kyc"):
        factories.make_agent(connection, kind=kind)
    return connection


@pytest.fixture
def logged_in(live_server, client, person):
    """Log a browser context in, as a person who may do everything."""
    client.force_login(person)
    session = {"name": "sessionid", "value": client.cookies["sessionid"].value}

    def log_in(context) -> None:
        context.add_cookies([{**session, "url": live_server.url}])

    return log_in


@pytest.fixture
def boss(page, page_events, logged_in):
    logged_in(page.context)
    return page
