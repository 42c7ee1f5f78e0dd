"""The keys that sign what leaves the database: Ed25519, each with an id.

A key is two files in AUDIT_KEYS_DIR: `<id>.pem`, the private key (mode 600), and `<id>.pub`, the public
key in hexadecimal. `current` names the key that signs. Public keys of earlier keys stay: they verify
what was signed then. The id is the start of the SHA-256 of the public key.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from django.conf import settings

from compliance.storage import atomic_files

ID_LENGTH = 16
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class SigningKey:
    """A key that can sign. `public` is 32 bytes in hexadecimal."""

    id: str
    public: str
    private: Ed25519PrivateKey

    def sign(self, text: str) -> str:
        """The signature of RFC 8032 over the text in UTF-8: 64 bytes in hexadecimal."""
        return self.private.sign(text.encode()).hex()


def current() -> SigningKey:
    """The key that signs now; the first call of an installation makes it. Raises OSError."""
    pointer = _folder() / "current"
    if not pointer.exists():
        with _lock():
            if not pointer.exists():
                _make()
    return _load(pointer.read_text(encoding="ascii").strip())


def rotate() -> tuple[SigningKey, SigningKey]:
    """Make a new key the current one. Returns the old and the new.

    The private half of the old one is still there: `retire()` removes it.
    """
    old = current()
    with _lock():
        new = _make()
    return old, new


def retire(key: SigningKey) -> None:
    """Remove the private half of a key that signs no more. Its public half stays."""
    (_folder() / f"{key.id}.pem").unlink(missing_ok=True)
    atomic_files.sync_folder(_folder())


def public_keys() -> dict[str, str]:
    """The public keys by their ids, earlier ones too."""
    keys = {}
    for path in sorted(_folder().glob("*.pub")):
        public = path.read_text(encoding="ascii").strip()
        if id_of(public) == path.stem:
            keys[path.stem] = public
    return keys


def id_of(public: str) -> str:
    try:
        raw = bytes.fromhex(public)
    except ValueError:
        return ""
    return hashlib.sha256(raw).hexdigest()[:ID_LENGTH]


def is_signed(text: str, signature: str, public: str) -> bool:
    """Whether the owner of the public key signed this text."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def _folder() -> Path:
    folder = Path(settings.AUDIT_KEYS_DIR)
    atomic_files.make_folders(folder, mode=0o700)
    return folder


def _make() -> SigningKey:
    private = Ed25519PrivateKey.generate()
    public = _public_half(private)
    key = SigningKey(id_of(public), public, private)
    pem = private.private_bytes(
        Encoding.PEM,
        PrivateFormat.PKCS8,
        NoEncryption(),
    )
    folder = _folder()
    private_file = folder / f"{key.id}.pem"
    public_file = folder / f"{key.id}.pub"
    atomic_files.write_new(private_file, [pem])
    atomic_files.write_new(public_file, [public.encode()], mode=0o644)
    # The last one: who reads it finds the files of the key.
    pointer = folder / "current"
    atomic_files.replace(pointer, [key.id.encode()])
    return key


def _load(key_id: str) -> SigningKey:
    if not _ID.fullmatch(key_id):
        raise OSError("The file of the current audit key names no key.")
    pem = (_folder() / f"{key_id}.pem").read_bytes()
    private = load_pem_private_key(pem, password=None)
    if not isinstance(private, Ed25519PrivateKey):
        raise OSError(f"The audit key {key_id} is of another kind.")
    public = _public_half(private)
    return SigningKey(key_id, public, private)


def _public_half(private: Ed25519PrivateKey) -> str:
    public_key = private.public_key()
    return public_key.public_bytes_raw().hex()


@contextlib.contextmanager
def _lock() -> Iterator[None]:
    """Of several processes one makes a key."""
    with (_folder() / ".lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
