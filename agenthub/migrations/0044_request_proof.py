"""Encrypt the errors of jobs and the names of batches, and prove the agent and checks of each job.

Errors quote what a check found, and people name clients in the names of batches.
"""

from __future__ import annotations

from django.db import migrations, models

import compliance.security.personal_fields as personal

BATCH = 200


def encrypt_names(apps, schema_editor):
    from compliance.security import data_keys

    JobBatch = apps.get_model("agenthub", "JobBatch")
    field = JobBatch._meta.get_field("name")
    rows = JobBatch.objects.exclude(clear_name="").values_list("pk", "clear_name")
    for pk, name in list(rows):
        sealed = field.sealed(data_keys.INSTALLATION, name)
        JobBatch.objects.filter(pk=pk).update(name=sealed)


def encrypt_errors_and_prove(apps, schema_editor):
    from compliance.security import data_keys

    AgentJob = apps.get_model("agenthub", "AgentJob")
    field = AgentJob._meta.get_field("error")
    last = 0
    columns = (
        *("pk", "job_id", "account_id", "agent_id", "check_ids"),
        *("clear_error", "data_key", "erased_at"),
    )
    rows = AgentJob.objects.order_by("pk")
    while page := list(rows.filter(pk__gt=last).values_list(*columns)[:BATCH]):
        for pk, job_id, account, agent, checks, error, key_id, erased_at in page:
            if key_id is None or erased_at is not None:
                key_id = data_keys.INSTALLATION
            # Each row is written once: PostgreSQL would not change the table after a second time.
            AgentJob.objects.filter(pk=pk).update(
                error=field.sealed(key_id, error),
                request_proof=proof([job_id, account, agent, *checks]),
            )
        last = page[-1][0]


def proof(parts):
    """As AgentJob.proof() of this version."""
    from agenthub.digests import keyed

    return keyed("\x1f".join(map(str, parts)))


class Migration(migrations.Migration):
    dependencies = [
        ("agenthub", "0043_encrypt_check_args"),
    ]

    operations = [
        migrations.RenameField("jobbatch", "name", "clear_name"),
        migrations.AddField(
            "jobbatch",
            "name",
            personal.PersonalTextField(blank=True, default="", max_length=255),
            preserve_default=False,
        ),
        migrations.RunPython(encrypt_names, migrations.RunPython.noop),
        migrations.RemoveField("jobbatch", "clear_name"),
        migrations.RenameField("agentjob", "error", "clear_error"),
        migrations.AddField(
            "agentjob",
            "error",
            personal.PersonalTextField(blank=True, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            "agentjob",
            "request_proof",
            models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=64
            ),
        ),
        migrations.RunPython(encrypt_errors_and_prove, migrations.RunPython.noop),
        migrations.RemoveField("agentjob", "clear_error"),
    ]
