"""A relation that came while two parties were joined is placed by a person after they were parted."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reviews", "0042_absent_values")]

    operations = [
        migrations.AddField(
            "partyrelation",
            "placed_at",
            models.DateTimeField(blank=True, null=True),
        ),
    ]
