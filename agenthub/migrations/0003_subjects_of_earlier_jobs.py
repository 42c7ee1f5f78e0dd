from django.db import migrations

from agenthub.subjects import names


def name_them(apps, schema_editor):
    AgentJob = apps.get_model("agenthub", "AgentJob")
    rows = (
        AgentJob.objects.filter(subject="")
        .select_related("agent")
        .only("input_payload", "agent__kind")
    )
    for job in rows.iterator(chunk_size=200):
        name = names.name_of(job.input_payload.get(f"{job.agent.kind}_schema") or {})
        AgentJob.objects.filter(pk=job.pk).update(subject=name)


class Migration(migrations.Migration):
    dependencies = [("agenthub", "0002_batches_uploads_feedback_and_reruns")]

    operations = [migrations.RunPython(name_them, migrations.RunPython.noop, elidable=True)]
