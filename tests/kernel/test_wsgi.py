"""What the web process loads, and what it leaves."""

from __future__ import annotations

import subprocess
import sys

from tests.loop.installations import ROOT, environment

LOADED = """
import sys
import compliance.wsgi
from rest_framework.compat import postgres_fields
print("psycopg" in sys.modules, postgres_fields is not None)
import psycopg  # whoever asks for it later, gets it
"""


def loaded(tmp_path, **given: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", LOADED],
        cwd=ROOT, env=environment(tmp_path, **given), capture_output=True, check=False,
    )  # fmt: skip
    return done.stdout.decode().strip() if done.returncode == 0 else done.stderr.decode()


def test_the_driver_of_postgresql_is_loaded_where_it_is_used(tmp_path):
    assert loaded(tmp_path) == "False False"
    there = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
    assert loaded(tmp_path, **there, SECRET_KEY="t", ENCRYPTION_KEY="t") == "True True"
