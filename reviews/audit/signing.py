"""The Ed25519 keys that sign what leaves the database.

A key is two files in AUDIT_KEYS_DIR: `<id>.pem` is the private key (mode 600), `<id>.pub` is
the public key in hexadecimal. The file `current` has the id of the key that signs now. Public
keys of retired keys stay, to verify old signatures. The id is the start of the SHA-256 of the
public key.
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
    """A key that can sign. `public` is the public key, 32 bytes in hexadecimal."""

    id: str
    public: str
    private: Ed25519PrivateKey

    def sign(self, text: str) -> str:
        """The Ed25519 signature (RFC 8032) of the text in UTF-8: 64 bytes in hexadecimal."""
        return self.private.sign(text.encode()).hex()


def current() -> SigningKey:
    """The key that signs now. The first call in an installation creates it. Raises OSError."""
    pointer = _folder() / "current"
    if not pointer.exists():
        with _lock():
            # Another process may have created it while this one waited for the lock.
            if not pointer.exists():
                _make()
    return _load(pointer.read_text(encoding="ascii").strip())


def rotate() -> tuple[SigningKey, SigningKey]:
    """Create a new key and make it the current one. Returns the old and the new key.

    The private half of the old key stays until `retire()` removes it.
    """
    old = current()
    with _lock():
        new = _make()
    return old, new


def retire(key: SigningKey) -> None:
    """Remove the private half of a key that no longer signs. Its public half stays."""
    (_folder() / f"{key.id}.pem").unlink(missing_ok=True)
    atomic_files.sync_folder(_folder())


def public_keys() -> dict[str, str]:
    """The public keys of the present and earlier keys, by id."""
    keys = {}
    for path in sorted(_folder().glob("*.pub")):
        public = path.read_text(encoding="ascii").strip()
        # A file under a wrong name is not used: the id must follow from the key.
        if id_of(public) == path.stem:
            keys[path.stem] = public
    return keys


def id_of(public: str) -> str:
    """The id of a public key in hexadecimal; empty if the text is not hexadecimal."""
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
    # Written last: a process that reads `current` finds both files of the key.
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
    """Ensure that only one of several processes creates a key."""
    with (_folder() / ".lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
