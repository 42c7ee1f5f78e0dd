"""The tables that desk and hub share, as the migrations that it replaces made them."""

import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("compliance", "0001_initial"),
        ("compliance", "0002_data_keys"),
        ("compliance", "0003_heartbeats"),
        ("compliance", "0004_tallies"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CspReport",
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
                ("at", models.DateTimeField(auto_now_add=True)),
                ("directive", models.CharField(max_length=40)),
                ("source", models.CharField(max_length=120)),
                (
                    "page",
                    models.CharField(help_text="The name of the page.", max_length=80),
                ),
            ],
            options={
                "verbose_name": "CSP report",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="DataKey",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("wrapped", models.BinaryField(help_text="Empty: erased.")),
                (
                    "wrapper",
                    models.CharField(
                        help_text="Which key of ENCRYPTION_KEY it is wrapped with.",
                        max_length=16,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("erased_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="DirectoryGroup",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=200, unique=True)),
                ("external_id", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "members",
                    models.ManyToManyField(
                        blank=True,
                        related_name="directory_groups",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="DirectoryToken",
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
                (
                    "prefix",
                    models.CharField(
                        help_text="The first characters, to tell keys apart.",
                        max_length=20,
                    ),
                ),
                (
                    "digest",
                    models.CharField(
                        help_text="sha256 of the key, hex.", max_length=64, unique=True
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "name",
                    models.CharField(
                        help_text="Which directory uses it.", max_length=80
                    ),
                ),
            ],
            options={
                "verbose_name": "SCIM token",
                "ordering": ["-id"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="DirectoryUser",
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
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="directory_entry",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "external_id",
                    models.CharField(blank=True, db_index=True, max_length=200),
                ),
                ("changed_at", models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name="Heartbeat",
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
                ("name", models.CharField(max_length=200, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("worker", "Worker"),
                            ("sweep", "sweep of all queues"),
                            ("health", "answer of /health/ready"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "queues",
                    models.CharField(
                        blank=True,
                        help_text="Those of the broker that a worker serves, with commas between.",
                        max_length=200,
                    ),
                ),
                (
                    "skew_seconds",
                    models.FloatField(
                        default=0,
                        help_text="How far the process's clock is ahead of the database's.",
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Tally",
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
                ("kind", models.CharField(max_length=16)),
                ("name", models.CharField(blank=True, max_length=100)),
                ("outcome", models.CharField(max_length=40)),
                (
                    "slot",
                    models.PositiveBigIntegerField(
                        help_text="Which slot of five minutes since 1970; 0: since installation."
                    ),
                ),
                ("count", models.PositiveBigIntegerField(default=0)),
                ("seconds", models.FloatField(default=0)),
            ],
            options={
                "verbose_name_plural": "tallies",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("kind", "name", "outcome", "slot"),
                        name="one_tally_each",
                    )
                ],
            },
        ),
    ]
