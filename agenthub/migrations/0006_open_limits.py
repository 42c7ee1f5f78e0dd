"""Accounts have limits of open jobs and documents, and jobs know how many documents they have."""

from __future__ import annotations

from django.db import migrations, models


def count_open(apps, schema_editor):
    """Of a job that was made before, one document is known."""
    AgentJob = apps.get_model("agenthub", "AgentJob")
    rows = AgentJob.objects.filter(reads_documents=True, due_at__isnull=False)
    rows.update(documents=1)


class Migration(migrations.Migration):
    dependencies = [
        ("agenthub", "0005_fair_shares"),
    ]

    operations = [
        migrations.AddField(
            model_name="account",
            name="max_open_documents",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="Documents of these jobs. Empty: as the installation has it; 0: any number.",
                null=True,
                verbose_name="open documents at most",
            ),
        ),
        migrations.AddField(
            model_name="account",
            name="max_open_jobs",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="Jobs that have not ended. Empty: as the installation has it; 0: any number.",
                null=True,
                verbose_name="open jobs at most",
            ),
        ),
        migrations.AddField(
            model_name="agentjob",
            name="documents",
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.RunPython(count_open, migrations.RunPython.noop),
    ]
