"""A real OpenID provider whose answers a test changes on their way out."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import jwt
import oidc_provider_mock
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm
from werkzeug.serving import make_server
from werkzeug.test import run_wsgi_app
from werkzeug.wrappers import Request

DISCOVERY = "/.well-known/openid-configuration"
JWKS = "/jwks"
TOKEN = "/oauth2/token"
USERINFO = "/userinfo"
START = "/account/sso/company/login/"
KEY_ID = "key-1"
SECRET = "the secret that the desk and the provider share"

Change = Callable[[Any], Any]


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


KEY = new_key()
OTHER_KEY = new_key()


def public_jwk(key: rsa.RSAPrivateKey, **members: object) -> dict[str, object]:
    jwk = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {**jwk, "kid": KEY_ID, "alg": "RS256", "use": "sig", **members}


def public_pem(key: rsa.RSAPrivateKey) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def signed(
    claims: dict[str, Any],
    key: Any = KEY,
    *,
    algorithm: str = "RS256",
    kid: str | None = KEY_ID,
) -> str:
    headers = {} if kid is None else {"kid": kid}
    return jwt.encode(claims, key, algorithm=algorithm, headers=headers)


def signed_with_public_key(claims: dict[str, Any], algorithm: object = "HS256") -> str:
    """HS256, with the text of the public key as the secret."""
    head = _part({"alg": algorithm, "kid": KEY_ID, "typ": "JWT"})
    text = f"{head}.{_part(claims)}"
    mac = hmac.new(public_pem(KEY), text.encode(), hashlib.sha256).digest()
    return f"{text}.{_base64(mac)}"


def _part(members: dict[str, Any]) -> str:
    return _base64(json.dumps(members).encode())


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Provider:
    """The provider, and what a test changes of its answers: a function for each path."""

    def __init__(self, people: list[oidc_provider_mock.User]) -> None:
        self._app = oidc_provider_mock.app(user_claims=people)
        self.changes: dict[str, Change] = {}
        self.calls: list[str] = []
        # From the claims of an ID token to its text.
        self.sign: Callable[[dict[str, Any]], Any] = signed
        self.change_claims: Change = lambda claims: claims
        self.port = 0

    @property
    def issuer(self) -> str:
        return f"http://localhost:{self.port}"

    def __call__(self, environ: Any, start_response: Any) -> Any:
        path = Request(environ).path
        self.calls.append(path)
        body, status, headers = run_wsgi_app(self._app, environ, buffered=True)
        content = b"".join(body)
        if status.startswith("200") and path in {DISCOVERY, JWKS, TOKEN, USERINFO}:
            content = self._changed(path, json.loads(content))
        headers["Content-Length"] = str(len(content))
        start_response(status, headers.to_wsgi_list())
        return [content]

    def _changed(self, path: str, answer: Any) -> bytes:
        if path == JWKS:
            answer = {"keys": [public_jwk(KEY)]}
        if path == TOKEN:
            # The provider's own signature; ours replaces it.
            claims = jwt.decode(answer["id_token"], options={"verify_signature": False})
            answer["id_token"] = self.sign(self.change_claims(claims))
        if path in self.changes:
            answer = self.changes[path](answer)
        return answer if isinstance(answer, bytes) else json.dumps(answer).encode()


@contextmanager
def running(people: list[oidc_provider_mock.User]) -> Iterator[Provider]:
    provider = Provider(people)
    server = make_server("localhost", 0, provider, threaded=True)
    provider.port = server.server_port
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join(5)
        server.server_close()


def set_provider(settings: Any, provider: Provider) -> None:
    settings.OIDC_ISSUER = provider.issuer
    app = {
        "provider_id": "company",
        "name": "Example SSO",
        "client_id": "desk",
        "secret": SECRET,
        "settings": {"server_url": provider.issuer},
    }
    settings.SOCIALACCOUNT_PROVIDERS = {
        "openid_connect": {"APPS": [app], "OAUTH_PKCE_ENABLED": True}
    }


def come_back(client: Any, subject: str = "1", *, path: str = START) -> Any:
    """Follow the way of a browser: to the provider, through its form, and back."""
    start = client.get(path)
    return finish(client, start) if start.status_code == 302 else start


def finish(client: Any, start: Any, subject: str = "1") -> Any:
    form = requests.post(
        start["Location"], {"sub": subject}, allow_redirects=False, timeout=30
    )
    back = urlsplit(form.headers["Location"])
    return client.get(f"{back.path}?{back.query}")
