"""Encrypt the arguments of checks: whoever writes to the database must not choose the thresholds of a job."""

from __future__ import annotations

from django.db import migrations

import compliance.security.personal_fields as personal

BATCH = 200


def encrypt(apps, schema_editor):
    from compliance.security import data_keys

    AgentJob = apps.get_model("agenthub", "AgentJob")
    field = AgentJob._meta.get_field("check_args")
    last = 0
    rows = AgentJob.objects.exclude(clear_args={}).order_by("pk")
    columns = ("pk", "clear_args", "data_key", "erased_at")
    while page := list(rows.filter(pk__gt=last).values_list(*columns)[:BATCH]):
        for pk, arguments, key_id, erased_at in page:
            # An erased job has no arguments any more.
            if key_id is None or erased_at is not None:
                key_id = data_keys.INSTALLATION
            sealed = field.sealed(key_id, arguments)
            AgentJob.objects.filter(pk=pk).update(check_args=sealed)
        last = page[-1][0]


class Migration(migrations.Migration):
    dependencies = [
        ("agenthub", "0042_encrypt_status_messages"),
    ]

    operations = [
        migrations.RenameField("agentjob", "check_args", "clear_args"),
        migrations.AddField(
            "agentjob",
            "check_args",
            personal.PersonalJSONField(blank=True, default=dict),
        ),
        migrations.RunPython(encrypt, migrations.RunPython.noop),
        migrations.RemoveField("agentjob", "clear_args"),
    ]
