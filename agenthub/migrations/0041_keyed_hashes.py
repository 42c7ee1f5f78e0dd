"""Key the hashes of rows of batches, and of facts of subjects."""

from __future__ import annotations

from django.db import migrations, models

BATCH = 1000
HASHES = (
    ("JobBatch", ("rows_sha256",)),
    ("SubjectMark", ("value",)),
    ("DocumentPrint", ("subject_name", "subject_number")),
)


def key_hashes(apps, schema_editor):
    for name, fields in HASHES:
        Model = apps.get_model("agenthub", name)
        last = 0
        while rows := list(Model.objects.filter(pk__gt=last).order_by("pk")[:BATCH]):
            for row in rows:
                key_row(row, fields)
            Model.objects.bulk_update(rows, fields)
            last = rows[-1].pk


def key_row(row, fields):
    from agenthub.digests import keyed

    for field in fields:
        value = getattr(row, field)
        if value:
            setattr(row, field, keyed(value)[: len(value)])


class Migration(migrations.Migration):
    # In a transaction of its own: PostgreSQL changes no table of which a row was written twice.
    dependencies = [
        ("agenthub", "0040_options_of_batches"),
    ]

    operations = [
        migrations.RunPython(key_hashes, migrations.RunPython.noop),
        migrations.AlterField(
            "jobbatch",
            "rows_sha256",
            models.CharField(
                blank=True,
                db_default="",
                editable=False,
                help_text="Keyed, of its rows, and of how they are read: a repeated call has the same.",
                max_length=64,
            ),
        ),
        migrations.AlterField(
            "documentprint",
            "subject_name",
            models.CharField(
                help_text="Keyed hash of the attested name, hex.", max_length=64
            ),
        ),
        migrations.AlterField(
            "documentprint",
            "subject_number",
            models.CharField(
                blank=True,
                help_text="Keyed hash of the attested number, hex.",
                max_length=64,
            ),
        ),
    ]
