"""The migrations of the apps, and what becomes of a database of an earlier version."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, migrations, models
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState

from compliance.db import upgrade
from compliance.db.new_tables import CreateModels, create_together

ROOT = Path(__file__).parents[2]
APPS = ("agenthub", "reviews", "webhooks")
FILES = sorted(
    file for app in APPS for file in (ROOT / app / "migrations").glob("0*.py")
)
# Modules of ours whose names stay. Those that encrypt for 0004_encrypt of the hub use the tables of
# compliance 0002, on which it depends.
STABLE = {
    "agenthub.digests",
    "agenthub.subjects",
    "compliance.db.new_tables",
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


@pytest.mark.django_db(transaction=True)
def test_models_are_made_together_as_one_by_one():
    def model(name: str, **fields: models.Field[Any, Any]) -> migrations.CreateModel:
        key = models.BigAutoField(primary_key=True)
        return migrations.CreateModel(name, [("id", key), *fields.items()])

    parent = models.ForeignKey("reviews.shelf", models.CASCADE)
    operations = [model("Shelf"), model("Book", shelf=parent)]
    index = migrations.AddIndex("Shelf", models.Index(fields=["id"], name="shelf_id"))
    together = create_together([*operations, index])
    assert [type(one) for one in together] == [CreateModels, migrations.AddIndex]
    tables = {"reviews_shelf", "reviews_book"}
    before, after = ProjectState(), ProjectState()
    # The classes of before are built already, as in the middle of a migration.
    assert not after.apps.get_models()
    together[0].state_forwards("reviews", after)
    with connection.schema_editor() as editor:
        together[0].database_forwards("reviews", editor, before, after)
    assert tables <= set(connection.introspection.table_names())
    with connection.schema_editor() as editor:
        together[0].database_backwards("reviews", editor, after, before)
    assert not tables & set(connection.introspection.table_names())


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
