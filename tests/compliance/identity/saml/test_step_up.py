"""Who is asked by the provider again, and when that confirms an identity."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.test import Client

from reviews.access import roles
from tests.compliance.identity.saml.browser import START, ask, is_in, sign_on
from tests.compliance.identity.test_accounts import add_app, code

pytestmark = pytest.mark.django_db
NOW = 1_800_000_000
TOKENS = f"{START}?next=/tokens/"


@pytest.fixture
def clock(saml, time_machine):
    saml.STEP_UP_MINUTES = 30
    time_machine.move_to(NOW, tick=False)
    return time_machine


def test_a_login_that_the_provider_asked_for_is_recent(client, clock):
    sign_on(client)
    assert client.get("/tokens/").status_code == 200
    clock.shift(31 * 60)
    assert client.get("/tokens/")["Location"] == f"{START}?next=%2Ftokens%2F"


def test_a_login_that_the_provider_gave_without_asking_is_not_recent(client, clock):
    """A logout and a login confirm no identity."""
    sign_on(client, authenticated=-31 * 60)
    assert client.get("/").status_code == 200
    assert client.get("/tokens/")["Location"] == f"{START}?next=%2Ftokens%2F"


def test_who_is_logged_in_is_asked_again_by_the_provider(client, clock):
    assert not ask(client).is_forced
    sign_on(client, authenticated=-3600)
    assert ask(client, TOKENS).is_forced
    page = sign_on(client, path=TOKENS)
    assert page["Location"] == "/tokens/"
    assert client.get("/tokens/").status_code == 200


@pytest.mark.parametrize("age", [61, 600, 86_400])
def test_a_provider_that_asked_nobody_confirms_no_identity(client, clock, age):
    """Whoever takes ForceAuthn out of the request gets such an answer."""
    sign_on(client, authenticated=-3600)
    page = sign_on(client, path=TOKENS, authenticated=-age)
    assert page.status_code == 403
    text = page.content.decode()
    assert "Set up a second factor of your own" in text
    assert "did not ask you for your password again" in text
    assert "does not say when" not in text
    assert client.get("/tokens/").status_code == 302
    assert client.get("/").status_code == 200


def test_a_second_factor_of_ones_own_confirms_instead(client, saml, clock):
    saml.SECOND_FACTOR_ROLES = frozenset({roles.ANALYST})
    sign_on(client, authenticated=-3600)
    secret = add_app(client)
    confirm = client.get("/tokens/")["Location"]
    assert confirm.startswith("/account/2fa/reauthenticate/")
    clock.shift(60)
    assert client.post(confirm, {"code": code(secret)}).status_code == 302
    assert client.get("/tokens/").status_code == 200


@pytest.mark.parametrize("page", ["totp/activate", "webauthn/add"])
def test_a_login_of_long_ago_adds_no_second_factor(client, clock, page):
    address = f"/account/2fa/{page}/"
    sign_on(client, authenticated=-3600)
    assert client.get(address).status_code == 200
    clock.shift(31 * 60)
    answer = client.get(address)
    assert answer["Location"] == f"{START}?{urlencode({'next': address})}"


def test_the_confirmation_of_another_person_is_a_login_of_theirs(client, clock):
    sign_on(client)
    first = client.session["_auth_user_id"]
    sign_on(
        client,
        path=TOKENS,
        name_id="number-2",
        attributes={"uid": ["bo"], "groups": ["kyc-staff"]},
    )
    assert client.session["_auth_user_id"] != first


def test_with_single_sign_on_only_the_provider_is_the_way_to_confirm(
    client, saml, clock
):
    saml.SINGLE_SIGN_ON_ONLY = True
    sign_on(client, authenticated=-3600)
    page = client.get("/account/reauthenticate/?next=/tokens/")
    assert page["Location"] == f"{START}?next=%2Ftokens%2F"
    assert Client().get("/account/password/reset/").status_code == 404
    assert is_in(client)
