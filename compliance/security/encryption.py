"""Secrets at rest: text encrypted with a key that only the environment knows."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import models


@lru_cache(maxsize=4)
def _cipher(keys: str) -> MultiFernet:
    """The first of the comma-separated keys encrypts; all of them decrypt, so that keys can turn."""
    if not keys:
        raise ImproperlyConfigured("ENCRYPTION_KEY is not set.")
    derived = [hashlib.sha256(key.strip().encode()).digest() for key in keys.split(",")]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in derived])


def encrypt(text: str) -> str:
    return _cipher(settings.ENCRYPTION_KEY).encrypt(text.encode()).decode()


# A key or a webhook secret is needed for each request: those, which are short, are kept. The text
# of a draft is not.
SHORT = 400


def decrypt(token: str) -> str:
    """Raises ImproperlyConfigured where it was encrypted with a key that is not set."""
    return (_kept if len(token) <= SHORT else _decrypted)(settings.ENCRYPTION_KEY, token)


def _decrypted(keys: str, token: str) -> str:
    try:
        return _cipher(keys).decrypt(token.encode()).decode()
    except InvalidToken:
        # Whoever restored a database without its key must read this, not a stack of InvalidToken.
        raise ImproperlyConfigured(
            "A stored secret cannot be decrypted: ENCRYPTION_KEY is not the one it was stored with."
        ) from None


_kept = lru_cache(maxsize=256)(_decrypted)


class EncryptedTextField(models.TextField):  # type: ignore[type-arg]
    """Text that is encrypted in the database and plain in Python. It cannot be searched."""

    def get_prep_value(self, value: Any) -> Any:
        text = super().get_prep_value(value)
        return encrypt(text) if text else text

    def from_db_value(self, value: str | None, *_: Any) -> str | None:
        return decrypt(value) if value else value
