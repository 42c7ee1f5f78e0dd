"""Has the ratings know what people judged before: what confirmed owners hold is rated again."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q
from django.utils.timezone import now


def spread_from_judged(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """The worker rates the cases that people judged, and then all that their parties own."""
    confirmed = apps.get_model("reviews", "HitLabel").objects.filter(
        kind="confirmed", taken_back_at=None
    )
    reviewed = apps.get_model("reviews", "CheckReview").objects.filter(kind="reviewed")
    rejected = apps.get_model("reviews", "Decision").objects.filter(
        status="standing", outcome="reject"
    )
    is_judged = (
        Q(case__in=confirmed.values("case"))
        | Q(case__in=reviewed.values("job__case"))
        | Q(case__in=rejected.values("case"))
    )
    states = apps.get_model("reviews", "RatingState").objects
    states.filter(is_judged).update(due_at=now(), spreads=True)


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0044_ownership_ratings"),
    ]

    operations = [
        migrations.RunPython(spread_from_judged, migrations.RunPython.noop),
    ]
