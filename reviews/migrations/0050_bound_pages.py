from django.db import migrations


class Migration(migrations.Migration):
    """Changes no table: after it, the pages that exist, names of users and times of jobs are bound.

    See reviews.audit.verification.bind_after_migrate.
    """

    dependencies = [
        ("reviews", "0049_decision_indexes"),
    ]

    operations = []
