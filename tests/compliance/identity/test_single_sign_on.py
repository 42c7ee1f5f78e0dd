"""Single sign-on against a real OpenID provider that runs beside the test."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import oidc_provider_mock
import pytest
import requests
import time_machine
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Client
from django.contrib.auth.models import Group, User
from django.core import mail
from django.test import Client

from compliance.identity.passwords import confirmed_addresses
from reviews.access import roles
from reviews.models import CaseEvent
from tests.compliance.identity.test_accounts import add_app, code
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
        settings.SINGLE_SIGN_ON_ROLES = frozenset({("kyc-staff", roles.ANALYST)})
        yield server


def change_groups(server, subject: str, groups: list[str]) -> None:
    """The provider has other groups of a person from now on."""
    claims = {**ANA, "groups": groups}
    address = f"http://localhost:{server.server_port}/users/{subject}"
    requests.put(address, json=claims, timeout=10).raise_for_status()


def change_claims(server, subject: str, **claims: object) -> None:
    address = f"http://localhost:{server.server_port}/users/{subject}"
    body = {**ANA, "groups": ["kyc-staff"], **claims}
    requests.put(address, json=body, timeout=10).raise_for_status()


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


@pytest.fixture
def last_administrator(client, provider, settings) -> User:
    """Ana, whom the provider made an administrator, and who has logged out."""
    settings.SINGLE_SIGN_ON_ROLES = frozenset(
        {("kyc-staff", roles.ADMINISTRATOR), ("it", roles.ANALYST)}
    )
    sign_on(client, "1")
    client.post("/logout/")
    return User.objects.get(username="ana")


def kept_lines() -> list[object]:
    lines = CaseEvent.objects.filter(what="administrator_kept")
    return [*lines.values_list("data", flat=True)]


def test_the_last_administrator_keeps_their_roles_and_is_told(
    client, provider, last_administrator
):
    change_groups(provider, "1", ["it"])
    assert sign_on(client, "1").status_code == 302
    assert [group.name for group in last_administrator.groups.all()] == [
        roles.ADMINISTRATOR
    ]
    assert kept_lines() == [
        {"user_ids": [last_administrator.pk], "by": "single sign-on"}
    ]
    assert not CaseEvent.objects.filter(what="roles_taken").exists()
    page = client.get("/", follow=True).content.decode()
    assert "Add another administrator." in page


def test_the_last_administrator_without_a_role_stays_outside_and_keeps_it(
    client, provider, last_administrator
):
    change_groups(provider, "1", ["others"])
    assert sign_on(client, "1").status_code == 403
    assert client.get("/").status_code == 302
    assert last_administrator.has_perm("auth.change_user")
    assert len(kept_lines()) == 1


def test_one_of_two_administrators_may_lose_the_role(
    client, provider, last_administrator
):
    make_user("bo", role=roles.ADMINISTRATOR)
    change_groups(provider, "1", ["it"])
    assert sign_on(client, "1").status_code == 302
    assert [group.name for group in last_administrator.groups.all()] == [roles.ANALYST]
    assert kept_lines() == []


def test_who_has_an_account_by_a_verified_address_keeps_it(client, provider):
    user = make_user("a.nowak", email="ana@example.com")
    sign_on(client, "1")
    assert int(client.session["_auth_user_id"]) == user.pk


def test_an_address_that_is_not_verified_takes_over_no_account(client, provider):
    victim = make_user("a.nowak", email="ana@example.com")
    claims: tuple[object, ...] = (False, None, "false", "no", 1.5, [])
    for verified in claims:
        change_claims(provider, "1", email_verified=verified)
        browser = Client()
        sign_on(browser, "1")
        assert browser.session.get("_auth_user_id") != str(victim.pk), verified
    victim.refresh_from_db()
    assert victim.has_usable_password()


UNVERIFIED: tuple[object, ...] = (False, None, "false")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("verified", UNVERIFIED)
def test_an_address_that_is_not_verified_gets_nothing_until_it_is_confirmed(
    client, provider, settings, verified
):
    settings.EMAIL_HOST = "mail.example.com"
    change_claims(provider, "1", email_verified=verified)
    mail.outbox.clear()
    sign_on(client, "1")
    ana = User.objects.get(username="ana")
    assert confirmed_addresses.is_held(ana)
    page = client.get("/account/email/").content.decode()
    assert "Messages about cases wait for it, too." in page
    letters = [str(m.body) for m in mail.outbox if "confirm" in m.subject.lower()]
    [link] = [word for word in letters[0].split() if "#" in word]
    mail.outbox.clear()
    Client().post("/account/password/reset/", {"email": ana.email})
    assert mail.outbox == []
    assert Client().post("/account/email/open/", {"link": link}).status_code == 303
    assert not confirmed_addresses.is_held(ana)
    Client().post("/account/password/reset/", {"email": ana.email})
    assert [message.to for message in mail.outbox] == [[ana.email]]


def test_a_provider_that_has_verified_the_address_since_confirms_it(client, provider):
    change_claims(provider, "1", email_verified=False)
    sign_on(client, "1")
    ana = User.objects.get(username="ana")
    change_claims(provider, "1", email="other@example.com")
    sign_on(Client(), "1")
    assert confirmed_addresses.is_doubted(ana)
    change_claims(provider, "1")
    sign_on(Client(), "1")
    assert not confirmed_addresses.is_doubted(ana)


def test_an_address_that_a_directory_gave_to_an_account_in_use_opens_it_not(
    client, provider
):
    ada = make_user("ada", email="ana@example.com")
    confirmed_addresses.doubt_address(ada)
    sign_on(client, "1")
    assert client.session.get("_auth_user_id") != str(ada.pk)
    assert not SocialAccount.objects.filter(user=ada).exists()


@pytest.mark.parametrize("case", ["reused", "changed here", "of two accounts"])
def test_an_address_that_may_mean_somebody_else_opens_no_account(
    client, provider, case
):
    """Companies give the address of a person who left, or changed names, to the next one."""
    victim = make_user("a.nowak", email="ana@example.com")
    if case == "reused":
        SocialAccount.objects.create(user=victim, provider="company", uid="0")
    elif case == "changed here":
        EmailAddress.objects.create(user=victim, email="ana@example.com", verified=True)
        User.objects.filter(pk=victim.pk).update(email="nowak@example.com")
    else:
        make_user("a.nowak.admin", email="ana@example.com")
    answer = sign_on(client, "1")
    assert answer.status_code < 500
    assert client.session.get("_auth_user_id") != str(victim.pk)
    assert not SocialAccount.objects.filter(user=victim, uid="1").exists()


def test_a_verified_address_never_opens_the_account_of_a_superuser(client, provider):
    root = User.objects.create_superuser("root", "ana@example.com", "correct horse")
    sign_on(client, "1")
    assert client.session.get("_auth_user_id") != str(root.pk)


def test_a_person_who_was_deactivated_does_not_come_in(client, provider):
    sign_on(client, "1")
    User.objects.filter(username="ana").update(is_active=False)
    assert client.get("/").status_code == 302
    browser = Client()
    sign_on(browser, "1")
    assert "_auth_user_id" not in browser.session


def question_of(client, path: str = START) -> dict[str, list[str]]:
    """The parameters that the provider is asked with."""
    return parse_qs(urlsplit(client.get(path)["Location"]).query)


def test_the_question_has_a_state_a_nonce_and_a_challenge_of_its_own(client, provider):
    first, second = question_of(client), question_of(client)
    for name in ("state", "nonce", "code_challenge"):
        assert first[name] != second[name]
    assert first["code_challenge_method"] == ["S256"]
    assert "prompt" not in first


def test_a_link_chooses_nothing_of_the_question(client, provider):
    evil = urlencode(
        {
            "auth_params": "redirect_uri=https://evil.example&nonce=1&prompt=none",
            "scope": "offline_access",
            "process": "connect",
            "next": "https://evil.example/",
        }
    )
    question = question_of(client, f"{START}?{evil}")
    assert "evil" not in str(question)
    assert "prompt" not in question
    assert "offline_access" not in str(question)
    page = sign_on(client, "1", path=f"{START}?{evil}")
    assert page["Location"] == "/"


def test_who_is_logged_in_is_asked_again_by_the_provider(client, provider, settings):
    settings.STEP_UP_MINUTES = 30
    sign_on(client, "1")
    question = question_of(client, f"{START}?next=/tokens/")
    assert (question["prompt"], question["max_age"]) == (["login"], ["0"])
    assert sign_on(client, "1", path=f"{START}?next=/tokens/")["Location"] == "/tokens/"
    assert client.get("/tokens/").status_code == 200


def _with_auth_time(claims_of: Any, moment: object) -> Any:
    def claims(self, request):
        values = {**claims_of(self, request), "auth_time": moment}
        if moment is None:
            del values["auth_time"]
        return values

    return claims


def asked_at(monkeypatch, moment: object) -> None:
    """The provider says from now on that it asked the person at this moment; None: it says nothing."""
    code: Any = import_module("authlib.oidc.core").OpenIDCode
    # Authlib has the second one since 1.7: its claims come after those of the first.
    for name in ("get_compatible_claims", "get_authorization_code_claims"):
        if hasattr(code, name):
            monkeypatch.setattr(
                code, name, _with_auth_time(getattr(code, name), moment)
            )


@pytest.mark.parametrize("moment", [None, 1_000_000_000, "now"])
def test_a_provider_that_asked_nobody_confirms_no_identity(
    client, provider, settings, monkeypatch, moment
):
    """Whoever takes `prompt` and `max_age` out of the address gets such an answer."""
    settings.STEP_UP_MINUTES = 30
    asked_at(monkeypatch, moment)
    sign_on(client, "1")
    sign_on(client, "1", path=f"{START}?next=/tokens/")
    page = client.get("/tokens/")
    assert page["Location"] == f"{START}?next=%2Ftokens%2F"


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (None, "does not say when"),
        (1_000_000_000, "did not ask you for your password again"),
    ],
)
def test_without_a_new_auth_time_a_second_factor_of_ones_own_confirms_who_one_is(
    client, provider, settings, monkeypatch, moment, text
):
    settings.STEP_UP_MINUTES = 30
    settings.SECOND_FACTOR_ROLES = frozenset({roles.ANALYST})
    asked_at(monkeypatch, moment)
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        sign_on(client, "1")
        page = sign_on(client, "1", path=f"{START}?next=/tokens/")
        assert page.status_code == 403
        assert text in page.content.decode()
        secret = add_app(client)
        confirm = client.get("/tokens/")["Location"]
        assert confirm.startswith("/account/2fa/reauthenticate/")
        clock.shift(timedelta(seconds=60))
        assert client.post(confirm, {"code": code(secret)}).status_code == 302
        assert client.get("/tokens/").status_code == 200


@pytest.mark.parametrize("page", ["totp/activate", "webauthn/add"])
def test_a_login_of_long_ago_adds_no_second_factor(
    client, provider, settings, monkeypatch, page
):
    """Or whoever gets hold of the session gives it a second factor of their own."""
    settings.STEP_UP_MINUTES = 30
    asked_at(monkeypatch, None)
    address = f"/account/2fa/{page}/"
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        sign_on(client, "1")
        assert client.get(address).status_code == 200
        clock.shift(timedelta(minutes=31))
        answer = client.get(address)
        assert answer["Location"] == f"{START}?{urlencode({'next': address})}"


@pytest.mark.parametrize("moment", [None, 1_000_000_000])
def test_a_login_that_the_provider_gave_without_asking_is_not_recent(
    client, provider, settings, monkeypatch, moment
):
    """A logout and a login confirm no identity, either."""
    settings.STEP_UP_MINUTES = 30
    asked_at(monkeypatch, moment)
    sign_on(client, "1")
    assert client.get("/").status_code == 200
    page = client.get("/tokens/")
    assert page["Location"] == f"{START}?next=%2Ftokens%2F"


def test_a_login_that_the_provider_asked_for_is_recent(client, provider, settings):
    settings.STEP_UP_MINUTES = 30
    sign_on(client, "1")
    assert client.get("/tokens/").status_code == 200


def test_the_answer_to_another_question_is_refused(client, provider):
    """The code of an attacker's own login, brought into the browser of another."""
    start = client.get(START)
    form = requests.post(
        start["Location"], {"sub": "1"}, allow_redirects=False, timeout=10
    )
    code = parse_qs(urlsplit(form.headers["Location"]).query)["code"][0]
    victim = Client()
    state = parse_qs(urlsplit(victim.get(START)["Location"]).query)["state"][0]
    page = victim.get(f"/account/sso/company/login/callback/?code={code}&state={state}")
    assert "_auth_user_id" not in victim.session
    assert page.status_code in {200, 401}


