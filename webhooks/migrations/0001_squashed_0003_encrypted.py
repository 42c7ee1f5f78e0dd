"""The table of webhooks that came in, as the migrations that it replaces made it."""

import compliance.security.personal_fields
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("webhooks", "0001_initial"),
        ("webhooks", "0002_claim_count_and_failures"),
        ("webhooks", "0003_encrypted"),
    ]

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
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "due_at",
                    models.DateTimeField(
                        blank=True,
                        default=django.utils.timezone.now,
                        editable=False,
                        null=True,
                    ),
                ),
                (
                    "leased_until",
                    models.DateTimeField(blank=True, editable=False, null=True),
                ),
                ("claim_count", models.PositiveIntegerField(default=0, editable=False)),
                ("failures", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "connection",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="reviews.connection",
                    ),
                ),
                ("digest", models.BinaryField(max_length=32)),
                ("body", compliance.security.personal_fields.PersonalBytesField()),
                (
                    "size",
                    models.PositiveIntegerField(
                        default=0, help_text="Bytes of the body."
                    ),
                ),
                ("headers", models.JSONField(default=dict)),
                (
                    "secret",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="events",
                        to="reviews.webhooksecret",
                    ),
                ),
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
                    models.TextField(
                        blank=True, help_text="Why it waits, or was not applied."
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
                ("received_at", models.DateTimeField()),
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
                    models.UniqueConstraint(
                        fields=("connection", "digest"), name="each_body_once"
                    )
                ],
            },
        ),
    ]
