"""What identifies the subjects of the cases that are there already."""

from __future__ import annotations

from django.db import migrations

from reviews.identifiers import of


def identify(apps, schema_editor):
    Case = apps.get_model("reviews", "Case")
    Identifier = apps.get_model("reviews", "Identifier")
    rows = []
    for case in Case.objects.only("subject", "self_attested_data").iterator(chunk_size=1000):
        rows += [
            Identifier(case_id=case.pk, kind=kind, digest=digest)
            for kind, digest in of(case.subject, case.self_attested_data)
        ]
        if len(rows) >= 1000:
            Identifier.objects.bulk_create(rows, ignore_conflicts=True)
            rows = []
    Identifier.objects.bulk_create(rows, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0006_case_page")]
    operations = [migrations.RunPython(identify, migrations.RunPython.noop)]
