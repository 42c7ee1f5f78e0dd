"""Encrypted secrets in the database: the key is only in the environment."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import models
from django.dispatch import Signal

# Sent by `manage.py reencrypt`, in its transaction: receivers re-encrypt their own data.
key_changed = Signal()
# Sent by `manage.py erase_again`, in its transaction, with the `ids` of the keys that it erases.
erased_again = Signal()


@lru_cache(maxsize=4)
def _cipher(keys: str) -> MultiFernet:
    """The cipher of one or more keys, separated by commas.

    The first key encrypts and all keys decrypt, so that a key can be replaced gradually.
    """
    if not keys:
        raise ImproperlyConfigured("ENCRYPTION_KEY is not set.")
    ciphers = []
    for key in keys.split(","):
        # Fernet needs 32 bytes in base64. The hash makes them from a text of any length.
        digest = hashlib.sha256(key.strip().encode()).digest()
        ciphers.append(Fernet(base64.urlsafe_b64encode(digest)))
    return MultiFernet(ciphers)


def encrypt(text: str) -> str:
    return _cipher(settings.ENCRYPTION_KEY).encrypt(text.encode()).decode()


# Characters. A key or a webhook secret is short and needed for each request, so it is cached. The
# text of a draft is long and personal, so it is not.
MAX_CACHED = 400


def decrypt(token: str) -> str:
    """The text of a token. Raises ImproperlyConfigured if its key is not in ENCRYPTION_KEY."""
    if len(token) > MAX_CACHED:
        return _decrypt(settings.ENCRYPTION_KEY, token)
    return _decrypt_cached(settings.ENCRYPTION_KEY, token)


def _decrypt(keys: str, token: str) -> str:
    try:
        return _cipher(keys).decrypt(token.encode()).decode()
    except InvalidToken:
        # An operator who restored a database without its key needs this message, not a traceback.
        raise ImproperlyConfigured(
            "A stored secret cannot be decrypted: ENCRYPTION_KEY is not the one it was stored with."
        ) from None


_decrypt_cached = lru_cache(maxsize=256)(_decrypt)


def decrypt_recent(token: str, *, seconds: int) -> str | None:
    """The text of a token that a caller sent; None if it is invalid or older than `seconds`."""
    try:
        cipher = _cipher(settings.ENCRYPTION_KEY)
        return cipher.decrypt(token.encode(), ttl=seconds).decode()
    except InvalidToken:
        return None


class EncryptedTextField(models.TextField):  # type: ignore[type-arg]
    """Text that is encrypted in the database and plain in Python. It cannot be searched."""

    def get_prep_value(self, value: object) -> Any:
        text = super().get_prep_value(value)
        return encrypt(text) if text else text

    def from_db_value(self, value: str | None, *_: object) -> str | None:
        return decrypt(value) if value else value
