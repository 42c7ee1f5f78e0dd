"""A review that reopens its own case names no new case: it may do so more than once."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0046_empty_ended_invitations"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="periodicreview",
            name="opened_review_has_its_case",
        ),
        migrations.AlterField(
            model_name="periodicreview",
            name="opened_case",
            field=models.OneToOneField(
                help_text="The new case. Empty: none yet, or the case itself was reopened.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="review_of",
                to="reviews.case",
            ),
        ),
    ]
