"""An authenticator in software: it answers as a browser with a passkey does, or as a forger would."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

FLAG = AuthenticatorData.FLAG
PRESENT, VERIFIED, CREDENTIAL = FLAG.UP, FLAG.UV, FLAG.AT


class SoftwareAuthenticator:
    """One passkey of one person."""

    def __init__(self, *, host: str, origin: str) -> None:
        self.host = host
        self.origin = origin
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = os.urandom(16)
        self.handle = ""
        # Of a key that synchronises it is always 0.
        self.counter = 1
        self.step = 1

    def _client_data(self, kind: str, challenge: str) -> CollectedClientData:
        return CollectedClientData.create(
            type=kind, challenge=websafe_decode(challenge), origin=self.origin
        )

    def _head(self) -> bytes:
        return hashlib.sha256(self.host.encode()).digest()

    def create(self, options: dict[str, Any]) -> str:
        """The answer to a page that adds a passkey."""
        self.handle = options["user"]["id"]
        client_data = self._client_data("webauthn.create", options["challenge"])
        key = ES256.from_cryptography_key(self.key.public_key())
        credential = AttestedCredentialData.create(bytes(16), self.id, key)
        flags = PRESENT | VERIFIED | CREDENTIAL
        data = AuthenticatorData.create(
            self._head(), flags, self.counter, bytes(credential)
        )
        response = {
            "clientDataJSON": websafe_encode(bytes(client_data)),
            "attestationObject": websafe_encode(
                bytes(AttestationObject.create("none", data, {}))
            ),
        }
        properties = {"credProps": {"rk": True}}
        return self._wire(response, properties)

    def get(
        self, options: dict[str, Any], *, flags: AuthenticatorData.FLAG = PRESENT | VERIFIED, kind: str = "webauthn.get"
    ) -> str:  # fmt: skip
        """The answer to a login or to a page that asks for a second factor."""
        client_data = self._client_data(kind, options["challenge"])
        self.counter += self.step
        data = AuthenticatorData.create(self._head(), flags, self.counter)
        signature = self.key.sign(
            bytes(data) + client_data.hash, ec.ECDSA(hashes.SHA256())
        )
        response = {
            "clientDataJSON": websafe_encode(bytes(client_data)),
            "authenticatorData": websafe_encode(bytes(data)),
            "signature": websafe_encode(signature),
            "userHandle": self.handle,
        }
        return self._wire(response, {})

    def _wire(self, response: dict[str, str], extensions: dict[str, Any]) -> str:
        key = websafe_encode(self.id)
        return json.dumps(
            {
                "id": key,
                "rawId": key,
                "type": "public-key",
                "response": response,
                "clientExtensionResults": extensions,
            }
        )
