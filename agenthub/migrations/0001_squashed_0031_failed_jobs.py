"""The tables of the hub, as the migrations that it replaces made them."""

import compliance.security.encryption
import compliance.security.personal_fields
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.db import migrations, models

from compliance.db.new_tables import create_together


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("agenthub", "0001_initial"),
        ("agenthub", "0002_claim_count_and_failures"),
        ("agenthub", "0003_privacy"),
        ("agenthub", "0004_encrypt"),
        ("agenthub", "0005_fair_shares"),
        ("agenthub", "0006_open_limits"),
        ("agenthub", "0031_failed_jobs"),
    ]

    dependencies = [
        ("compliance", "0001_squashed_0004_tallies"),
    ]

    operations = [
        migrations.CreateModel(
            name="Account",
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
                ("name", models.CharField(max_length=80, unique=True)),
                ("is_active", models.BooleanField(default=True)),
                (
                    "share",
                    models.PositiveSmallIntegerField(
                        db_default=1,
                        default=1,
                        help_text="How often it has its turn while others wait, too: 2 is twice as often as 1.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                (
                    "max_open_jobs",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="Jobs that have not ended. Empty: as the installation has it; 0: any number.",
                        null=True,
                        verbose_name="open jobs at most",
                    ),
                ),
                (
                    "max_open_documents",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="Documents of these jobs. Empty: as the installation has it; 0: any number.",
                        null=True,
                        verbose_name="open documents at most",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("share__gte", 1)), name="share_from_one"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AddressList",
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
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("title", models.CharField(max_length=120)),
                ("loaded_at", models.DateTimeField(auto_now=True)),
                ("file_name", models.CharField(max_length=255)),
                ("sha256", models.CharField(max_length=64)),
                ("address_count", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ["slug"],
            },
        ),
        migrations.CreateModel(
            name="ListSource",
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
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("title", models.CharField(max_length=120)),
                ("format", models.CharField(max_length=40)),
                (
                    "url",
                    models.CharField(
                        blank=True,
                        help_text="For the scheduled refresh.",
                        max_length=500,
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
                        default=0.05,
                        help_text="A file that lost more than this share is refused.",
                    ),
                ),
                ("topics", models.JSONField(default=list)),
                ("columns", models.JSONField(blank=True, default=dict)),
                ("canaries", models.JSONField(blank=True, default=list)),
            ],
            options={
                "ordering": ["slug"],
            },
        ),
        migrations.CreateModel(
            name="RegistryLoad",
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
            name="AddressEntry",
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
                    "list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="agenthub.addresslist",
                    ),
                ),
                ("place", models.CharField(max_length=120)),
                ("kind", models.CharField(max_length=60)),
                ("name", models.CharField(blank=True, max_length=255)),
                ("address", models.JSONField()),
            ],
            options={
                "verbose_name_plural": "address entries",
                "indexes": [
                    models.Index(fields=["place"], name="agenthub_address_place")
                ],
            },
        ),
        migrations.CreateModel(
            name="Agent",
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
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="agents",
                        to="agenthub.account",
                    ),
                ),
                ("key", models.CharField(max_length=80, unique=True)),
                ("name", models.CharField(max_length=80)),
                (
                    "kind",
                    models.CharField(
                        choices=[("kyb", "Business"), ("kyc", "Individual")],
                        max_length=3,
                    ),
                ),
                ("checks", models.JSONField(blank=True, default=list)),
                (
                    "requirements",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="What a case must bring before Approve, by ids; empty: all of its kind.",
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="ApiKey",
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
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_keys",
                        to="agenthub.account",
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=80)),
            ],
            options={
                "verbose_name": "API key",
                "ordering": ["-id"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ListRefresh",
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
                    "leased_until",
                    models.DateTimeField(blank=True, editable=False, null=True),
                ),
                ("claim_count", models.PositiveIntegerField(default=0, editable=False)),
                ("failures", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "source",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refresh",
                        to="agenthub.listsource",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("off", "Off"), ("on", "Every day")],
                        default="off",
                        max_length=16,
                    ),
                ),
                ("due_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "fetched_at",
                    models.DateTimeField(
                        help_text="When it was last fetched and loaded.", null=True
                    ),
                ),
                (
                    "error",
                    models.TextField(blank=True, help_text="Why the last try failed."),
                ),
            ],
            options={
                "verbose_name_plural": "list refreshes",
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
            name="ListVersion",
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
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="agenthub.listsource",
                    ),
                ),
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
                    models.CharField(
                        blank=True, help_text="As the file says.", max_length=10
                    ),
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
            name="RegistryCompany",
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
                    "load",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="agenthub.registryload",
                    ),
                ),
                ("name", models.TextField()),
                ("key", models.CharField(max_length=200)),
                ("lei", models.CharField(blank=True, max_length=20)),
                ("number", models.CharField(blank=True, max_length=100)),
                ("country", models.CharField(blank=True, max_length=2)),
                ("facts", models.JSONField(default=dict)),
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
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                (
                    "load",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="agenthub.registryload",
                    ),
                ),
                ("key", models.BigIntegerField()),
                ("count", models.PositiveIntegerField()),
                ("companies", models.BinaryField()),
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
            name="SigningSecret",
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
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="signing_secrets",
                        to="agenthub.account",
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
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
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
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="uploads",
                        to="agenthub.account",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("kept", "Kept"), ("gone", "Gone")],
                        default="kept",
                        max_length=16,
                    ),
                ),
                ("file", models.FileField(blank=True, upload_to="uploads/")),
                ("file_name", models.CharField(blank=True, max_length=255)),
                ("content_type", models.CharField(max_length=80)),
                ("size", models.PositiveBigIntegerField(help_text="Bytes.")),
                ("sha256", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
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
        migrations.CreateModel(
            name="HeldVersion",
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
                    "leased_until",
                    models.DateTimeField(blank=True, editable=False, null=True),
                ),
                ("claim_count", models.PositiveIntegerField(default=0, editable=False)),
                ("failures", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="held",
                        to="agenthub.listversion",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("held", "Held"),
                            ("released", "Being loaded"),
                            ("active", "Released"),
                            ("discarded", "Replaced"),
                        ],
                        default="held",
                        max_length=16,
                    ),
                ),
                ("due_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("file", models.FileField(blank=True, upload_to="lists/")),
                ("file_name", models.CharField(max_length=255)),
                ("sha256", models.CharField(max_length=64)),
                ("released_by", models.CharField(blank=True, max_length=150)),
                ("released_at", models.DateTimeField(null=True)),
                (
                    "reason",
                    models.TextField(blank=True, help_text="Why it was released."),
                ),
                (
                    "error",
                    models.TextField(
                        blank=True, help_text="Why it could not be loaded."
                    ),
                ),
            ],
            options={
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="agenthub_heldversion_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="JobBatch",
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
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches",
                        to="agenthub.agent",
                    ),
                ),
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
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False
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
            name="ListEntity",
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
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="agenthub.listsource",
                    ),
                ),
                ("external_id", models.CharField(max_length=200)),
                ("content_hash", models.CharField(max_length=64)),
                ("content", models.JSONField()),
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
            name="ListPosting",
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
                    "version",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="agenthub.listversion",
                    ),
                ),
                ("key", models.BigIntegerField()),
                ("count", models.PositiveIntegerField()),
                ("names", models.BinaryField()),
            ],
            options={
                "indexes": [
                    models.Index(fields=["version"], name="agenthub_posting_version")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("key", "version"), name="one_posting_per_key"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Rescreening",
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
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rescreening",
                        to="agenthub.listversion",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("due", "To be done"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="due",
                        max_length=16,
                    ),
                ),
                (
                    "reached",
                    models.BigIntegerField(
                        default=0, help_text="The last job that was looked at."
                    ),
                ),
                (
                    "raised",
                    models.PositiveIntegerField(
                        default=0, help_text="How many cases were raised again."
                    ),
                ),
                ("error", models.TextField(blank=True)),
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
            name="AgentJob",
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
                (
                    "input_payload",
                    compliance.security.personal_fields.PersonalJSONField(
                        help_text="The request body as it came."
                    ),
                ),
                ("check_ids", models.JSONField(blank=True, default=list)),
                ("check_args", models.JSONField(blank=True, default=dict)),
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
                    "subject",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True, max_length=255
                    ),
                ),
                ("subject_key", models.CharField(blank=True, max_length=255)),
                ("fact_key", models.TextField(blank=True)),
                ("webhook_url", models.TextField(blank=True)),
                ("tool_webhook_url", models.TextField(blank=True)),
                ("slack_webhook_url", models.TextField(blank=True)),
                ("recommendation", models.CharField(blank=True, max_length=32)),
                ("recommendation_reasons", models.JSONField(blank=True, default=list)),
                ("requirements_version", models.CharField(blank=True, max_length=40)),
                ("error", models.TextField(blank=True)),
                ("status_messages", models.JSONField(blank=True, default=list)),
                ("reads_documents", models.BooleanField(default=False, editable=False)),
                (
                    "documents",
                    models.PositiveIntegerField(
                        db_default=0, default=0, editable=False
                    ),
                ),
                (
                    "is_bulk",
                    models.BooleanField(
                        db_default=False, default=False, editable=False
                    ),
                ),
                ("unread_documents", models.JSONField(default=dict, editable=False)),
                (
                    "claimed_at",
                    models.DateTimeField(blank=True, editable=False, null=True),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False
                    ),
                ),
                (
                    "data_key",
                    models.OneToOneField(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="compliance.datakey",
                    ),
                ),
                ("erased_at", models.DateTimeField(editable=False, null=True)),
            ],
            options={
                "ordering": ["-id"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["reads_documents", "due_at"],
                        name="agenthub_job_due",
                    ),
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["account", "reads_documents", "is_bulk", "due_at"],
                        name="agenthub_job_turn",
                    ),
                    models.Index(
                        condition=models.Q(("leased_until__isnull", False)),
                        fields=["account", "reads_documents"],
                        name="agenthub_job_leased",
                    ),
                    models.Index(
                        condition=models.Q(("claimed_at__isnull", False)),
                        fields=["account", "reads_documents", "claimed_at"],
                        name="agenthub_job_claimed",
                    ),
                    models.Index(
                        condition=models.Q(("status", "FAILED")),
                        fields=["id"],
                        name="agenthub_job_failed",
                    ),
                    models.Index(fields=["agent", "case_id"], name="agenthub_job_case"),
                    models.Index(
                        condition=models.Q(("batch__isnull", False)),
                        fields=["batch", "id"],
                        name="agenthub_job_batch",
                    ),
                    models.Index(
                        fields=["account", "subject_key"], name="agenthub_job_subject"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("account", "job_id"), name="one_job_per_job_id"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ListIdentifier",
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
                    "entity",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="identifiers",
                        to="agenthub.listentity",
                    ),
                ),
                ("value", models.CharField(db_index=True, max_length=200)),
                ("type", models.CharField(max_length=16)),
                ("country", models.CharField(blank=True, max_length=2)),
            ],
        ),
        migrations.CreateModel(
            name="ListName",
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
                    "entity",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="names",
                        to="agenthub.listentity",
                    ),
                ),
                ("kind", models.CharField(max_length=16)),
                ("text", models.TextField()),
                ("tokens", models.TextField()),
                ("script", models.CharField(blank=True, max_length=10)),
                ("person", models.BooleanField()),
            ],
        ),
        migrations.CreateModel(
            name="RejectedRow",
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
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rejected_rows",
                        to="agenthub.jobbatch",
                    ),
                ),
                (
                    "line",
                    models.PositiveIntegerField(
                        help_text="Where the row begins in the file, from 1."
                    ),
                ),
                ("reason", compliance.security.personal_fields.PersonalTextField()),
                (
                    "detail",
                    compliance.security.personal_fields.PersonalJSONField(
                        blank=True, default=list
                    ),
                ),
            ],
            options={
                "ordering": ["line"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("batch", "line"), name="one_rejection_per_line"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CheckRun",
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
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="check_runs",
                        to="agenthub.agentjob",
                    ),
                ),
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
                (
                    "result",
                    compliance.security.personal_fields.PersonalJSONField(
                        blank=True, default=dict
                    ),
                ),
                (
                    "verdict",
                    models.CharField(blank=True, editable=False, max_length=40),
                ),
                ("status_messages", models.JSONField(blank=True, default=list)),
                (
                    "created_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("job", "check_id"), name="one_run_per_check"
                    )
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
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("url", models.TextField()),
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
                (
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deliveries",
                        to="agenthub.account",
                    ),
                ),
                (
                    "claimed_at",
                    models.DateTimeField(blank=True, editable=False, null=True),
                ),
                ("body", compliance.security.personal_fields.PersonalBytesField()),
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
                ("case_id", models.CharField(blank=True, max_length=255, null=True)),
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
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["account", "due_at"],
                        name="agenthub_delivery_turn",
                    ),
                    models.Index(
                        condition=models.Q(("leased_until__isnull", False)),
                        fields=["account"],
                        name="agenthub_delivery_leased",
                    ),
                    models.Index(
                        condition=models.Q(("claimed_at__isnull", False)),
                        fields=["account", "claimed_at"],
                        name="agenthub_delivery_claimed",
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
            name="DocumentPrint",
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
                ("case_id", models.CharField(max_length=255)),
                (
                    "subject_name",
                    models.CharField(
                        help_text="sha256 of the attested name, hex.", max_length=64
                    ),
                ),
                (
                    "subject_number",
                    models.CharField(
                        blank=True,
                        help_text="sha256 of the attested number, hex.",
                        max_length=64,
                    ),
                ),
                ("kind", models.CharField(max_length=16)),
                ("value", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        fields=["account", "kind", "value"], name="agenthub_print"
                    )
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
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feedback",
                        to="agenthub.agentjob",
                    ),
                ),
                ("check_id", models.CharField(blank=True, max_length=200)),
                ("key", models.TextField(blank=True, editable=False)),
                ("text", compliance.security.personal_fields.PersonalTextField()),
                (
                    "body",
                    compliance.security.personal_fields.PersonalJSONField(
                        help_text="The request body as it came."
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name_plural": "feedback",
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="SubjectMark",
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
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="agenthub.account",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="subject_marks",
                        to="agenthub.agentjob",
                    ),
                ),
                ("case_id", models.CharField(max_length=255)),
                ("value", models.CharField(max_length=32)),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        fields=["account", "value", "id"], name="agenthub_subject_mark"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("job", "value"), name="one_mark_per_job"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Attempt",
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
                ("http_status", models.PositiveIntegerField(null=True)),
                ("error", models.CharField(blank=True, max_length=200)),
                (
                    "response",
                    models.TextField(
                        blank=True, help_text="The first 2 KB of the answer."
                    ),
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
                "abstract": False,
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
            name="ToolRun",
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
                    "check_run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tool_runs",
                        to="agenthub.checkrun",
                    ),
                ),
                ("tool_id", models.CharField(max_length=200)),
                (
                    "document",
                    models.PositiveIntegerField(
                        help_text="Its place among the check's documents."
                    ),
                ),
                ("results", compliance.security.personal_fields.PersonalJSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
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
    ]
    operations = create_together(operations)
