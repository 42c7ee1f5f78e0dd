"""The code of the set-up page: it proves that who opens the page also reads the terminal or the disk."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.crypto import constant_time_compare

# Without letters and digits that look alike.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
GROUPS, GROUP_LENGTH = 4, 4


def is_open() -> bool:
    """Whether nobody has an account."""
    return not User.objects.exists()


def current() -> str:
    """The code, made at the first call, as four groups with hyphens between."""
    path = _path()
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _create(path)
    return path.read_text().strip()


def _create(path: Path) -> None:
    groups = []
    for _ in range(GROUPS):
        letters = [secrets.choice(ALPHABET) for _ in range(GROUP_LENGTH)]
        groups.append("".join(letters))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileExistsError:
        # Another process was first.
        return
    with os.fdopen(descriptor, "w") as file:
        file.write("-".join(groups) + "\n")


def is_right(text: str) -> bool:
    """Whether this is the code, however its groups were typed."""
    return constant_time_compare(_plain(text), _plain(current()))


def discard() -> None:
    _path().unlink(missing_ok=True)


def _plain(text: str) -> str:
    return "".join(text.upper().split()).replace("-", "")


def _path() -> Path:
    return Path(settings.VAR_DIR) / "setup-code"
