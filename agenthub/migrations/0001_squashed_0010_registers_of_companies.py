"""All migrations up to 0010_registers_of_companies in one: an installation that has none of them runs this alone."""

import compliance.security.encryption
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("agenthub", "0001_initial"),
        ("agenthub", "0002_batches_uploads_feedback_and_reruns"),
        ("agenthub", "0003_subjects_of_earlier_jobs"),
        ("agenthub", "0004_secrets_begin_and_dead_deliveries"),
        ("agenthub", "0005_document_prints"),
        ("agenthub", "0006_screening_lists"),
        ("agenthub", "0007_uploads_and_files_go"),
        ("agenthub", "0008_index_of_uploads_that_go"),
        ("agenthub", "0009_lists_are_refreshed"),
        ("agenthub", "0010_registers_of_companies"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80, unique=True)),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="ListSource",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("title", models.CharField(max_length=120)),
                ("format", models.CharField(max_length=40)),
                (
                    "url",
                    models.CharField(
                        blank=True, help_text="For the scheduled refresh.", max_length=500
                    ),
                ),
                (
                    "max_age_days",
                    models.PositiveIntegerField(
                        default=8,
                        help_text="A version that was loaded longer ago is stale: checks cannot tell.",
                    ),
                ),
                (
                    "max_shrink",
                    models.FloatField(
                        default=0.05, help_text="A file that lost more than this share is refused."
                    ),
                ),
                ("topics", models.JSONField(default=list)),
                ("columns", models.JSONField(blank=True, default=dict)),
            ],
            options={
                "ordering": ["slug"],
            },
        ),
        migrations.CreateModel(
            name="ListVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("staging", "Being loaded"),
                            ("active", "Active"),
                            ("retired", "Replaced"),
                            ("rejected", "Refused"),
                        ],
                        default="staging",
                        max_length=16,
                    ),
                ),
                (
                    "published_at",
                    models.CharField(blank=True, help_text="As the file says.", max_length=10),
                ),
                ("loaded_at", models.DateTimeField(auto_now_add=True)),
                ("file_name", models.CharField(max_length=255)),
                ("sha256", models.CharField(max_length=64)),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("entity_count", models.PositiveIntegerField(default=0)),
                ("name_count", models.PositiveIntegerField(default=0)),
                ("topics", models.JSONField(default=list)),
                ("engine_version", models.CharField(blank=True, max_length=20)),
                (
                    "changes",
                    models.JSONField(
                        default=dict, help_text="How many were added, changed, removed."
                    ),
                ),
                ("note", models.TextField(blank=True, help_text="Why it was refused.")),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="agenthub.listsource",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", "active")),
                        fields=("source",),
                        name="one_active_version",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "staging")),
                        fields=("source",),
                        name="one_load_at_a_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ListEntity",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("external_id", models.CharField(max_length=200)),
                ("content_hash", models.CharField(max_length=64)),
                ("content", models.JSONField()),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="agenthub.listsource"
                    ),
                ),
                (
                    "first_version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="added",
                        to="agenthub.listversion",
                    ),
                ),
                (
                    "last_version",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="last_seen",
                        to="agenthub.listversion",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "list entities",
                "indexes": [
                    models.Index(
                        condition=models.Q(("last_version__isnull", True)),
                        fields=["source", "external_id"],
                        name="agenthub_entity_standing",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Agent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=80, unique=True)),
                ("name", models.CharField(max_length=80)),
                (
                    "kind",
                    models.CharField(
                        choices=[("kyb", "Business"), ("kyc", "Individual")], max_length=3
                    ),
                ),
                ("checks", models.JSONField(blank=True, default=list)),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="agents",
                        to="agenthub.account",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="JobBatch",
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
                ("batch_id", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("name", models.CharField(blank=True, max_length=255)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("running", "Being started"),
                            ("complete", "Started"),
                            ("failed", "Failed"),
                        ],
                        default="running",
                        max_length=16,
                    ),
                ),
                ("file", models.FileField(blank=True, upload_to="batches/")),
                ("options", models.JSONField(blank=True, default=dict)),
                ("read_rows", models.PositiveIntegerField(default=0)),
                ("accepted", models.PositiveIntegerField(default=0)),
                ("rejected", models.PositiveIntegerField(default=0)),
                ("error", models.TextField(blank=True)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches",
                        to="agenthub.agent",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "job batches",
                "ordering": ["-id"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="agenthub_jobbatch_due",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("agent", "batch_id"), name="one_batch_per_batch_id"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AgentJob",
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
                ("job_id", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("case_id", models.CharField(max_length=255)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("PENDING", "Pending"),
                            ("RUNNING", "Running"),
                            ("COMPLETE", "Complete"),
                            ("FAILED", "Failed"),
                            ("RETRIED", "Retried"),
                        ],
                        default="PENDING",
                        max_length=16,
                    ),
                ),
                ("input_payload", models.JSONField(help_text="The request body as it came.")),
                ("check_ids", models.JSONField(blank=True, default=list)),
                ("check_args", models.JSONField(blank=True, default=dict)),
                ("subject", models.CharField(blank=True, max_length=255)),
                ("subject_key", models.CharField(blank=True, max_length=255)),
                ("webhook_url", models.TextField(blank=True)),
                ("tool_webhook_url", models.TextField(blank=True)),
                ("slack_webhook_url", models.TextField(blank=True)),
                ("recommendation", models.CharField(blank=True, max_length=32)),
                ("error", models.TextField(blank=True)),
                ("status_messages", models.JSONField(blank=True, default=list)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to="agenthub.account",
                    ),
                ),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to="agenthub.agent",
                    ),
                ),
                (
                    "original",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rerun",
                        to="agenthub.agentjob",
                    ),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to="agenthub.jobbatch",
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
                        name="agenthub_agentjob_due",
                    ),
                    models.Index(fields=["agent", "case_id"], name="agenthub_job_case"),
                    models.Index(
                        condition=models.Q(("batch__isnull", False)),
                        fields=["batch", "id"],
                        name="agenthub_job_batch",
                    ),
                    models.Index(fields=["account", "subject_key"], name="agenthub_job_subject"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("account", "job_id"), name="one_job_per_job_id")
                ],
            },
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=80)),
                (
                    "prefix",
                    models.CharField(
                        help_text="The first characters, to tell keys apart.", max_length=20
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
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_keys",
                        to="agenthub.account",
                    ),
                ),
            ],
            options={
                "verbose_name": "API key",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="CheckRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("check_id", models.CharField(max_length=200)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("in_progress", "In progress"),
                            ("completed", "Completed"),
                            ("failed", "Failed"),
                        ],
                        default="pending",
                        max_length=16,
                    ),
                ),
                ("result", models.JSONField(blank=True, default=dict)),
                ("status_messages", models.JSONField(blank=True, default=list)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="check_runs",
                        to="agenthub.agentjob",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("job", "check_id"), name="one_run_per_check")
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
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
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("job", "Job webhook"),
                            ("tool", "Tool webhook"),
                            ("slack", "Slack"),
                        ],
                        max_length=8,
                    ),
                ),
                ("tool_id", models.CharField(blank=True, max_length=200)),
                ("url", models.TextField()),
                ("body", models.BinaryField()),
                ("case_id", models.CharField(blank=True, max_length=255, null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("due", "To be sent"),
                            ("done", "Delivered"),
                            ("dead", "Failed"),
                        ],
                        default="due",
                        max_length=16,
                    ),
                ),
                ("tries", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="agenthub.agentjob",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "ordering": ["-created_at"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="agenthub_delivery_due",
                    ),
                    models.Index(
                        condition=models.Q(("status", "dead")),
                        fields=["job"],
                        name="agenthub_delivery_dead",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("http_status", models.PositiveIntegerField(null=True)),
                ("error", models.CharField(blank=True, max_length=200)),
                (
                    "response",
                    models.TextField(blank=True, help_text="The first 2 KB of the answer."),
                ),
                ("took_ms", models.PositiveIntegerField()),
                (
                    "delivery",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attempts",
                        to="agenthub.delivery",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("http_status__isnull", False),
                            models.Q(("error", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="answered_or_explained",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DocumentPrint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("case_id", models.CharField(max_length=255)),
                (
                    "subject_name",
                    models.CharField(help_text="sha256 of the attested name, hex.", max_length=64),
                ),
                (
                    "subject_number",
                    models.CharField(
                        blank=True, help_text="sha256 of the attested number, hex.", max_length=64
                    ),
                ),
                ("kind", models.CharField(max_length=16)),
                ("value", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="document_prints",
                        to="agenthub.account",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="document_prints",
                        to="agenthub.agentjob",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["account", "kind", "value"], name="agenthub_print")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("job", "kind", "value"), name="one_print_per_job"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Feedback",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("check_id", models.CharField(blank=True, max_length=200)),
                ("text", models.TextField()),
                ("body", models.JSONField(help_text="The request body as it came.")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feedback",
                        to="agenthub.agentjob",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "feedback",
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="ListIdentifier",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("value", models.CharField(db_index=True, max_length=200)),
                ("type", models.CharField(max_length=16)),
                ("country", models.CharField(blank=True, max_length=2)),
                (
                    "entity",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="identifiers",
                        to="agenthub.listentity",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ListName",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=16)),
                ("text", models.TextField()),
                ("tokens", models.TextField()),
                ("script", models.CharField(blank=True, max_length=10)),
                ("person", models.BooleanField()),
                (
                    "entity",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="names",
                        to="agenthub.listentity",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ListRefresh",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("leased_until", models.DateTimeField(blank=True, editable=False, null=True)),
                ("claims", models.PositiveIntegerField(default=0, editable=False)),
                ("faults", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "status",
                    models.CharField(
                        choices=[("off", "Off"), ("on", "Every day")], default="off", max_length=16
                    ),
                ),
                ("due_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "fetched_at",
                    models.DateTimeField(
                        help_text="When it was last fetched and loaded.", null=True
                    ),
                ),
                ("error", models.TextField(blank=True, help_text="Why the last try failed.")),
                (
                    "source",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refresh",
                        to="agenthub.listsource",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="agenthub_listrefresh_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ListPosting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.BigIntegerField()),
                ("count", models.PositiveIntegerField()),
                ("names", models.BinaryField()),
                (
                    "version",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="agenthub.listversion",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["version"], name="agenthub_posting_version")],
                "constraints": [
                    models.UniqueConstraint(fields=("key", "version"), name="one_posting_per_key")
                ],
            },
        ),
        migrations.CreateModel(
            name="RegistryLoad",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("slug", models.SlugField(max_length=60)),
                ("title", models.CharField(max_length=120)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("staging", "Being loaded"),
                            ("active", "Active"),
                            ("retired", "Replaced"),
                            ("rejected", "Refused"),
                        ],
                        default="staging",
                        max_length=16,
                    ),
                ),
                ("loaded_at", models.DateTimeField(auto_now_add=True)),
                ("file_name", models.CharField(max_length=255)),
                ("sha256", models.CharField(max_length=64)),
                ("company_count", models.PositiveIntegerField(default=0)),
                ("has_leis", models.BooleanField(default=False)),
                ("note", models.TextField(blank=True, help_text="Why it was refused.")),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", "active")),
                        fields=("slug",),
                        name="one_active_registry",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "staging")),
                        fields=("slug",),
                        name="one_registry_load_at_a_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RegistryCompany",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.TextField()),
                ("key", models.CharField(max_length=200)),
                ("lei", models.CharField(blank=True, max_length=20)),
                ("number", models.CharField(blank=True, max_length=100)),
                ("country", models.CharField(blank=True, max_length=2)),
                ("facts", models.JSONField(default=dict)),
                (
                    "load",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="agenthub.registryload"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "registry companies",
                "indexes": [
                    models.Index(fields=["key"], name="agenthub_registry_key"),
                    models.Index(
                        condition=models.Q(("lei", ""), _negated=True),
                        fields=["lei"],
                        name="agenthub_registry_lei",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RegistryPosting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.BigIntegerField()),
                ("count", models.PositiveIntegerField()),
                ("companies", models.BinaryField()),
                (
                    "load",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="agenthub.registryload"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("key", "load"), name="one_registry_posting_per_key"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RejectedRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "line",
                    models.PositiveIntegerField(
                        help_text="Where the row begins in the file, from 1."
                    ),
                ),
                ("reason", models.TextField()),
                ("detail", models.JSONField(blank=True, default=list)),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rejected_rows",
                        to="agenthub.jobbatch",
                    ),
                ),
            ],
            options={
                "ordering": ["line"],
                "constraints": [
                    models.UniqueConstraint(fields=("batch", "line"), name="one_rejection_per_line")
                ],
            },
        ),
        migrations.CreateModel(
            name="Rescreening",
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
                (
                    "status",
                    models.CharField(
                        choices=[("due", "To be done"), ("done", "Done"), ("failed", "Failed")],
                        default="due",
                        max_length=16,
                    ),
                ),
                (
                    "reached",
                    models.BigIntegerField(default=0, help_text="The last job that was looked at."),
                ),
                (
                    "raised",
                    models.PositiveIntegerField(
                        default=0, help_text="How many cases were raised again."
                    ),
                ),
                ("error", models.TextField(blank=True)),
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rescreening",
                        to="agenthub.listversion",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="agenthub_rescreening_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SigningSecret",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("secret", compliance.security.encryption.EncryptedTextField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "signs_from",
                    models.DateTimeField(
                        default=django.utils.timezone.now,
                        help_text="Until then the one before it signs: time to tell the receivers.",
                    ),
                ),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="signing_secrets",
                        to="agenthub.account",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="ToolRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("tool_id", models.CharField(max_length=200)),
                (
                    "document",
                    models.PositiveIntegerField(help_text="Its place among the check's documents."),
                ),
                ("results", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "check_run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tool_runs",
                        to="agenthub.checkrun",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("check_run", "document", "tool_id"),
                        name="one_run_per_tool_and_document",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
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
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("kept", "Kept"), ("gone", "Gone")], default="kept", max_length=16
                    ),
                ),
                ("file", models.FileField(blank=True, upload_to="uploads/")),
                ("file_name", models.CharField(blank=True, max_length=255)),
                ("content_type", models.CharField(max_length=80)),
                ("size", models.PositiveBigIntegerField(help_text="Bytes.")),
                ("sha256", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="uploads",
                        to="agenthub.account",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="agenthub_upload_due",
                    )
                ],
            },
        ),
    ]
