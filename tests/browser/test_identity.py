"""Passkeys and links for passwords in a real browser; its authenticator is a virtual one of its tools."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from compliance.identity import invitations
from reviews.models import Case, CaseEvent
from tests import factories
from tests.browser.accessibility import violations
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def authenticator(page):
    """A device with a fingerprint reader that always recognises its owner."""
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    device = tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    tools.devices = [device["authenticatorId"]]
    return tools


def log_in(page) -> None:
    page.goto("/login/")
    page.get_by_label("User name").fill("ana")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Log in", exact=True).click()


def test_a_passkey_is_set_up_and_logs_in(
    page, page_events, live_server, settings, authenticator
):
    settings.DESK_URL = live_server.url
    make_user("ana")
    log_in(page)
    expect(page).to_have_title("Queue · Compliance desk")
    page.goto("/account/2fa/webauthn/add/")
    page.get_by_label("Name").fill("Laptop")
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add").click()
    # Recovery codes come with the first factor.
    expect(page.get_by_role("heading", name="Recovery Codes")).to_be_visible()
    page.context.clear_cookies()
    page.goto("/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page).to_have_title("Queue · Compliance desk")
    page.goto("/account/2fa/webauthn/")
    expect(page.get_by_text("Laptop")).to_be_visible()
    assert page_events.complaints == []
    lines = CaseEvent.objects.filter(what__in=["second_factor_added", "signed_in"])
    assert lines.count() >= 3


def test_a_password_alone_is_not_enough_with_a_passkey(
    page, page_events, live_server, settings, authenticator
):
    settings.DESK_URL = live_server.url
    make_user("ana")
    log_in(page)
    page.goto("/account/2fa/webauthn/add/")
    page.get_by_label("Name").fill("Laptop")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Recovery Codes")).to_be_visible()
    page.context.clear_cookies()
    log_in(page)
    heading = page.get_by_role("heading", name="Two-Factor Authentication")
    expect(heading).to_be_visible()
    page.goto("/")
    expect(heading).to_be_visible()


def test_a_passkey_whose_owner_is_not_recognised_opens_nothing(
    page, live_server, settings, authenticator
):
    """Somebody has the device, and not the finger or the PIN."""
    settings.DESK_URL = live_server.url
    make_user("ana")
    log_in(page)
    page.goto("/account/2fa/webauthn/add/")
    page.get_by_label("Name").fill("Laptop")
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Recovery Codes")).to_be_visible()
    for device in authenticator.devices:
        options = {"authenticatorId": device, "isUserVerified": False}
        authenticator.send("WebAuthn.setUserVerified", options)
    page.context.clear_cookies()
    page.goto("/login/")
    # The browser refuses, and the page says so there.
    with page.expect_console_message(lambda message: message.type == "error"):
        page.get_by_role("button", name="Log in with a passkey").click()
    page.goto("/")
    expect(page).to_have_title("Log in · Compliance desk")


def test_a_link_for_a_password_is_opened_without_its_key_in_an_address(
    page, page_events, live_server
):
    user = make_user("bo", email="bo@example.com")
    parts = urlsplit(invitations.link(user))
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url.partition("#")[0]))
    page.goto(f"{parts.path}#{parts.fragment}")
    expect(page.locator("input[name=password1]")).to_be_visible()
    assert violations(page) == []
    key = parts.fragment.partition("-")[2]
    for address in (*addresses, page.url):
        assert key not in address
    page.goto("/account/password/open/")
    expect(page.get_by_label("Your link")).to_be_visible()
    assert violations(page) == []
    assert page_events.complaints == []


def test_the_next_person_begins_without_the_queue_of_the_last_one(
    page, page_events, live_server, desk
):
    factories.make_case(desk, status=Case.Status.TO_REVIEW)
    make_user("ana")
    log_in(page)
    expect(page.locator("tbody a").first).to_be_visible()
    page.locator("tbody a").first.click()
    page.wait_for_url("**/cases/*/")
    kept = "sessionStorage.length"
    assert page.evaluate(kept) > 0
    page.get_by_role("button", name="Account").click()
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/login/")
    assert page.evaluate(kept) == 0
    assert page_events.complaints == []
