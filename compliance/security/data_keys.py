"""Data keys: personal text and files are encrypted with the key of the case that they belong to.

A data key is 32 random bytes. The table stores it wrapped: encrypted with a key that is derived
from ENCRYPTION_KEY. Erasing the key of a case makes all its personal data unreadable, in every
copy. Data that belongs to no case yet is encrypted with the key of the installation, which has the
id 0.

A token is what `seal` returns:

    1 byte    VERSION. No UTF-8 text begins with it, so older unencrypted values can be told apart
    8 bytes   the id of the data key, big-endian
    12 bytes  a random nonce
    the rest  AES-256-GCM of a byte that says how the text is packed, and the text

The label (`app.Model.field`) and the first nine bytes are authenticated: a token that was moved to
another column cannot be read there. A token of nine bytes has no text: its text was erased.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import struct
import threading
import time
import zlib
from collections import OrderedDict
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import models, transaction
from django.dispatch import Signal
from django.utils.timezone import now

from compliance.storage import erased_keys

log = logging.getLogger(__name__)

# Sent at the end of `manage.py encrypt_stored`: receivers encrypt what else is stored unencrypted.
encrypting = Signal()
VERSION = 0xF9
INSTALLATION = 0
MAX_ID = 1 << 62
KEY_BYTES = 32
NONCE_BYTES = 12
# Bytes: shorter texts do not get shorter by compression.
COMPRESSED_FROM = 200
_HEADER = struct.Struct(">BQ")
_PLAIN, _COMPRESSED = b"\0", b"\1"
# A page of the queue shows fifty cases, each with its own key, and a worker applies results of some
# hundred cases at a time. Without a cache the queue would need 50 queries for keys. After another
# process has erased a key, this process may use it for CACHE_SECONDS at most.
CACHE_SECONDS = 60.0
CACHED_KEYS = 2000
BATCH = 500


class DataKeyError(Exception):
    """A token or a key cannot be opened: it was changed, or it was moved from another place."""


class ErasedError(DataKeyError):
    """The data key was erased, and with it everything that it encrypted."""


class DataKey(models.Model):
    """A wrapped key. Its id is random, so that the id of an erased key is never used again.

    A sequence would repeat ids after a backup was restored or a transaction was rolled back."""

    id = models.BigIntegerField(primary_key=True)
    wrapped = models.BinaryField(help_text="Empty: erased.")
    wrapper = models.CharField(
        max_length=16, help_text="Which key of ENCRYPTION_KEY it is wrapped with."
    )
    created_at = models.DateTimeField(default=now)
    erased_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "compliance"

    def __str__(self) -> str:
        return str(self.pk)


class _Key(NamedTuple):
    """A cached, unwrapped data key. `tokens` is None if the key was erased.

    `derived`: the keys for other purposes, by purpose. They are forgotten with the secret.
    """

    tokens: AESGCM | None
    secret: bytes
    until: float
    derived: dict[bytes, bytes]


class _Recent(threading.local):
    """The ids of the keys of tokens that this thread has recently read, the newest last."""

    def __init__(self) -> None:
        self.ids: OrderedDict[int, None] = OrderedDict()


_recent = _Recent()
_cache: OrderedDict[int, _Key] = OrderedDict()
_lock = threading.Lock()


def create() -> DataKey:
    """Make a key and insert its row."""
    return create_many(1)[0]


def create_many(count: int) -> list[DataKey]:
    """Make keys and insert their rows in one statement."""
    keys = []
    for _ in range(count):
        key_id = secrets.randbits(62) + 1
        secret = secrets.token_bytes(KEY_BYTES)
        keys.append(_wrapped_row(key_id, secret))
        # If the transaction is rolled back, this cache entry does no harm: nothing uses its id.
        _remember(key_id, secret)
    DataKey.objects.bulk_create(keys)
    return keys


def ensure_installation_key(**_: object) -> None:
    """Create the key of the installation. A receiver of post_migrate, so it exists before use."""
    if not DataKey.objects.filter(pk=INSTALLATION).exists():
        row = _wrapped_row(INSTALLATION, secrets.token_bytes(KEY_BYTES))
        # Two machines may migrate at the same time.
        DataKey.objects.bulk_create([row], ignore_conflicts=True)


def seal(key_id: int, plain: bytes, label: str) -> bytes:
    """Encrypt `plain`. Returns the token. Raises ErasedError if the key was erased."""
    header = _HEADER.pack(VERSION, key_id)
    # A random nonce: the same key encrypts all texts of a case.
    nonce = secrets.token_bytes(NONCE_BYTES)
    packed = _PLAIN + plain
    if len(plain) >= COMPRESSED_FROM:
        packed = _COMPRESSED + zlib.compress(plain, 1)
    tokens = _tokens(key_id)
    return header + nonce + tokens.encrypt(nonce, packed, header + label.encode())


def unseal(token: bytes, label: str) -> bytes:
    """Decrypt a token. Raises ErasedError, or DataKeyError if it is not a token of this label."""
    key_id = key_id_of(token)
    header = token[: _HEADER.size]
    nonce = token[_HEADER.size : _HEADER.size + NONCE_BYTES]
    sealed = token[_HEADER.size + NONCE_BYTES :]
    if not nonce:
        raise ErasedError(f"What {label} had here was erased.")
    tokens = _tokens(key_id)
    try:
        packed = tokens.decrypt(nonce, sealed, header + label.encode())
    # ValueError: the nonce is too short.
    except (InvalidTag, ValueError):
        raise _changed(label) from None
    kind, plain = packed[:1], packed[1:]
    return zlib.decompress(plain) if kind == _COMPRESSED else plain


def is_token(value: bytes) -> bool:
    """Whether the value is a token. Older versions stored plain text in the same columns."""
    return value[:1] == bytes([VERSION])


def key_id_of(token: bytes) -> int:
    """The id of the data key of a token. Raises DataKeyError."""
    if not is_token(token) or len(token) < _HEADER.size:
        raise _changed("A column")
    return int(_HEADER.unpack_from(token)[1])


def erased_token(key_id: int) -> bytes:
    """A token without a text."""
    return _HEADER.pack(VERSION, key_id)


def derive(key_id: int, purpose: bytes, *, salt: bytes = b"") -> bytes:
    """Derive a key of 32 bytes for another purpose than tokens. Raises ErasedError."""
    key = _key(key_id)
    if key.tokens is None:
        raise ErasedError(f"The data key {key_id} was erased.")
    if salt:
        return _derive(key.secret, purpose, salt)
    # The page of a case hashes each of its findings with the same one.
    derived = key.derived.get(purpose)
    if derived is None:
        derived = key.derived[purpose] = _derive(key.secret, purpose, b"")
    return derived


def keyed_hash(text: str, purpose: bytes) -> str:
    """The HMAC of a text in hexadecimal, by a key of the installation.

    Who has only the database can test no guess. JSON may hold a lone surrogate, which must not raise.
    """
    key = derive(INSTALLATION, purpose)
    return hmac.digest(key, text.encode(errors="replace"), "sha256").hex()


def note(token: bytes) -> None:
    """Note that a token was read from the database.

    When the first of the noted tokens is opened, the keys of all of them are read in one query. So
    a list costs one query, wherever it is shown."""
    ids = _recent.ids
    if len(token) < _HEADER.size:
        return
    key_id = _HEADER.unpack_from(token)[1]
    if key_id <= MAX_ID:
        ids[key_id] = None
    if len(ids) > BATCH:
        ids.popitem(last=False)


def erase(key_id: int) -> bool:
    """Erase a key permanently. Returns False if it was erased before."""
    if key_id == INSTALLATION:
        raise ValueError("The key of the installation cannot be erased.")
    row = DataKey.objects.filter(pk=key_id, erased_at=None)
    is_erased = bool(row.update(wrapped=b"", erased_at=now()))
    # Forget it at once in this process, and again after the commit.
    forget(key_id)
    transaction.on_commit(lambda: _after_erasure(key_id))
    return is_erased


def brought_back() -> list[int]:
    """The ids of erased keys that exist again because a backup was restored."""
    rows = DataKey.objects.filter(pk__in=erased_keys.listed(), erased_at=None)
    return list(rows.values_list("pk", flat=True))


def _after_erasure(key_id: int) -> None:
    # Another thread may have cached the key again before the commit.
    forget(key_id)
    rows = DataKey.objects.exclude(erased_at=None)
    try:
        # Write all ids: an earlier one may be missing because the disk was full.
        erased_keys.add(rows.values_list("pk", flat=True))
    except OSError as exc:
        log.error("The list of erased keys was not written: %s", exc.strerror)  # noqa: TRY400


def is_erased(key_id: int) -> bool:
    return _key(key_id).tokens is None


def rewrap_all() -> int:
    """Wrap all keys with the first key of ENCRYPTION_KEY. Returns the number of re-wrapped keys."""
    newest = wrapper_id(_master_keys()[0])
    count = 0
    last = -1
    while True:
        rows = DataKey.objects.filter(pk__gt=last, erased_at=None).exclude(
            wrapper=newest
        )
        # In batches, so that a large table does not fill the memory or lock all rows at once.
        batch = list(rows.order_by("pk")[:BATCH])
        if not batch:
            return count
        with transaction.atomic():
            for row in batch:
                count += _rewrap(row)
        last = batch[-1].pk


def forget(key_id: int | None = None) -> None:
    """Drop one key, or all keys, from the cache of this process."""
    with _lock:
        if key_id is None:
            _recent.ids.clear()
            _cache.clear()
        else:
            _cache.pop(key_id, None)


def wrapper_id(master: str) -> str:
    """The public id of a key of ENCRYPTION_KEY: it identifies the key and does not reveal it."""
    digest = hmac.new(b"compliance.data_keys.id", _kek(master), hashlib.sha256)
    return digest.hexdigest()[:16]


def known_wrappers() -> list[str]:
    """The public ids of the keys of ENCRYPTION_KEY. The first one encrypts new data."""
    return [wrapper_id(master) for master in _master_keys()]


def are_of_another_installation() -> bool:
    """Whether the data keys here were stored with keys none of which ENCRYPTION_KEY has."""
    rows = DataKey.objects.filter(erased_at=None)
    return rows.exists() and not rows.filter(wrapper__in=known_wrappers()).exists()


def require_whole(row: DataKey) -> None:
    """Check that a key can be unwrapped.

    Raises DataKeyError if it was changed, ImproperlyConfigured if its ENCRYPTION_KEY is missing.
    """
    _unwrap(row)


def _key(key_id: int) -> _Key:
    with _lock:
        key = _cache.get(key_id)
        if key and key.until >= time.monotonic():
            _cache.move_to_end(key_id)
            return key
    key = None
    if key_id > MAX_ID:
        raise DataKeyError(f"There is no data key {key_id}.")
    # Read the keys of recently read tokens in the same query: they are likely to be needed next.
    recent = list(_recent.ids)
    _recent.ids.clear()
    for row in DataKey.objects.filter(pk__in={key_id, *recent}):
        if row.pk == key_id:
            key = _read(row)
        else:
            _read(row)
    if key is None:
        raise DataKeyError(f"The data key {key_id} does not exist.")
    return key


def _tokens(key_id: int) -> AESGCM:
    tokens = _key(key_id).tokens
    if tokens is None:
        raise ErasedError(f"The data key {key_id} was erased.")
    return tokens


def _read(row: DataKey) -> _Key:
    """The unwrapped key of a row, cached."""
    if not row.erased_at:
        return _remember(row.pk, _unwrap(row))
    key = _Key(None, b"", time.monotonic() + CACHE_SECONDS, {})
    # Do not cache it inside a transaction: the erasure may still be rolled back.
    if not transaction.get_connection().in_atomic_block:
        _cache_key(row.pk, key)
    return key


def _remember(key_id: int, secret: bytes) -> _Key:
    tokens = AESGCM(_derive(secret, b"tokens", b""))
    key = _Key(tokens, secret, time.monotonic() + CACHE_SECONDS, {})
    _cache_key(key_id, key)
    return key


def _cache_key(key_id: int, key: _Key) -> None:
    with _lock:
        _cache[key_id] = key
        _cache.move_to_end(key_id)
        while len(_cache) > CACHED_KEYS:
            _cache.popitem(last=False)


def _wrapped_row(key_id: int, secret: bytes) -> DataKey:
    master = _master_keys()[0]
    return DataKey(
        pk=key_id, wrapped=_wrap(key_id, secret, master), wrapper=wrapper_id(master)
    )


def _rewrap(row: DataKey) -> int:
    """Wrap one key with the first key of ENCRYPTION_KEY.

    Returns 0 if it was erased meanwhile, else 1.
    """
    fresh = _wrapped_row(row.pk, _unwrap(row))
    # The condition matters: otherwise a key that was erased meanwhile would come back.
    rows = DataKey.objects.filter(pk=row.pk, erased_at=None)
    return rows.update(wrapped=fresh.wrapped, wrapper=fresh.wrapper)


def _wrap(key_id: int, secret: bytes, master: str) -> bytes:
    nonce = secrets.token_bytes(NONCE_BYTES)
    # The id of the key is authenticated, so that a wrapped key cannot be moved to another row.
    return nonce + AESGCM(_kek(master)).encrypt(nonce, secret, _key_label(key_id))


def _unwrap(row: DataKey) -> bytes:
    wrapped = bytes(row.wrapped)
    for master in _master_keys():
        if wrapper_id(master) != row.wrapper:
            continue
        cipher = AESGCM(_kek(master))
        nonce, sealed = wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:]
        try:
            return cipher.decrypt(nonce, sealed, _key_label(row.pk))
        except (InvalidTag, ValueError):
            raise DataKeyError(f"The data key {row.pk} was changed.") from None
    # An operator who restored a database without its key needs this message, not a traceback.
    raise ImproperlyConfigured(
        "A data key cannot be unwrapped: ENCRYPTION_KEY is not the one it was stored with."
    )


def _key_label(key_id: int) -> bytes:
    return f"compliance.DataKey.{key_id}".encode()


def _master_keys() -> list[str]:
    if not settings.ENCRYPTION_KEY:
        raise ImproperlyConfigured("ENCRYPTION_KEY is not set.")
    return [key.strip() for key in settings.ENCRYPTION_KEY.split(",")]


def _kek(master: str) -> bytes:
    # KEK: the key-encryption key, which wraps data keys.
    return _derive(master.encode(), b"wrap", b"")


def _derive(secret: bytes, purpose: bytes, salt: bytes) -> bytes:
    info = b"compliance.data_keys." + purpose
    hkdf = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=salt or None, info=info)
    return hkdf.derive(secret)


def _changed(label: str) -> DataKeyError:
    return DataKeyError(
        f"{label}: what is stored was changed, or is from another place."
    )