def test_an_id_token_of_another_question_is_refused(client, provider):
    start = client.get(START)
    session = client.session
    states = session["socialaccount_states"]
    for entry in states.values():
        entry[0]["data"]["nonce"] = "another"
    session["socialaccount_states"] = states
    session.save()
    form = requests.post(
        start["Location"], {"sub": "1"}, allow_redirects=False, timeout=10
    )
    back = urlsplit(form.headers["Location"])
    client.get(f"{back.path}?{back.query}")
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("audience", ["desk", "another application"])
def test_an_id_token_for_another_application_is_refused(
    client, provider, monkeypatch, audience
):
    """The same provider has signed it, for the same person and with our nonce."""
    start = client.get(START)
    asked = parse_qs(urlsplit(start["Location"]).query)
    issuer = f"http://localhost:{provider.server_port}"
    query = {
        "client_id": audience,
        "redirect_uri": asked["redirect_uri"][0],
        "response_type": "code",
        "scope": "openid profile email",
        "nonce": asked["nonce"][0],
        "state": asked["state"][0],
    }
    form = requests.post(
        f"{issuer}/oauth2/authorize?{urlencode(query)}",
        {"sub": "1"},
        allow_redirects=False,
        timeout=10,
    )
    back = urlsplit(form.headers["Location"])
    answer = parse_qs(back.query)
    body = {
        "grant_type": "authorization_code",
        "code": answer["code"][0],
        "redirect_uri": query["redirect_uri"],
    }
    token = requests.post(
        f"{issuer}/oauth2/token",
        body,
        auth=(audience, "secret-of-the-desk"),
        timeout=10,
    )
    monkeypatch.setattr(
        OAuth2Client, "get_access_token", lambda *_args, **_kwargs: token.json()
    )
    client.get(f"{back.path}?{back.query}")
    assert ("_auth_user_id" in client.session) == (audience == "desk")


