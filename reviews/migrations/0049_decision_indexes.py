"""Indexes for what became final or was reopened in a period."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0048_decision_due_at"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("second_at__isnull", False)),
                fields=["second_at"],
                name="reviews_decision_second",
            ),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("status", "reopened")),
                fields=["updated_at"],
                name="reviews_decision_reopened",
            ),
        ),
    ]
