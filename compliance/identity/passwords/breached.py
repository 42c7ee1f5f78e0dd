"""Refuses passwords that are known from breaches, with a file on this machine.

The file is the list of Have I Been Pwned, ordered by hash: lines `SHA1:count` with upper-case
hashes. Nothing is sent anywhere. The file has many gigabytes, so it is searched without reading it
all.
"""

from __future__ import annotations

import hashlib
import logging
import re
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

logger = logging.getLogger(__name__)

HASH_CHARACTERS = 40
_LINE = re.compile(rb"[0-9A-Fa-f]{40}(:|\s|$)")
# How many lines are read to see whether a file is such a list. The first and others, evenly apart.
_SAMPLES = 50


class BreachedPasswordValidator:
    """A validator for AUTH_PASSWORD_VALIDATORS. Without BREACHED_PASSWORDS it refuses nothing."""

    def validate(self, password: str, user: object = None) -> None:
        path = settings.BREACHED_PASSWORDS
        if path and _is_refused(Path(path), password):
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


def _is_refused(path: Path, password: str) -> bool:
    try:
        return is_listed(path, password)
    except OSError as exc:
        logger.error("%s", fault(path))  # noqa: TRY400 - the trace says no more
        text = _(
            "No password can be set now: the list of passwords from breaches cannot be read."
            " Tell an administrator."
        )
        raise ValidationError(text, code="unreadable_list") from exc


def fault(path: Path) -> str:
    """Why passwords cannot be looked up in the file; empty if they can."""
    try:
        lines = _samples(path)
    except OSError as exc:
        return f"the file of breached passwords cannot be read ({type(exc).__name__})"
    if not lines:
        return "the file of breached passwords is empty"
    if not all(_LINE.match(line) for line in lines):
        return "the file of breached passwords has lines that are not SHA-1 hashes"
    hashes = [line[:HASH_CHARACTERS].upper() for line in lines]
    if hashes != sorted(hashes):
        return "the file of breached passwords is not ordered by hash"
    return ""


def _samples(path: Path) -> list[bytes]:
    size = path.stat().st_size
    with path.open("rb") as file:
        positions = [size * number // _SAMPLES for number in range(_SAMPLES)]
        lines = [_line_after(file, position)[1] for position in positions]
    # After the last line there is nothing.
    return [line for line in lines if line]


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
