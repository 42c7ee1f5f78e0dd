"""The migrations of the apps, and what becomes of a database of an earlier version."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from compliance.db import upgrade

ROOT = Path(__file__).parents[2]
APPS = ("agenthub", "reviews", "webhooks")
FILES = sorted(
    file for app in APPS for file in (ROOT / app / "migrations").glob("0*.py")
)
# Modules of ours whose names stay. Those that encrypt for 0004_encrypt of the hub use the tables of
# compliance 0002, on which it depends.
STABLE = {
    "agenthub.subjects",
    "compliance.db.upgrade",
    "compliance.security",
    "compliance.security.encryption",
    "compliance.security.personal_fields",
    "reviews.models.fields",
    "reviews.models.search.forms",
}


@pytest.mark.parametrize(
    "file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}"
)
def test_no_migration_stands_on_live_code(file):
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    ours = {name for name in names if name.partition(".")[0] in {*APPS, "compliance"}}
    assert ours <= STABLE


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def of_earlier_version(app: str, *, is_complete: bool) -> None:
    """What a database records that was made before the migrations were merged."""
    recorder = MigrationRecorder(connection)
    recorder.record_applied(app, upgrade.SECOND[app])
    if is_complete:
        recorder.record_applied(app, upgrade.LAST[app])


@pytest.mark.django_db
def test_a_complete_database_of_the_version_before_needs_no_migration():
    for app in APPS:
        of_earlier_version(app, is_complete=True)
    call_command("migrate", verbosity=0)


@pytest.mark.django_db
@pytest.mark.parametrize("app", APPS)
def test_an_incomplete_database_is_refused_with_what_to_do(app):
    of_earlier_version(app, is_complete=False)
    with pytest.raises(
        CommandError, match=f"{app} lacks {upgrade.LAST[app]}. Run `manage.py migr"
    ):
        call_command("migrate", verbosity=0)
