"""A provider of single sign-on that lies, or whose answers somebody else has written."""

from __future__ import annotations

import time

import oidc_provider_mock
import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.test import Client

from compliance.http import outbound
from compliance.identity.single_sign_on import openid_connect
from reviews.access import roles
from tests.compliance.identity.openid import provider as openid
from tests.compliance.identity.openid.provider import (
    DISCOVERY,
    JWKS,
    OTHER_KEY,
    TOKEN,
    USERINFO,
    come_back,
    signed,
)

pytestmark = [
    pytest.mark.django_db,
    # The provider is a package of its own, with warnings of its own.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
ANA = {"preferred_username": "ana", "email": "ana@example.com", "email_verified": True}


@pytest.fixture
def provider(settings):
    people = [
        oidc_provider_mock.User(sub="1", claims={**ANA, "groups": ["kyc-staff"]}),
        oidc_provider_mock.User(sub="2", claims={"preferred_username": "bo"}),
    ]
    with openid.running(people) as server:
        openid.set_provider(settings, server)
        settings.SINGLE_SIGN_ON_ROLES = frozenset({("kyc-staff", roles.ANALYST)})
        yield server


def refuses(client, *, path: str = openid.START) -> None:
    """Nobody comes in, and the page says so without an error of ours."""
    page = come_back(client, path=path)
    assert page.status_code in {401, 503}, page.status_code
    assert "_auth_user_id" not in client.session
    assert not User.objects.exists()


def test_an_honest_answer_opens_the_account(client, provider):
    assert come_back(client).status_code == 302
    assert User.objects.get().username == "ana"


SIGNATURES = {
    "none": lambda claims: signed(claims, None, algorithm="none"),
    "the public key as a secret": openid.signed_with_public_key,
    "a list of algorithms": lambda claims: openid.signed_with_public_key(
        claims, ["RS256"]
    ),
    "another secret": lambda claims: signed(claims, "x" * 64, algorithm="HS256"),
    "another key": lambda claims: signed(claims, OTHER_KEY),
    "another id": lambda claims: signed(claims, kid="another"),
    "changed": lambda claims: signed(claims)[:-6] + "AAAAAA",
    "cut": lambda claims: signed(claims).rpartition(".")[0] + ".",
    "empty": lambda claims: "",
    "null": lambda claims: None,
    "number": lambda claims: 7,
    "nonsense": lambda claims: "a.b.c",
    "object": lambda claims: claims,
}


@pytest.mark.parametrize("sign", SIGNATURES.values(), ids=SIGNATURES)
def test_an_id_token_without_a_good_signature_is_refused(client, provider, sign):
    provider.sign = sign
    refuses(client)


def test_the_secret_of_the_client_may_sign(client, provider):
    """OpenID Connect Core 3.1.3.7: HS256, where the provider has no key of its own."""
    provider.sign = lambda claims: signed(
        claims, openid.SECRET, algorithm="HS256", kid=None
    )
    assert come_back(client).status_code == 302


def without(name):
    return lambda claims: {key: value for key, value in claims.items() if key != name}


def with_(**values):
    return lambda claims: {**claims, **values}


CLAIMS = {
    "no issuer": without("iss"),
    "issuer": with_(iss="https://evil.example"),
    "issuer list": with_(iss=["https://evil.example"]),
    "no audience": without("aud"),
    "audience": with_(aud="another"),
    "empty audience": with_(aud=[]),
    "audiences": with_(aud=["desk", "another"]),
    "audiences azp": with_(aud=["desk", "another"], azp="another"),
    "azp": with_(azp="another"),
    "no exp": without("exp"),
    "exp": with_(exp=1),
    "exp text": with_(exp="tomorrow"),
    "exp inf": with_(exp=float("inf"), jti="y"),
    "no iat": without("iat"),
    "iat future": with_(iat=time.time() + 3600),
    "nbf": with_(nbf=time.time() + 3600),
    "no nonce": without("nonce"),
    "nonce": with_(nonce="another"),
    "nonce none": with_(nonce="None"),
    "nonce null": with_(nonce=None),
    "nonce list": with_(nonce=["a"]),
    "no sub": without("sub"),
    "sub empty": with_(sub=""),
    "sub other": with_(sub="2"),
    "sub number": with_(sub=1),
    "jti list": with_(jti=["x"]),
}


@pytest.mark.parametrize("change", CLAIMS.values(), ids=CLAIMS)
def test_an_id_token_with_a_wrong_claim_is_refused(client, provider, change):
    provider.change_claims = change
    refuses(client)


PEOPLE = {
    "no sub": without("sub"),
    "sub other": with_(sub="2"),
    "sub null": with_(sub=None),
    "sub list": with_(sub=["1"]),
    "list": lambda answer: [answer],
    "text": lambda answer: b"<html>",
    "number": lambda answer: 1,
    "null": lambda answer: None,
    "deep": lambda answer: b"[" * 200_000,
    "10MB": lambda answer: b'{"sub": "' + b"1" * 10_000_000 + b'"}',
}


@pytest.mark.parametrize("change", PEOPLE.values(), ids=PEOPLE)
def test_what_is_no_answer_about_the_person_is_refused(client, provider, change):
    provider.changes[USERINFO] = change
    refuses(client)


VALUES = {
    "long": with_(sub="1" * 300),
    "nul": with_(sub="1\x00"),
    "surrogate": with_(sub="1\ud800"),
}


@pytest.mark.parametrize("change", VALUES.values(), ids=VALUES)
def test_a_subject_that_cannot_be_stored_is_refused(client, provider, change):
    provider.changes[USERINFO] = change
    provider.change_claims = change
    refuses(client)


ODD = {
    "name number": with_(
        preferred_username=7, name=8, given_name=[1], family_name={"a": 1}
    ),
    "name long": with_(
        preferred_username="x" * 5000, given_name="y" * 5000, family_name="z" * 5000
    ),
    "name nul": with_(preferred_username="a\x00b", given_name="a\x00b", name="a\x00"),
    "name surrogate": with_(
        preferred_username="a\ud800b", given_name="a\ud800b", name="\ud800"
    ),
    "name null": with_(preferred_username=None, name=None, email=None),
    "email number": with_(email=7),
    "email list": with_(email=["ana@example.com"]),
    "email no": with_(email="not an address"),
    "email long": with_(email="a" * 400 + "@example.com"),
    "email nul": with_(email="a\x00@example.com"),
    "email newline": with_(email="a@example.com\nBcc: b@example.com"),
    "picture": with_(picture={"a": [1]}, locale=7, user_id=[]),
    "extra nul": with_(zoneinfo="a\x00b"),
    "extra surrogate": with_(zoneinfo="\ud800"),
    "extra infinity": with_(zoneinfo=float("inf")),
}


@pytest.mark.parametrize("change", ODD.values(), ids=ODD)
def test_odd_claims_are_no_error_of_ours(client, provider, change):
    provider.changes[USERINFO] = change
    page = come_back(client)
    assert page.status_code in {302, 401}, page.status_code
    for user in User.objects.all():
        user.full_clean(exclude=["password"])


@pytest.mark.parametrize(
    "groups",
    [
        7,
        None,
        True,
        {"kyc-staff": 1},
        [["kyc-staff"]],
        "kyc-staff,it",
        " kyc-staff",
        "KYC-STAFF",
        ["it"] * 50_000,
        [7, None, {}],
    ],
)
def test_groups_of_another_shape_give_no_role(client, provider, groups):
    provider.changes[USERINFO] = with_(groups=groups)
    provider.change_claims = without("groups")
    page = come_back(client)
    assert page.status_code == 403
    assert not User.objects.exists()


CONFIGURATIONS = {
    "issuer": with_(issuer="https://evil.example"),
    "no issuer": without("issuer"),
    "no token": without("token_endpoint"),
    "no authorization": without("authorization_endpoint"),
    "no jwks": without("jwks_uri"),
    "no userinfo": without("userinfo_endpoint"),
    "token number": with_(token_endpoint=7),
    "authorization list": with_(authorization_endpoint=["x"]),
    "authorization javascript": with_(authorization_endpoint="javascript:alert(1)"),
    "authorization ours": with_(authorization_endpoint="/logout/"),
    "token file": with_(token_endpoint="file:///etc/passwd"),
    "jwks metadata": with_(jwks_uri="http://169.254.169.254/latest"),
    "methods": with_(token_endpoint_auth_methods_supported=7),
    "list": lambda answer: [answer],
    "null": lambda answer: None,
    "text": lambda answer: b"<html>",
    "deep": lambda answer: b"[" * 200_000,
}


@pytest.mark.parametrize("change", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_a_configuration_of_another_provider_is_refused(client, provider, change):
    provider.changes[DISCOVERY] = change
    refuses(client)


TOKENS = {
    "no access token": without("access_token"),
    "access token number": with_(access_token=7),
    "access token list": with_(access_token=["x"]),
    "access token newline": with_(access_token="a\r\nX: y"),
    "expires text": with_(expires_in="soon"),
    "expires huge": with_(expires_in=10**18),
    "no id token": without("id_token"),
    "list": lambda answer: ["access_token"],
    "text": lambda answer: b"access_token=x",
    "deep": lambda answer: b'{"a":' * 100_000,
}


@pytest.mark.parametrize("change", TOKENS.values(), ids=TOKENS)
def test_what_is_no_token_is_refused(client, provider, change):
    provider.changes[TOKEN] = change
    refuses(client)


KEYS = {
    "none": lambda _: {"keys": []},
    "no keys": lambda _: {},
    "list": lambda _: [],
    "other": lambda _: {"keys": [openid.public_jwk(OTHER_KEY)]},
    "10MB": lambda _: b" " * 10_000_000,
    "nonsense": lambda _: {
        "keys": [
            7,
            None,
            {},
            {"kid": "key-1"},
            {"kid": "key-1", "kty": "RSA", "n": "!", "e": "!"},
        ]
    },
    "oct": lambda _: {
        "keys": [{"kty": "oct", "kid": "key-1", "k": "c2VjcmV0", "alg": "HS256"}]
    },
    "encryption": lambda _: {"keys": [openid.public_jwk(openid.KEY, use="enc")]},
}


@pytest.mark.parametrize("change", KEYS.values(), ids=KEYS)
def test_without_the_key_of_the_signature_nobody_comes_in(client, provider, change):
    provider.changes[JWKS] = change
    refuses(client)


def test_a_provider_may_change_its_key(client, provider):
    assert come_back(client).status_code == 302
    provider.sign = lambda claims: signed(claims, OTHER_KEY, kid="key-2")
    provider.changes[JWKS] = lambda old: {
        "keys": [*old["keys"], openid.public_jwk(OTHER_KEY, kid="key-2")]
    }
    browser = Client()
    assert come_back(browser).status_code == 302
    assert SocialAccount.objects.count() == 1


def test_a_key_without_an_id_is_found_where_it_is_the_only_one(client, provider):
    provider.sign = lambda claims: signed(claims, kid=None)
    assert come_back(client).status_code == 302


def test_a_provider_that_goes_away_in_between_is_no_error_of_ours(client, provider):
    start = client.get(openid.START)
    provider.changes[DISCOVERY] = lambda _: b""
    page = openid.finish(client, start)
    assert page.status_code == 503
    assert "_auth_user_id" not in client.session


def test_a_slow_provider_does_not_hold_all_threads(client, provider, monkeypatch):
    """Anybody can begin a login, without one."""
    monkeypatch.setattr(openid_connect, "WAIT_SECONDS", 0.05)
    waits = [openid_connect._free.acquire(blocking=False) for _ in range(9)]
    try:
        assert waits.count(True) < 8
        page = client.get(openid.START)
        assert page.status_code == 503
        assert provider.calls == []
    finally:
        for is_taken in waits:
            if is_taken:
                openid_connect._free.release()
    assert client.get(openid.START).status_code == 302


def test_each_question_to_the_provider_has_seconds_and_not_half_a_minute(
    client, provider, monkeypatch
):
    limits = []
    request = outbound.Session.request

    def recorded(self, *args, **options):
        limits.append(options.get("timeout", outbound.TIMEOUT))
        return request(self, *args, **options)

    monkeypatch.setattr(outbound.Session, "request", recorded)
    assert come_back(client).status_code == 302
    # The configuration twice, the tokens, the keys and the person.
    assert limits == [openid_connect.SECONDS] * 5
    assert openid_connect.SECONDS <= 10


def test_the_log_says_why_and_repeats_no_answer(client, provider, caplog):
    provider.changes[TOKEN] = lambda _: {"error": "secret-of-the-answer"}
    refuses(client)
    assert "was refused: the provider gave no tokens." in caplog.text
    assert "secret-of-the-answer" not in caplog.text


def test_only_what_is_used_is_kept_of_the_person(client, provider):
    provider.changes[USERINFO] = with_(
        phone_number="+1 202 555 0100", groups=["kyc-staff", "union-members"]
    )
    assert come_back(client).status_code == 302
    kept = str(SocialAccount.objects.get().extra_data)
    assert "202 555" not in kept
    assert "union-members" not in kept
