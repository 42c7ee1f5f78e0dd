"""The backup key, which the operator provides and must store apart from the backups."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from compliance.backup.errors import BackupError
from compliance.security import data_keys

# Characters. A random key of this length cannot be guessed.
MIN_LENGTH = 32
KEY_BYTES = 32
MAKE_ONE = "python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"


def read(key_file: Path | None) -> bytes:
    """The key in this file, or else the setting BACKUP_KEY. Raises BackupError."""
    text = settings.BACKUP_KEY
    if key_file is not None:
        try:
            text = key_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as exc:
            message = f"The key file {key_file} cannot be read: {exc}."
            raise BackupError(message) from exc
    text = text.strip()
    if not text:
        raise BackupError(
            "A backup is encrypted. Give its key by --key-file, or set BACKUP_KEY_FILE."
            f" This makes one: {MAKE_ONE}"
        )
    if len(text) < MIN_LENGTH:
        raise BackupError(
            f"The key of backups must have at least {MIN_LENGTH} characters."
            f" This makes one: {MAKE_ONE}"
        )
    return text.encode()


def key_id(key: bytes) -> str:
    """The public id of a key: 16 hexadecimal digits."""
    secret = _derive(key, b"id", salt=b"")
    return hmac.new(b"compliance.backup.id", secret, hashlib.sha256).hexdigest()[:16]


def archive_key(key: bytes, salt: bytes) -> bytes:
    """Derive the key of one archive, 32 bytes."""
    return _derive(key, b"archive", salt=salt)


def encryption_key_ids() -> list[str]:
    """The ids of the keys in ENCRYPTION_KEY."""
    masters = [key.strip() for key in settings.ENCRYPTION_KEY.split(",")]
    return [data_keys.wrapper_id(master) for master in masters]


def require_encryption_keys(ids: list[str]) -> None:
    """Raise BackupError if one of these keys is missing in ENCRYPTION_KEY."""
    present = encryption_key_ids()
    missing = [wanted for wanted in ids if wanted not in present]
    if missing:
        raise BackupError(
            f"This backup needs the ENCRYPTION_KEY with the id {', '.join(missing)};"
            f" the one that is set here has the id {', '.join(present)}."
            " Set the one of the installation that was backed up (docs/backup.md)."
        )


def _derive(key: bytes, purpose: bytes, *, salt: bytes) -> bytes:
    info = b"compliance.backup." + purpose
    hkdf = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=salt or None, info=info)
    return hkdf.derive(key)
