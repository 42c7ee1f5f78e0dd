"""Single sign-on by SAML in a real browser: the provider's page is on another site."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.compliance.identity.saml import provider
from tests.compliance.identity.saml.conftest import set_app, set_provider

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGE = """<!DOCTYPE html><title>Provider</title><form method="post" action="{place}">
<input type="hidden" name="SAMLResponse" value="{text}"><button>Go on</button></form>"""


class Handler(BaseHTTPRequestHandler):
    """The provider's page: its button sends the response to the desk."""

    def do_GET(self) -> None:
        if urlsplit(self.path).path != "/sso":
            self.send_error(404)
            return
        request = provider.read_request(self.path)
        desk = request.issuer.partition("/account/")[0]
        answer = provider.Answer(request.id).but(
            audiences=(f"{desk}/account/saml/company/metadata/",),
            recipient=request.recipient,
            destination=request.recipient,
        )
        text = provider.response(answer)
        body = PAGE.format(place=request.recipient, text=text).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """The log of a test is read by people."""


@pytest.fixture
def identity_provider(live_server, settings, tmp_path) -> Iterator[str]:
    # The desk is at localhost: for a browser this address is another site.
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}/sso"
    set_provider(settings, tmp_path, sign_in=address)
    set_app(settings)
    settings.DESK_URL = live_server.url
    yield address
    server.shutdown()
    server.server_close()


def test_a_person_comes_in_and_confirms_who_they_are(
    page, page_events, live_server, settings, identity_provider
):
    assert urlsplit(live_server.url).hostname == "localhost"
    settings.SAML_NAME = "Example SSO"
    page.goto("/login/?next=/cases/new/")
    page.get_by_role("link", name="Log in with Example SSO").click()
    expect(page).to_have_title("Provider")
    page.get_by_role("button", name="Go on").click()
    expect(page).to_have_title("Queue · Compliance desk")
    settings.STEP_UP_MINUTES = 30
    # What is sensitive: the login is fresh, so that nobody is asked.
    page.goto("/tokens/")
    expect(page).to_have_title("API tokens · Compliance desk")
    page.goto("/account/saml/company/login/?next=/tokens/")
    page.get_by_role("button", name="Go on").click()
    expect(page).to_have_title("API tokens · Compliance desk")
    assert page_events.complaints == []
    names = {cookie["name"] for cookie in page.context.cookies(live_server.url)}
    assert "sessionid" in names
