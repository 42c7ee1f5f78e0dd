"""What nobody can undo is asked once more: the button stands in a closed part that says what it does.

It works without a script, and one press alone changes nothing.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import localdate, now
from lxml.html import fromstring

from agenthub.accounts import api_keys, signing_secrets
from reviews.access import api_tokens, roles
from reviews.applicants import invitations
from reviews.filings import suspicion
from reviews.models import InformationRequest, Job, Scope
from tests import factories
from tests.reviews.rows import open_case, someone

pytestmark = pytest.mark.django_db


def is_asked(client: Client, page: str, address: str, sends: str = "") -> None:
    """Each button of the page that sends to this address stands in a closed part that asks."""
    page_of = fromstring(client.get(page).content.decode())
    buttons = []
    for button in page_of.iter("button"):
        form = next(button.iterancestors("form"), None)
        name = button.get("name")
        if form is None or sends != (f"{name}={button.get('value')}" if name else ""):
            continue
        if button.get("formaction", form.get("action")) == address:
            buttons.append(button)
    assert buttons
    for button in buttons:
        part = next(button.iterancestors("details"), None)
        assert part is not None
        assert "open" not in part.attrib
        # What opens it, a sentence on what comes of it, and the button.
        assert len(part.text_content().split()) > 10


def signed_in(client: Client, role: str) -> Client:
    client.force_login(someone(role, "ana"))
    return client


def test_a_token(client):
    user = someone(roles.ANALYST, "ana")
    client.force_login(user)
    token, _raw = api_tokens.create(
        actor=user, user=user, name="CRM", scopes=[Scope.READ]
    )
    is_asked(client, "/tokens/", f"/tokens/{token.pk}/revoke/")


def test_a_key_and_a_secret_of_an_account(client):
    client.force_login(factories.make_user("hana", role="hub administrator"))
    account = factories.make_hub()["account"]
    key = api_keys.create(account, name="second")[0]
    signing_secrets.rotate(account)
    page = f"/hub/accounts/{account.pk}/"
    is_asked(client, page, f"/hub/keys/{key.pk}/revoke/")
    for secret in account.signing_secrets.all():
        is_asked(client, page, f"/hub/secrets/{secret.pk}/end/")


def test_an_invitation(client):
    user = someone(roles.ANALYST, "ana")
    client.force_login(user)
    agent = factories.make_agent(factories.make_connection(), kind="kyb")
    invitation = invitations.create(agent, actor=user, message="Hello.")
    is_asked(client, "/invitations/", f"/invitations/{invitation.pk}/withdraw/")


def test_a_job_that_takes_long(client):
    signed_in(client, roles.ANALYST)
    case = factories.make_case()
    factories.make_job(
        case, status=Job.Status.RUNNING, started_at=now() - timedelta(days=3)
    )
    is_asked(client, f"/cases/{case.pk}/", f"/cases/{case.pk}/stop-waiting/")


def test_a_draft_of_a_case(client):
    signed_in(client, roles.ANALYST)
    factories.make_agent(factories.make_connection(), kind="kyb")
    address = "/cases/new/draft/?kind=kyb"
    client.post(address, {"business_name": "Northwind"})
    is_asked(client, "/cases/new/?kind=kyb", address, "drop=1")


def test_a_draft_of_a_report_on_suspicion(client):
    user = someone(roles.ANALYST, "ana")
    client.force_login(user)
    report = suspicion.begin(
        open_case(failing=True), actor=user, noticed_on=localdate()
    )
    page = f"/suspicion/{report.pk}/"
    is_asked(client, page, f"{page}act/", "act=withdraw")


def test_links_of_applicants(client):
    signed_in(client, roles.ANALYST)
    case = open_case()
    InformationRequest.objects.create(
        case=case,
        made_by=someone(roles.ANALYST, "bo"),
        message="Please",
        expires_at=now() + timedelta(days=1),
    )
    type(case).objects.filter(pk=case.pk).update(status="waiting")
    is_asked(client, f"/cases/{case.pk}/", f"/cases/{case.pk}/withdraw-request/")
