"""Encrypt the options of batches."""

from __future__ import annotations

from django.db import migrations

import compliance.security.personal_fields as personal


def encrypt(apps, schema_editor):
    from compliance.security import data_keys

    JobBatch = apps.get_model("agenthub", "JobBatch")
    if JobBatch.objects.exists():
        data_keys.ensure_installation_key()
    # Of a batch that has ended, nothing starts any more.
    running = JobBatch.objects.filter(status="running")
    for batch in running.select_related("agent").iterator():
        options = {
            **batch.clear_options,
            "agent_key": batch.agent.key,
            "batch_id": str(batch.batch_id),
        }
        field = batch._meta.get_field("options")
        sealed = field.sealed(data_keys.INSTALLATION, options)
        JobBatch.objects.filter(pk=batch.pk).update(options=sealed)


class Migration(migrations.Migration):
    dependencies = [
        ("agenthub", "0039_away_documents"),
        ("compliance", "0006_directory_deletions"),
    ]

    operations = [
        migrations.RenameField("jobbatch", "options", "clear_options"),
        migrations.AddField(
            "jobbatch",
            "options",
            personal.PersonalJSONField(blank=True, default=dict),
        ),
        migrations.RunPython(encrypt, migrations.RunPython.noop),
        migrations.RemoveField("jobbatch", "clear_options"),
    ]
