"""Typed access to environment variables. Only settings.py uses it."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from urllib.parse import quote, urlsplit

from django.core.exceptions import ImproperlyConfigured

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


def env_list(name: str, *, keep_in: Path | None = None) -> list[str]:
    """The items of a comma-separated list, without empty ones.

    `keep_in`: if the variable is empty, the file with this name in that folder is read, if it
    exists. `manage.py rotate_secret` writes such files.
    """
    text = os.environ.get(name, "")
    if not text and keep_in is not None:
        path = keep_in / name.lower()
        text = path.read_text() if path.exists() else ""
    items = [item.strip() for item in text.split(",")]
    return [item for item in items if item]


# Variables that name a folder with one file per secret, named like the setting in lower case: of a
# vault agent, a mounted secret, or systemd (LoadCredential=, LoadCredentialEncrypted=).
SECRET_FOLDERS = ("SECRETS_DIR", "CREDENTIALS_DIRECTORY")
# Name of a secret → the path of its file; empty: it came from the environment.
SECRET_PLACES: dict[str, str] = {}


def env_secret(name: str, *, keep_in: Path | None = None) -> str:
    """A secret: from NAME, from the file NAME_FILE, from a secrets folder, or newly generated.

    `keep_in` is for the embedded default, where nobody sets secrets: the first process generates
    the file (mode 600), and all others read it. Returns "" if nothing is set and `keep_in` is None;
    then the system checks refuse to start.
    """
    value = os.environ.get(name, "")
    if value:
        SECRET_PLACES[name] = ""
        return value
    path = file_of(name)
    if path is None and keep_in is not None:
        path = keep_in / name.lower()
        _make_once(path)
    if path is None:
        return ""
    SECRET_PLACES[name] = str(path)
    return path.read_text().strip()


def file_of(name: str) -> Path | None:
    """The file that the operator, or a secrets manager, provides for this secret; None if none."""
    if file := os.environ.get(f"{name}_FILE", ""):
        return Path(file)
    for variable in SECRET_FOLDERS:
        folder = os.environ.get(variable, "")
        path = Path(folder) / name.lower()
        if folder and path.is_file():
            return path
    return None


def with_password(url: str, password: str) -> str:
    """The URL with this password, unless the password is empty or the URL contains one."""
    parts = urlsplit(url)
    if not url or not password or parts.password:
        return url
    host = parts.netloc.rpartition("@")[2]
    login = f"{parts.username or ''}:{quote(password, safe='')}"
    return parts._replace(netloc=f"{login}@{host}").geturl()


def make_folder(path: Path) -> None:
    """Create a folder of this user alone, if it is missing. Raises ImproperlyConfigured."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        raise _unusable(path, exc) from exc


def _make_once(path: Path) -> None:
    make_folder(path.parent)
    try:
        if path.exists():
            path.read_bytes()
            return
        secret = secrets.token_urlsafe(48)
        # If another process was faster, its secret is used.
        with contextlib.suppress(FileExistsError):
            atomic_files.write_new(path, [secret.encode()])
    except OSError as exc:
        raise _unusable(path, exc) from exc


def _unusable(path: Path, error: OSError) -> ImproperlyConfigured:
    user = os.geteuid()
    return ImproperlyConfigured(
        f"{path} cannot be used: {error.strerror}. VAR must be a folder that the user with the"
        f" number {user} may read and write."
    )
