"""All migrations up to 0002_fewer_indexes_per_webhook in one: an installation that has none of them runs this alone."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("webhooks", "0001_initial"),
        ("webhooks", "0002_fewer_indexes_per_webhook"),
    ]

    initial = True

    dependencies = [
        ("reviews", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "due_at",
                    models.DateTimeField(
                        blank=True, default=django.utils.timezone.now, editable=False, null=True
                    ),
                ),
                ("leased_until", models.DateTimeField(blank=True, editable=False, null=True)),
                ("claims", models.PositiveIntegerField(default=0, editable=False)),
                ("faults", models.PositiveIntegerField(default=0, editable=False)),
                ("digest", models.BinaryField(max_length=32)),
                ("body", models.BinaryField()),
                ("headers", models.JSONField(default=dict)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("received", "To be applied"),
                            ("applied", "Applied"),
                            ("ignored", "Not applied"),
                        ],
                        default="received",
                        max_length=16,
                    ),
                ),
                (
                    "reason",
                    models.TextField(blank=True, help_text="Why it waits, or was not applied."),
                ),
                ("received_at", models.DateTimeField()),
                (
                    "connection",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="reviews.connection",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="events",
                        to="reviews.job",
                    ),
                ),
                (
                    "secret",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="events",
                        to="reviews.webhooksecret",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="webhooks_event_due",
                    ),
                    models.Index(
                        condition=models.Q(("job__isnull", False)),
                        fields=["job"],
                        name="webhooks_event_job",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("connection", "digest"), name="each_body_once")
                ],
            },
        ),
    ]