def test_a_person_without_a_second_factor_is_stopped_here_too(
    client, provider, settings
):
    settings.SECOND_FACTOR_ROLES = frozenset({roles.ANALYST})
    sign_on(client, "1")
    assert client.get("/")["Location"] == "/account/2fa/"


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


def test_a_weak_login_of_the_provider_is_refused(client, provider, settings):
    settings.OIDC_ACR = ("phrh", "mfa")
    change_claims(provider, "1", acr="password")
    sign_on(client, "1")
    assert client.get("/").status_code == 302
    assert not User.objects.filter(username="ana").exists()
    change_claims(provider, "1", acr="mfa")
    sign_on(client, "1")
    assert client.get("/").status_code == 200


def test_the_strength_is_asked_for(client, provider, settings):
    settings.OIDC_ACR = ("phrh", "mfa")
    query = parse_qs(urlsplit(client.get(START)["Location"]).query)
    assert query["acr_values"] == ["phrh mfa"]


def store_provider(provider_id: str, server) -> None:
    """What somebody puts in who can write to the database: a provider of their own."""
    SocialApp.objects.create(
        provider="openid_connect",
        provider_id=provider_id,
        name="Another provider",
        client_id="theirs",
        secret="of theirs",
        settings={"server_url": f"http://127.0.0.1:{server.server_port}"},
    )


def test_a_provider_in_the_database_is_not_used(client, provider):
    store_provider("theirs", provider)
    for step in ("login", "login/callback"):
        assert client.get(f"/account/sso/theirs/{step}/").status_code == 404
    assert "Another provider" not in client.get("/login/").content.decode()
    assert not User.objects.exists()


def test_a_row_of_the_same_name_does_not_replace_the_provider(client, provider):
    store_provider("company", provider)
    start = client.get(START)
    assert start.status_code == 302
    assert urlsplit(start["Location"]).netloc == f"localhost:{provider.server_port}"
    assert parse_qs(urlsplit(start["Location"]).query)["client_id"] == ["desk"]
    sign_on(client, "1")
    assert User.objects.filter(username="ana").exists()


def test_without_a_provider_in_the_settings_there_is_none(client, provider, settings):
    settings.SOCIALACCOUNT_PROVIDERS = {}
    store_provider("company", provider)
    assert client.get(START).status_code == 404
