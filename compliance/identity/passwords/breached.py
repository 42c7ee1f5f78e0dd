"""Refuses passwords that are known from breaches, with a file on this machine.

The file is the list of Have I Been Pwned, ordered by hash: lines `SHA1:count` with upper-case
hashes. Nothing is sent anywhere. The file has many gigabytes, so it is searched without reading it
all.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

HASH_CHARACTERS = 40


class BreachedPasswordValidator:
    """A validator for AUTH_PASSWORD_VALIDATORS. Without BREACHED_PASSWORDS it refuses nothing."""

    def validate(self, password: str, user: object = None) -> None:
        path = settings.BREACHED_PASSWORDS
        if path and is_listed(Path(path), password):
            raise ValidationError(
                _(
                    "This password is known from a breach of another site. Choose another."
                ),
                code="breached",
            )

    def get_help_text(self) -> str:
        if not settings.BREACHED_PASSWORDS:
            return ""
        return _("Your password can't be one that is known from a breach.")


def is_listed(path: Path, password: str) -> bool:
    """Whether the file contains the password's hash. Raises OSError if it cannot be read."""
    # The list uses SHA-1. It protects nothing here.
    digest = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest()
    wanted = digest.upper().encode()
    with path.open("rb") as file:
        # Binary search by position in the file; lines differ in length.
        low, high = 0, path.stat().st_size
        while low < high:
            middle = (low + high) // 2
            start, line = _line_after(file, middle)
            if not line or start >= high:
                high = middle
                continue
            digest_here = line[:HASH_CHARACTERS].upper()
            if digest_here == wanted:
                return True
            if digest_here < wanted:
                low = start + len(line)
            else:
                high = middle
    return False


def _line_after(file: BinaryIO, position: int) -> tuple[int, bytes]:
    """The first line that begins at `position` or later: (its position, the line)."""
    # Start one byte earlier: if that byte is a line end, `position` is the start of a line.
    file.seek(max(position - 1, 0))
    if position > 0:
        file.readline()
    start = file.tell()
    return start, file.readline()
