"""Reads the answers of an OpenID provider, and refuses those that are malformed or not for us.

django-allauth takes an ID token without a signature, because it came over TLS, and reads members
without a look at their types. A provider may have a private address without TLS, and a mistake of
it must be no error of ours.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import jwt
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.conf import settings

from compliance.identity.single_sign_on.roles import OPENID_GROUPS

# A JSON object of the provider. What it has in it is not known before it is read here.
Answer = dict[str, Any]
# Of public keys. A signature with the client's secret is made with one of SECRET_ALGORITHMS.
ALGORITHMS = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
)  # fmt: skip
SECRET_ALGORITHMS = frozenset({"HS256", "HS384", "HS512"})
REQUIRED = ("iss", "sub", "aud", "exp", "iat", "nonce")
# How far the clocks of the provider and of this machine may differ, in seconds.
CLOCK_SECONDS = 60
# OpenID Connect Core 2: the number of a person has at most 255 characters. The column has 191.
LONGEST_SUBJECT = 191
# The members that say who a person is. Django's columns are shorter; django-allauth cuts names.
TEXTS = ("preferred_username", "name", "given_name", "family_name", "email")
LONGEST_TEXT = 254
# The addresses that we ask or send people to.
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri")  # fmt: skip
TOKEN_METHODS = "token_endpoint_auth_methods_supported"  # noqa: S105 - a name


@contextmanager
def readable() -> Iterator[None]:
    """Raise OAuth2Error for an answer that the library cannot read, whatever breaks there."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as exc:  # fmt: skip
        # The text of the exception may repeat the answer.
        raise OAuth2Error(f"an answer is malformed ({type(exc).__name__})") from exc


def members(answer: object) -> Answer:
    """The members of an answer, which must be a JSON object."""
    if not isinstance(answer, dict):
        raise OAuth2Error("an answer is no JSON object")
    return answer


def require_configuration(configuration: Answer) -> None:
    """OpenID Connect Discovery 4.3: the configuration is that of the issuer which was asked."""
    issuer = configuration.get("issuer")
    expected = settings.OIDC_ISSUER.partition("/.well-known/")[0]
    if not isinstance(issuer, str) or issuer.rstrip("/") != expected:
        raise OAuth2Error("the configuration names another issuer")
    schemes = {"https"}
    if urlsplit(settings.OIDC_ISSUER).scheme == "http":
        schemes.add("http")
    for name in ENDPOINTS:
        address = configuration.get(name)
        if not isinstance(address, str) or not _is_address(address, schemes):
            raise OAuth2Error(f"the configuration has no usable {name}")
    if not isinstance(configuration.get(TOKEN_METHODS, []), list):
        raise OAuth2Error(f"the configuration has no usable {TOKEN_METHODS}")


def _is_address(text: str, schemes: set[str]) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in schemes and bool(parts.hostname)


def claims_of(
    token: object, keys: Answer, *, client_id: str, secret: str, issuer: str
) -> Answer:
    """The claims of an ID token, by the rules of OpenID Connect Core 3.1.3.7."""
    if not isinstance(token, str):
        raise OAuth2Error("there is no ID token")
    try:
        algorithm, key = _key(jwt.get_unverified_header(token), keys, secret)
        claims: Answer = jwt.decode(
            token,
            key=key,
            algorithms=[algorithm],
            audience=client_id,
            issuer=issuer,
            leeway=CLOCK_SECONDS,
            options={"require": list(REQUIRED)},
        )
    except jwt.PyJWTError as exc:
        raise OAuth2Error(f"the ID token is not valid ({type(exc).__name__})") from exc
    audience = claims["aud"]
    is_for_others = isinstance(audience, list) and set(audience) != {client_id}
    party = claims.get("azp", None if is_for_others else client_id)
    if party != client_id:
        raise OAuth2Error("the ID token was issued to another application")
    return claims


def _key(header: Answer, keys: Answer, secret: str) -> tuple[str, Any]:
    """The algorithm of a token and the key for it.

    The kind of the key follows from the algorithm, so no public key is taken for a secret.
    """
    algorithm = header.get("alg")
    if algorithm in SECRET_ALGORITHMS and secret:
        return algorithm, secret
    if algorithm not in ALGORITHMS:
        raise OAuth2Error("the ID token is signed by an unknown algorithm")
    usable = []
    for key in _signing_keys(keys):
        if "kid" in header and key.get("kid") != header["kid"]:
            continue
        if key.get("alg", algorithm) == algorithm:
            usable.append(key)
    # Core 10.1: without an id in the token the provider must have one key.
    if len(usable) != 1:
        raise OAuth2Error("the provider does not have exactly one key for the ID token")
    return algorithm, jwt.PyJWK(usable[0], algorithm)


def _signing_keys(keys: Answer) -> list[Answer]:
    entries = keys.get("keys")
    if not isinstance(entries, list):
        raise OAuth2Error("the provider has no keys")
    signing = []
    for entry in entries:
        if isinstance(entry, dict) and entry.get("use", "sig") == "sig":
            signing.append(entry)
    return signing


def person(answer: Answer) -> Answer:
    """What is used of the claims about a person, each of its type; the rest is left out.

    Raises OAuth2Error if the provider does not say who it is.
    """
    subject = answer.get("sub")
    if not _is_text(subject, LONGEST_SUBJECT):
        raise OAuth2Error("the provider's number of the person cannot be used")
    kept: Answer = {"sub": subject}
    for name in TEXTS:
        if _is_text(answer.get(name), LONGEST_TEXT):
            kept[name] = answer[name]
    # Some providers send "false" as a text, which Python treats as true.
    is_verified = answer.get("email_verified")
    kept["email_verified"] = is_verified is True or is_verified == "true"
    for name in ("nonce", "acr"):
        if isinstance(answer.get(name), str):
            kept[name] = answer[name]
    moment = answer.get("auth_time")
    if isinstance(moment, int | float) and math.isfinite(moment):
        kept["auth_time"] = moment
    kept[OPENID_GROUPS] = _groups(answer.get(settings.OIDC_GROUPS_CLAIM))
    return kept


def _is_text(value: object, longest: int) -> bool:
    """Whether it is a text that each database can store: no control character, no half of a pair."""
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        return False
    return not any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in value)


def _groups(claim: object) -> list[str]:
    """The groups that have a role here: some providers send a list, others one text."""
    names = [claim] if isinstance(claim, str) else claim
    if not isinstance(names, list):
        return []
    with_role = {group for group, _ in settings.SINGLE_SIGN_ON_ROLES}
    return sorted(
        with_role.intersection(name for name in names if isinstance(name, str))
    )
