"""Has companies rated again: their structure is read from all owners that their cases name."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils.timezone import now


def rate_companies(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    states = apps.get_model("reviews", "RatingState").objects
    rated = states.filter(case__kind="kyb", case__erased_at=None, rating__isnull=False)
    rated.update(due_at=now())


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0051_document_tries"),
    ]

    operations = [
        migrations.RunPython(rate_companies, migrations.RunPython.noop),
    ]
