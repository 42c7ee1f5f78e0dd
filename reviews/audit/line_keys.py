"""Retired keys: they signed lines of the trail before ENCRYPTION_KEY was changed.

Lines are signed with a key derived from ENCRYPTION_KEY. When that setting changes, `reencrypt`
stores the derived key of the old one in AUDIT_KEYS_DIR, encrypted with the new one. A retired
key is valid only for lines up to that moment: somebody who has found out the old key cannot
sign new lines with it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from compliance.security import encryption
from compliance.storage import atomic_files
from reviews.models import CaseEvent, Chain
from reviews.models.trail import derived_key, sign

FILE = "line-keys.json"


@dataclass(frozen=True)
class RetiredKey:
    """`key`: the derived key, 32 bytes.

    `until`: the id of the last event that it may have signed.
    """

    key: bytes
    until: int


def retired() -> list[RetiredKey]:
    """All retired keys; an empty list if ENCRYPTION_KEY never changed.

    Raises OSError and ValueError.
    """
    path = _path()
    if not path.exists():
        return []
    keys = []
    for entry in json.loads(path.read_text(encoding="ascii")):
        key = bytes.fromhex(encryption.decrypt(entry["key"]))
        keys.append(RetiredKey(key, entry["until"]))
    return keys


def is_genuine(event: CaseEvent, keys: list[RetiredKey]) -> bool:
    """Whether the desk signed this line, with its present or a retired key, and it is
    unchanged.
    """
    if event.is_genuine():
        return True
    for retired_key in keys:
        if event.pk <= retired_key.until and event.is_signed_by(retired_key.key):
            return True
    return False


def retire(**_: object) -> None:
    """Retire the old keys that ENCRYPTION_KEY still names, and sign the head with the new key.

    ENCRYPTION_KEY is a comma-separated list, the newest first. Connected to
    compliance.security.encryption.key_changed.
    """
    newest, *old = settings.ENCRYPTION_KEY.split(",")
    _add(old)
    key = derived_key(newest)
    for chain in Chain.objects.select_for_update():
        mac = sign([chain.seq, chain.hash], key=key)
        Chain.objects.filter(pk=chain.pk).update(mac=mac)


def _add(texts: list[str]) -> None:
    """Store the keys derived from these texts. Keys that are stored already stay."""
    keys = retired()
    stored = {retired_key.key for retired_key in keys}
    events = CaseEvent.objects.order_by("pk")
    last = events.values_list("pk", flat=True).last() or 0
    for text in texts:
        key = derived_key(text)
        if key not in stored:
            keys.append(RetiredKey(key, last))
    _store(keys)


def _store(keys: list[RetiredKey]) -> None:
    entries = []
    for retired_key in keys:
        encrypted = encryption.encrypt(retired_key.key.hex())
        entries.append({"key": encrypted, "until": retired_key.until})
    content = json.dumps(entries).encode()
    # Written to a new file that replaces the old one, so that a crash loses no key.
    path = _path()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    atomic_files.replace(path, [content])


def _path() -> Path:
    return Path(settings.AUDIT_KEYS_DIR) / FILE
