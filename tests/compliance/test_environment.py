from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from compliance.environment import env_secret, make_folder, with_password
from tests.docs.pages import ROOT


@pytest.mark.parametrize(
    ("url", "password", "expected"),
    [
        ("redis://redis:6379/0", "a/b", "redis://:a%2Fb@redis:6379/0"),
        ("redis://me@redis:6379/0", "x", "redis://me:x@redis:6379/0"),
        ("redis://:own@redis:6379/0", "x", "redis://:own@redis:6379/0"),
        ("redis://redis:6379/0", "", "redis://redis:6379/0"),
        ("", "x", ""),
    ],
)
def test_a_password_joins_a_url(url, password, expected):
    assert with_password(url, password) == expected


SETTINGS = (
    "import compliance.settings as s; print(s.DEBUG, s.SECURE_HSTS_INCLUDE_SUBDOMAINS)"
)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("http://127.0.0.1:8000", "True False"),
        ("https://desk.example.com", "ImproperlyConfigured: DEBUG cannot be on"),
    ],
)
def test_debug_cannot_be_on_where_people_reach_the_desk(tmp_path, address, expected):
    env = {"PATH": os.environ["PATH"], "VAR": str(tmp_path), "DESK_URL": address}
    process = subprocess.run(
        [sys.executable, "-c", SETTINGS],
        cwd=ROOT,
        env=env | {"DEBUG": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert expected in process.stdout + process.stderr


@pytest.mark.parametrize("place", [".", "secrets"])
def test_a_folder_that_cannot_be_used_is_named_in_a_sentence(tmp_path, place):
    (tmp_path / "file").write_text("")
    folder, name = tmp_path / "file" / place, "UNSET"
    with pytest.raises(ImproperlyConfigured, match="VAR must be a folder that"):
        env_secret(name, keep_in=folder)
    with pytest.raises(ImproperlyConfigured, match="cannot be used: "):
        make_folder(folder)
