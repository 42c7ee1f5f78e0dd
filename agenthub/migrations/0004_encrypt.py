"""Encrypt what the hub holds of people, with a key for each job."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

import compliance.security.personal_fields as personal

BATCH = 200


def encrypt(apps, schema_editor):
    from agenthub.digests import joined
    from agenthub.subjects import facts
    from compliance.security import data_keys

    AgentJob = apps.get_model("agenthub", "AgentJob")
    if (
        AgentJob.objects.exists()
        or apps.get_model("agenthub", "RejectedRow").objects.exists()
    ):
        data_keys.ensure_installation_key()
    for jobs in batches(AgentJob.objects.select_related("agent")):
        keys = data_keys.create_many(len(jobs))
        for job, key in zip(jobs, keys, strict=True):
            schema = job.clear_input_payload.get(f"{job.agent.kind}_schema") or {}
            AgentJob.objects.filter(pk=job.pk).update(
                data_key_id=key.pk,
                subject_key=joined(job.subject_key.split()[:19]),
                fact_key=facts.key_of(schema),
                **sealed(job, key.pk, "input_payload", "subject"),
            )
    for name, key_of, fields in (
        ("CheckRun", lambda row: row.job.data_key_id, ["result"]),
        ("ToolRun", lambda row: row.check_run.job.data_key_id, ["results"]),
        ("Feedback", lambda row: row.job.data_key_id, ["text", "body"]),
        ("Delivery", lambda row: row.job.data_key_id, ["body"]),
        ("RejectedRow", lambda row: data_keys.INSTALLATION, ["reason", "detail"]),
    ):
        Model = apps.get_model("agenthub", name)
        for rows in batches(Model.objects.all()):
            for row in rows:
                changes = sealed(row, key_of(row), *fields)
                if name == "CheckRun":
                    changes["verdict"] = str(row.clear_result.get("verdict") or "")[:40]
                if name == "Feedback" and isinstance(row.clear_body, dict):
                    key = row.clear_body.get("key")
                    changes["key"] = key if isinstance(key, str) else ""
                Model.objects.filter(pk=row.pk).update(**changes)


def batches(rows):
    last = None
    while True:
        page = rows.order_by("pk")
        if last is not None:
            page = page.filter(pk__gt=last)
        page = list(page[:BATCH])
        if not page:
            return
        yield page
        last = page[-1].pk


def sealed(row, key_id, *names):
    changes = {}
    for name in names:
        value = getattr(row, f"clear_{name}")
        if isinstance(value, memoryview):
            value = bytes(value)
        changes[name] = row._meta.get_field(name).sealed(key_id, value)
    return changes


COLUMNS = (
    (
        "agentjob",
        "input_payload",
        personal.PersonalJSONField(
            default=dict, help_text="The request body as it came."
        ),
    ),
    (
        "agentjob",
        "subject",
        personal.PersonalTextField(default="", max_length=255, blank=True),
    ),
    ("checkrun", "result", personal.PersonalJSONField(default=dict, blank=True)),
    ("toolrun", "results", personal.PersonalJSONField(default=dict)),
    ("feedback", "text", personal.PersonalTextField(default="")),
    (
        "feedback",
        "body",
        personal.PersonalJSONField(
            default=dict, help_text="The request body as it came."
        ),
    ),
    ("delivery", "body", personal.PersonalBytesField(default=b"")),
    ("rejectedrow", "reason", personal.PersonalTextField(default="")),
    ("rejectedrow", "detail", personal.PersonalJSONField(default=list, blank=True)),
)


# The models have a default for these alone.
DEFAULTS = {("checkrun", "result"), ("rejectedrow", "detail")}


class Migration(migrations.Migration):
    dependencies = [
        ("agenthub", "0003_privacy"),
        ("compliance", "0002_data_keys"),
    ]

    operations = [
        migrations.AddField(
            "agentjob",
            "data_key",
            models.OneToOneField(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="compliance.datakey",
            ),
        ),
        migrations.AddField(
            "agentjob",
            "fact_key",
            models.TextField(blank=True, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            "feedback",
            "key",
            models.TextField(blank=True, default="", editable=False),
            preserve_default=False,
        ),
        migrations.AddField(
            "checkrun",
            "verdict",
            models.CharField(blank=True, default="", editable=False, max_length=40),
            preserve_default=False,
        ),
        *[
            migrations.RenameField(model, name, f"clear_{name}")
            for model, name, _ in COLUMNS
        ],
        *[
            migrations.AddField(
                model, name, field, preserve_default=(model, name) in DEFAULTS
            )
            for model, name, field in COLUMNS
        ],
        migrations.RunPython(encrypt, migrations.RunPython.noop),
        *[migrations.RemoveField(model, f"clear_{name}") for model, name, _ in COLUMNS],
        migrations.RemoveField("checkrun", "result_text"),
    ]
