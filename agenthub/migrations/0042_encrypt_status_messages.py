"""Encrypt the messages of checks: they quote what a check found, with the names in it."""

from __future__ import annotations

from django.db import migrations

import compliance.security.personal_fields as personal

BATCH = 200


def encrypt(apps, schema_editor):
    from compliance.security import data_keys

    CheckRun = apps.get_model("agenthub", "CheckRun")
    field = CheckRun._meta.get_field("status_messages")
    last = 0
    rows = CheckRun.objects.exclude(clear_messages=[]).order_by("pk")
    columns = ("pk", "clear_messages", "job__data_key", "job__erased_at")
    while page := list(rows.filter(pk__gt=last).values_list(*columns)[:BATCH]):
        for pk, messages, key_id, erased_at in page:
            # The messages of an erased job have nothing of the applicant.
            if key_id is None or erased_at is not None:
                key_id = data_keys.INSTALLATION
            sealed = field.sealed(key_id, messages)
            CheckRun.objects.filter(pk=pk).update(status_messages=sealed)
        last = page[-1][0]


class Migration(migrations.Migration):
    dependencies = [
        ("agenthub", "0041_keyed_hashes"),
    ]

    operations = [
        migrations.RenameField("checkrun", "status_messages", "clear_messages"),
        migrations.AddField(
            "checkrun",
            "status_messages",
            personal.PersonalJSONField(blank=True, default=list),
        ),
        migrations.RunPython(encrypt, migrations.RunPython.noop),
        migrations.RemoveField("checkrun", "clear_messages"),
    ]
