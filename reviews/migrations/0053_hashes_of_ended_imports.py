"""Removes the hash of a file of cases that is gone: who guesses its lines could confirm them by it."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def empty_hashes(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    imports = apps.get_model("reviews", "CaseImport").objects
    imports.filter(file="").update(sha256="")


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0052_rate_structures"),
    ]

    operations = [
        migrations.AlterField(
            model_name="caseimport",
            name="sha256",
            field=models.CharField(
                blank=True, help_text="Empty when the file is gone.", max_length=64
            ),
        ),
        migrations.RunPython(empty_hashes, migrations.RunPython.noop),
    ]
