"""The way of a browser: to the provider, and back with a form from another site."""

from __future__ import annotations

from typing import Any

from django.test import Client

from tests.compliance.identity.saml import provider
from tests.compliance.identity.saml.provider import Answer

START = "/account/saml/company/login/"
ACS = "/account/saml/company/acs/"
FINISH = "/account/saml/company/acs/finish/"
COOKIE = "saml"


def ask(client: Client, path: str = START) -> provider.Request:
    """The request with which the desk sends this browser to the provider."""
    page = client.get(path)
    assert page.status_code == 302, page.content
    assert page["Location"].startswith(provider.SIGN_IN)
    return provider.read_request(page["Location"])


def bring(client: Client, text: str, **fields: str) -> Any:
    """Send the provider's form. A browser sends it without the cookie of our session, and does
    not lose that cookie by it.
    """
    form = Client().post(ACS, {"SAMLResponse": text, **fields})
    assert "sessionid" not in form.cookies
    if form.status_code != 302:
        return form
    assert form["Location"] == FINISH
    client.cookies[COOKIE] = form.cookies[COOKIE].value
    return client.get(FINISH)


def sign_on(client: Client, *, path: str = START, **changes: Any) -> Any:
    """Log in with a good response, in which the test changes some parts."""
    request = ask(client, path)
    answer = Answer(request.id).but(**changes)
    return bring(client, provider.response(answer))


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session
