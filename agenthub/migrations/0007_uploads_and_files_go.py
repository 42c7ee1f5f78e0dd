from datetime import timedelta

import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.utils.timezone import now


def later(apps, schema_editor):
    """What was lent so far goes when the last URL of it has expired."""
    goes_at = now() + timedelta(seconds=settings.DOCUMENT_URL_SECONDS)
    apps.get_model("agenthub", "Upload").objects.update(due_at=goes_at)
    ended = apps.get_model("agenthub", "JobBatch").objects.exclude(status="running")
    ended.exclude(file="").update(due_at=goes_at)


class Migration(migrations.Migration):
    dependencies = [("agenthub", "0006_screening_lists")]

    operations = [
        migrations.AddField("upload", "claims", models.PositiveIntegerField(default=0, editable=False)),
        migrations.AddField("upload", "due_at", models.DateTimeField(blank=True, default=django.utils.timezone.now, editable=False, null=True)),
        migrations.AddField("upload", "faults", models.PositiveIntegerField(default=0, editable=False)),
        migrations.AddField("upload", "leased_until", models.DateTimeField(blank=True, editable=False, null=True)),
        migrations.AddField("upload", "status", models.CharField(choices=[("kept", "Kept"), ("gone", "Gone")], default="kept", max_length=16)),
        migrations.AddField("upload", "updated_at", models.DateTimeField(auto_now=True)),
        migrations.AlterField("upload", "file", models.FileField(blank=True, upload_to="uploads/")),
        migrations.RunPython(later, migrations.RunPython.noop, elidable=True),
    ]  # fmt: skip
