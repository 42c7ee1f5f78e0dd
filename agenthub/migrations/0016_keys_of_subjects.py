from django.db import migrations

from agenthub.subjects import names

BATCH = 500


def key_anew(apps, schema_editor):
    """The key of a subject was its name as it was written; it is the words of its names now."""
    AgentJob = apps.get_model("agenthub", "AgentJob")
    rows = AgentJob.objects.exclude(subject="").select_related("agent")
    fresh = []
    for job in rows.only("input_payload", "subject_key", "agent__kind").iterator(chunk_size=BATCH):
        schema = job.input_payload.get(f"{job.agent.kind}_schema") or {}
        job.subject_key = names.key_of(schema, kind=job.agent.kind)
        fresh.append(job)
        if len(fresh) == BATCH:
            AgentJob.objects.bulk_update(fresh, ["subject_key"])
            fresh = []
    AgentJob.objects.bulk_update(fresh, ["subject_key"])


class Migration(migrations.Migration):
    dependencies = [("agenthub", "0015_lanes_of_jobs")]

    operations = [migrations.RunPython(key_anew, migrations.RunPython.noop, elidable=True)]
