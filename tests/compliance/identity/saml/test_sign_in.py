"""Who comes in by SAML, and with what."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from defusedxml import ElementTree
from django.contrib.auth.models import Group, User
from django.test import Client

from reviews.access import roles
from reviews.models import CaseEvent
from tests.compliance.identity.saml import provider
from tests.compliance.identity.saml.browser import (
    ACS,
    COOKIE,
    START,
    ask,
    bring,
    is_in,
    sign_on,
)
from tests.compliance.identity.saml.provider import Answer
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_a_person_of_the_company_comes_in_with_the_roles_of_their_groups(client, saml):
    page = sign_on(client)
    assert (page.status_code, page["Location"]) == (302, "/")
    user = User.objects.get(username="ana")
    assert [group.name for group in user.groups.all()] == [roles.ANALYST]
    assert not user.has_usable_password()
    assert client.get("/").status_code == 200
    lines = CaseEvent.objects.filter(what__in=["signed_in", "roles_given"])
    assert sorted(lines.values_list("what", flat=True)) == ["roles_given", "signed_in"]


def test_the_trail_says_that_the_login_was_by_saml(client, saml):
    sign_on(client)
    line = CaseEvent.objects.get(what="signed_in")
    assert line.data == {"by": ["saml"]}


def come_with(client: Client, *groups: str) -> Any:
    """Log out, and in again with these groups."""
    client.post("/logout/")
    return sign_on(client, attributes={"uid": ["ana"], "groups": list(groups)})


@pytest.fixture
def last_administrator(client, saml) -> User:
    """Ana, whom the provider made an administrator."""
    saml.SINGLE_SIGN_ON_ROLES = frozenset(
        {("kyc-staff", roles.ADMINISTRATOR), ("it", roles.ANALYST)}
    )
    sign_on(client)
    return User.objects.get(username="ana")


def roles_of(user: User) -> list[str]:
    return [*user.groups.values_list("name", flat=True)]


def kept_lines() -> list[object]:
    lines = CaseEvent.objects.filter(what="administrator_kept")
    return [*lines.values_list("data", flat=True)]


def test_the_last_administrator_keeps_their_roles_and_is_told(
    client, last_administrator
):
    assert come_with(client, "it").status_code == 302
    assert is_in(client)
    assert roles_of(last_administrator) == [roles.ADMINISTRATOR]
    assert kept_lines() == [
        {"user_ids": [last_administrator.pk], "by": "single sign-on"}
    ]
    assert not CaseEvent.objects.filter(what="roles_taken").exists()
    page = client.get("/", follow=True).content.decode()
    assert "Add another administrator." in page


def test_the_last_administrator_without_a_role_stays_outside_and_keeps_it(
    client, last_administrator
):
    assert come_with(client, "others").status_code == 403
    assert not is_in(client)
    assert roles_of(last_administrator) == [roles.ADMINISTRATOR]
    assert len(kept_lines()) == 1


def test_one_of_two_administrators_may_lose_the_role(client, last_administrator):
    make_user("bo", role=roles.ADMINISTRATOR)
    assert come_with(client, "it").status_code == 302
    assert roles_of(last_administrator) == [roles.ANALYST]
    assert kept_lines() == []


def test_only_what_is_used_is_kept_of_the_person(client, saml):
    attributes = {
        "uid": ["ana"],
        "groups": ["kyc-staff"],
        "telephoneNumber": ["+1 202 555 0100"],
    }
    sign_on(client, attributes=attributes)
    account = SocialAccount.objects.get(user__username="ana")
    assert "202 555" not in str(account.extra_data)
    assert account.uid == "number-1"


def test_a_person_without_a_role_does_not_come_in(client, saml):
    page = sign_on(client, attributes={"uid": ["bo"], "groups": ["it"]})
    assert page.status_code == 403
    assert "none of your groups has a role" in page.content.decode()
    assert not User.objects.filter(username="bo").exists()
    assert client.get("/").status_code == 302


def test_roles_follow_the_groups_at_each_login(client, saml):
    sign_on(client)
    user = User.objects.get(username="ana")
    user.groups.add(Group.objects.get(name=roles.SENIOR))
    client.post("/logout/")
    sign_on(client)
    assert [group.name for group in user.groups.all()] == [roles.ANALYST]
    client.post("/logout/")
    assert sign_on(client, attributes={"groups": ["it"]}).status_code == 403
    assert not user.groups.exists()


def test_the_groups_may_be_under_another_name(client, saml):
    saml.SAML_GROUPS_ATTRIBUTE = "memberOf"
    sign_on(client, attributes={"uid": ["ana"], "memberOf": ["it", "kyc-staff"]})
    assert is_in(client)


def test_who_has_an_account_by_a_verified_address_keeps_it(client, saml):
    user = make_user("a.nowak", email="ana@example.com")
    sign_on(client)
    assert int(client.session["_auth_user_id"]) == user.pk


def test_an_address_of_another_domain_takes_over_no_account(client, saml):
    victim = make_user("a.nowak", email="ana@elsewhere.example")
    attributes = {
        "uid": ["ana"],
        "mail": ["ana@elsewhere.example"],
        "groups": ["kyc-staff"],
    }
    sign_on(client, attributes=attributes)
    assert client.session.get("_auth_user_id") != str(victim.pk)
    victim.refresh_from_db()
    assert victim.has_usable_password()


def test_a_verified_address_never_opens_the_account_of_a_superuser(client, saml):
    root = User.objects.create_superuser("root", "ana@example.com", "correct horse")
    sign_on(client)
    assert client.session.get("_auth_user_id") != str(root.pk)


def test_a_person_who_was_deactivated_does_not_come_in(client, saml):
    sign_on(client)
    User.objects.filter(username="ana").update(is_active=False)
    assert client.get("/").status_code == 302
    browser = Client()
    sign_on(browser)
    assert not is_in(browser)


def test_the_number_may_be_an_attribute(client, saml):
    saml.SAML_UID_ATTRIBUTE = "employeeNumber"
    attributes = {"employeeNumber": ["1702"], "uid": ["ana"], "groups": ["kyc-staff"]}
    sign_on(client, attributes=attributes, name_id="another at each login")
    assert is_in(client)


def test_a_person_is_the_same_at_each_login(client, saml):
    sign_on(client)
    client.post("/logout/")
    sign_on(client, attributes={"uid": ["other"], "groups": ["kyc-staff"]})
    assert User.objects.filter(socialaccount__uid="number-1").count() == 1
    assert not User.objects.filter(username="other").exists()


def test_the_request_names_us_and_is_another_each_time(client, saml):
    first, second = ask(client), ask(client)
    assert first.id != second.id
    assert first.recipient == provider.RECIPIENT
    assert first.issuer == provider.AUDIENCE
    assert not first.is_forced
    assert "Signature" not in first.parameters


def test_a_request_is_signed_where_there_is_a_key(client, saml, tmp_path):
    ours = provider.identity("desk")
    (tmp_path / "desk.pem").write_bytes(ours.certificate)
    saml.SAML_KEY = ours.key.decode()
    saml.SAML_CERTIFICATE_FILE = str(tmp_path / "desk.pem")
    address = client.get(START)["Location"]
    parts = dict(part.split("=", 1) for part in urlsplit(address).query.split("&"))
    text = "&".join(
        f"{name}={parts[name]}" for name in ("SAMLRequest", "RelayState", "SigAlg")
    )
    signature = base64.b64decode(unquote(parts["Signature"]))
    key = x509.load_pem_x509_certificate(ours.certificate).public_key()
    assert isinstance(key, RSAPublicKey)
    key.verify(signature, text.encode(), padding.PKCS1v15(), hashes.SHA256())


def test_the_provider_reads_what_to_enter_from_our_metadata(client, saml):
    page = client.get("/account/saml/company/metadata/")
    assert page["Content-Type"] == "application/samlmetadata+xml"
    root = ElementTree.fromstring(page.content)
    assert root.attrib["entityID"] == provider.AUDIENCE
    text = page.content.decode()
    assert f'Location="{provider.RECIPIENT}"' in text
    assert 'WantAssertionsSigned="true"' in text
    assert "SingleLogoutService" not in text


@pytest.mark.parametrize("step", ["login", "acs", "acs/finish", "metadata"])
def test_without_a_provider_of_saml_there_is_none(client, step):
    address = f"/account/saml/company/{step}/"
    assert client.get(address).status_code in {404, 405}
    assert client.post(address).status_code in {404, 405}


def test_a_provider_of_another_name_is_none(client, saml):
    assert client.get("/account/saml/theirs/login/").status_code == 404


def test_the_login_page_leads_to_the_provider(client, saml):
    saml.SAML_NAME = "Example SSO"
    page = client.get("/login/").content.decode()
    assert START in page
    assert "Log in with Example SSO" in " ".join(page.split())


def test_a_link_chooses_nothing_of_the_request(client, saml):
    evil = urlencode({"next": "https://evil.example/", "process": "connect"})
    page = sign_on(client, path=f"{START}?{evil}")
    assert page["Location"] == "/"


def test_the_page_after_the_login_is_the_one_that_was_asked_for(client, saml):
    page = sign_on(client, path=f"{START}?next=/cases/new/")
    assert page["Location"] == "/cases/new/"


@pytest.mark.parametrize(
    "place", ["https://evil.example/", "//evil.example", "/cases/"]
)
def test_relay_state_leads_nowhere(client, saml, place):
    text = provider.response(Answer(ask(client).id))
    page = bring(client, text, RelayState=place)
    assert page["Location"] == "/"


def test_the_form_of_the_provider_needs_no_token_and_keeps_no_page_of_ours(saml):
    """Browsers send it from the provider's site, without the cookie of the session."""
    client = Client(enforce_csrf_checks=True)
    text = provider.response(Answer(ask(client).id))
    form = Client(enforce_csrf_checks=True).post(ACS, {"SAMLResponse": text})
    assert form.status_code == 302
    cookie = form.cookies[COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_other_forms_of_it_need_one(saml):
    client = Client(enforce_csrf_checks=True)
    page = client.post("/login/", {"login": "a", "password": "b"})
    assert page.status_code == 403


def test_a_login_ends_when_the_provider_says_so(client, saml, time_machine):
    time_machine.move_to(1_800_000_000, tick=False)
    sign_on(client, session_end=600)
    assert client.get("/").status_code == 200
    time_machine.shift(601)
    assert client.get("/").status_code == 302


def test_a_person_without_a_second_factor_is_stopped_here_too(client, saml):
    saml.SECOND_FACTOR_ROLES = frozenset({roles.ANALYST})
    sign_on(client)
    assert client.get("/")["Location"] == "/account/2fa/"


def test_both_certificates_count_while_the_provider_changes_its_key(
    client, saml, tmp_path
):
    file = tmp_path / "two.xml"
    file.write_text(provider.metadata("provider", "next key"))
    saml.SAML_IDP_METADATA_FILE = str(file)
    for key in ("provider", "next key"):
        browser = Client()
        bring(browser, provider.response(Answer(ask(browser).id), key=key))
        assert is_in(browser)


def test_address_and_certificate_are_enough(client, saml, tmp_path):
    file = tmp_path / "idp.pem"
    file.write_bytes(provider.identity("provider").certificate)
    saml.SAML_IDP_METADATA_FILE = ""
    saml.SAML_IDP_CERTIFICATE_FILE = str(file)
    saml.SAML_IDP_URL = provider.SIGN_IN
    sign_on(client)
    assert is_in(client)
