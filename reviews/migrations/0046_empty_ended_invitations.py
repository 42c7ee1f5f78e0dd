"""Has the worker empty invitations that ended before: their addresses and messages stayed."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils.timezone import now


def make_due(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    invitations = apps.get_model("reviews", "Invitation").objects
    ended = invitations.filter(status__in=["expired", "withdrawn"], case=None)
    ended.update(due_at=now())


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0045_rate_owned"),
    ]

    operations = [
        migrations.RunPython(make_due, migrations.RunPython.noop),
    ]
