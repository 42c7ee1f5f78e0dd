"""Single sign-on against a real OpenID provider that runs beside the test."""

from __future__ import annotations

from urllib.parse import urlsplit

import oidc_provider_mock
import pytest
import requests
from django.contrib.auth.models import Group, User

from reviews.access import roles
from reviews.models import CaseEvent
from tests.factories import make_user

pytestmark = [
    pytest.mark.django_db,
    # The provider is a package of its own, with warnings of its own.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
START = "/account/sso/company/login/"
ANA = {"preferred_username": "ana", "email": "ana@example.com", "email_verified": True}


@pytest.fixture
def provider(settings):
    people = [
        oidc_provider_mock.User(sub="1", claims={**ANA, "groups": ["kyc-staff"]}),
        oidc_provider_mock.User(sub="2", claims={"preferred_username": "bo", "groups": ["it"]}),
    ]  # fmt: skip
    with oidc_provider_mock.run_server_in_thread(user_claims=people) as server:
        settings.OIDC_ISSUER = f"http://localhost:{server.server_port}"
        app = {
            "provider_id": "company",
            "name": "Example SSO",
            "client_id": "desk",
            "secret": "secret-of-the-desk",
            "settings": {"server_url": settings.OIDC_ISSUER},
        }
        settings.SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": {"APPS": [app], "OAUTH_PKCE_ENABLED": True}
        }
        settings.OIDC_ROLES = frozenset({("kyc-staff", roles.ANALYST)})
        yield server


def change_groups(server, subject: str, groups: list[str]) -> None:
    """The provider has other groups of a person from now on."""
    claims = {**ANA, "groups": groups}
    address = f"http://localhost:{server.server_port}/users/{subject}"
    requests.put(address, json=claims, timeout=10).raise_for_status()


def sign_on(client, subject: str, *, path: str = START):
    """Follow the way of a browser: to the provider, through its form, and back."""
    start = client.get(path)
    assert start.status_code == 302, start.content
    form = requests.post(
        start["Location"], {"sub": subject}, allow_redirects=False, timeout=10
    )
    back = urlsplit(form.headers["Location"])
    return client.get(f"{back.path}?{back.query}")


def test_a_person_of_the_company_comes_in_with_the_roles_of_their_groups(
    client, provider
):
    assert sign_on(client, "1").status_code == 302
    user = User.objects.get(username="ana")
    assert [group.name for group in user.groups.all()] == [roles.ANALYST]
    assert not user.has_usable_password()
    assert client.get("/").status_code == 200
    lines = CaseEvent.objects.filter(what__in=["signed_in", "roles_given"])
    assert sorted(lines.values_list("what", flat=True)) == ["roles_given", "signed_in"]


def test_a_person_without_a_role_does_not_come_in(client, provider):
    page = sign_on(client, "2")
    assert page.status_code == 403
    assert "none of your groups has a role" in page.content.decode()
    assert not User.objects.filter(username="bo").exists()
    assert client.get("/").status_code == 302


def test_roles_follow_the_groups_at_each_login(client, provider, settings):
    sign_on(client, "1")
    user = User.objects.get(username="ana")
    user.groups.add(Group.objects.get(name=roles.SENIOR))
    client.post("/logout/")
    sign_on(client, "1")
    assert [group.name for group in user.groups.all()] == [roles.ANALYST]
    client.post("/logout/")
    change_groups(provider, "1", ["it"])
    assert sign_on(client, "1").status_code == 403
    assert not user.groups.exists()
    assert client.get("/").status_code == 302


def test_who_has_an_account_by_a_verified_address_keeps_it(client, provider):
    user = make_user("a.nowak", email="ana@example.com")
    sign_on(client, "1")
    assert int(client.session["_auth_user_id"]) == user.pk


def test_an_answer_that_nobody_asked_for_is_refused(client, provider):
    page = client.get("/account/sso/company/login/callback/?code=x&state=y")
    assert page.status_code == 401
    assert "_auth_user_id" not in client.session


def test_a_provider_that_does_not_answer_is_no_error_of_ours(
    client, provider, settings
):
    provider.shutdown()
    provider.server_close()
    page = client.get(START)
    assert page.status_code == 503
    assert "does not answer" in page.content.decode()
    assert "_auth_user_id" not in client.session


def test_the_login_page_leads_to_the_provider(client, provider, settings):
    assert START in client.get("/login/").content.decode()
    settings.OIDC_ISSUER = ""
    assert START not in client.get("/login/").content.decode()
