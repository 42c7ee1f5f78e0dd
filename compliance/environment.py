"""Typed readers of the environment. Only settings.py calls them."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from compliance.storage import atomic_files


def env_bool(name: str, *, default: bool) -> bool:
    value = os.environ.get(name, "").strip().lower()
    if not value:
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise ValueError(f"{name} must be a boolean such as 1 or 0, not {value!r}")


def env_int(name: str, *, default: int) -> int:
    value = os.environ.get(name, "").strip()
    try:
        return int(value) if value else default
    except ValueError:
        raise ValueError(f"{name} must be a whole number, not {value!r}") from None


def env_list(name: str) -> list[str]:
    return [item.strip() for item in os.environ.get(name, "").split(",") if item.strip()]


def env_secret(name: str, *, keep_in: Path | None = None) -> str:
    """The secret in NAME, or in the file that NAME_FILE names, or one made once under `keep_in`.

    `keep_in` serves the embedded default, where nobody is there to choose a secret: the first
    process to ask makes it (mode 600) and all others read the same. Returns "" where nothing is
    set and `keep_in` is None, which the system checks then refuse.
    """
    if value := os.environ.get(name, ""):
        return value
    if file := os.environ.get(f"{name}_FILE", ""):
        return Path(file).read_text().strip()
    return _kept(keep_in / name.lower()) if keep_in else ""


def _kept(path: Path) -> str:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        # If another process was faster, its secret is the one.
        with contextlib.suppress(FileExistsError):
            atomic_files.write_new(path, [secrets.token_urlsafe(48).encode()])
    return path.read_text().strip()
