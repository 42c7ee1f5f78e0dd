"""The tables of the desk, as the migrations that it replaces made them."""

import compliance.security.encryption
import compliance.security.personal_fields
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import reviews.models.fields
import uuid
from django.conf import settings
from django.db import migrations, models


# The search finds parts of words: by an index of trigrams, which each database makes its own way.
SQLITE = (
    "CREATE VIRTUAL TABLE reviews_search USING"
    " fts5(text, content='reviews_searchtext', content_rowid='id', tokenize='trigram')",
    "CREATE TRIGGER reviews_search_insert AFTER INSERT ON reviews_searchtext BEGIN"
    " INSERT INTO reviews_search (rowid, text) VALUES (NEW.id, NEW.text); END",
    "CREATE TRIGGER reviews_search_delete AFTER DELETE ON reviews_searchtext BEGIN"
    " INSERT INTO reviews_search (reviews_search, rowid, text)"
    " VALUES ('delete', OLD.id, OLD.text); END",
    "CREATE TRIGGER reviews_search_update AFTER UPDATE OF text ON reviews_searchtext BEGIN"
    " INSERT INTO reviews_search (reviews_search, rowid, text)"
    " VALUES ('delete', OLD.id, OLD.text);"
    " INSERT INTO reviews_search (rowid, text) VALUES (NEW.id, NEW.text); END",
)
POSTGRESQL = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX reviews_search ON reviews_searchtext USING gin (text gin_trgm_ops)",
)


def index(apps, schema_editor):
    for statement in (
        SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL
    ):
        schema_editor.execute(statement)


def unindex(apps, schema_editor):
    kind = "TABLE" if schema_editor.connection.vendor == "sqlite" else "INDEX"
    schema_editor.execute(f"DROP {kind} reviews_search")


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("reviews", "0001_initial"),
        ("reviews", "0002_claim_count_and_failures"),
        ("reviews", "0003_caseevent_bindings"),
        ("reviews", "0004_chain_anchors"),
        ("reviews", "0005_reads"),
        ("reviews", "0006_tree_and_copies"),
        ("reviews", "0007_privacy"),
        ("reviews", "0008_file_scans"),
        ("reviews", "0009_document_links"),
        ("reviews", "0010_encrypted"),
        ("reviews", "0011_parties"),
        ("reviews", "0012_applicant"),
        ("reviews", "0013_risk"),
        ("reviews", "0014_invitations"),
        ("reviews", "0015_inbox"),
        ("reviews", "0016_periodic_reviews"),
        ("reviews", "0017_risk_band"),
        ("reviews", "0018_policy_trials"),
        ("reviews", "0020_imports"),
        ("reviews", "0021_inbox_mails"),
        ("reviews", "0022_reminders"),
        ("reviews", "0023_procedures"),
        ("reviews", "0024_dead_letters"),
    ]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("compliance", "0001_squashed_0004_tallies"),
    ]

    operations = [
        migrations.CreateModel(
            name="AnchorCopy",
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
                    "channel",
                    models.CharField(
                        choices=[
                            ("webhook", "Webhook"),
                            ("mail", "E-mail"),
                            ("time stamp", "Time stamp"),
                        ],
                        max_length=16,
                        unique=True,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("on", "On")], default="on", max_length=16
                    ),
                ),
                ("sent_seq", models.BigIntegerField(default=0)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "error",
                    models.CharField(
                        blank=True, help_text="Why the last try failed.", max_length=200
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "anchor copies",
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_anchorcopy_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ApiToken",
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
                    "user",
                    models.ForeignKey(
                        help_text="In whose name it acts.",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "name",
                    models.CharField(help_text="Which system uses it.", max_length=80),
                ),
                ("scopes", models.JSONField(default=list)),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "API token",
                "ordering": ["-id"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="BulkAct",
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
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bulk_acts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "act",
                    models.CharField(
                        choices=[
                            ("assign", "Assign"),
                            ("snooze", "Snooze"),
                            ("run_again", "Run again"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "to",
                    models.JSONField(
                        default=dict, help_text='{"analyst": id} or {"until": time}'
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("running", "Running"), ("done", "Done")],
                        default="running",
                        max_length=16,
                    ),
                ),
                (
                    "cases",
                    models.JSONField(
                        help_text="The ids, in the order in which they are done."
                    ),
                ),
                (
                    "done",
                    models.PositiveIntegerField(
                        default=0, help_text="So many from the front."
                    ),
                ),
                ("refused", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-id"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_bulkact_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Chain",
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
                    "status",
                    models.CharField(
                        choices=[("growing", "Growing")],
                        default="growing",
                        max_length=16,
                    ),
                ),
                ("seq", models.BigIntegerField(default=0)),
                (
                    "hash",
                    models.CharField(
                        default="0000000000000000000000000000000000000000000000000000000000000000",
                        max_length=64,
                    ),
                ),
                (
                    "mac",
                    models.CharField(
                        blank=True, help_text="Over seq and hash.", max_length=64
                    ),
                ),
                (
                    "anchored_seq",
                    models.BigIntegerField(
                        default=0,
                        help_text="The head that was last signed and kept outside.",
                    ),
                ),
                ("anchored_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_chain_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Connection",
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
                (
                    "slug",
                    models.SlugField(
                        help_text="In the address that the service calls.",
                        max_length=40,
                        unique=True,
                    ),
                ),
                (
                    "base_url",
                    models.CharField(
                        help_text="Ends in the path prefix, such as /api/v1.",
                        max_length=300,
                        validators=[reviews.models.fields.validate_address],
                    ),
                ),
                (
                    "api_key",
                    compliance.security.encryption.EncryptedTextField(blank=True),
                ),
                (
                    "compact_header",
                    models.CharField(
                        default="service-signature-compact",
                        help_text="The header in which this service sends the compact signature.",
                        max_length=80,
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "timestamped_since",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="Its webhooks have been signed with a time since then: others are refused.",
                        null=True,
                    ),
                ),
                (
                    "refused_at",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="When a webhook was refused, about.",
                        null=True,
                    ),
                ),
                (
                    "refused_reason",
                    models.CharField(blank=True, editable=False, max_length=200),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Draft",
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
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drafts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("kyb", "Business"), ("kyc", "Individual")],
                        max_length=3,
                    ),
                ),
                (
                    "typed",
                    compliance.security.encryption.EncryptedTextField(
                        help_text="JSON: the fields by their names."
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True, db_index=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "kind"), name="one_draft_of_each_kind"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DueWatch",
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
                    models.PositiveSmallIntegerField(
                        default=1, primary_key=True, serialize=False
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("ready", "Ready")], default="ready", max_length=16
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "due watches",
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_duewatch_due",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("pk", 1)), name="there_is_one_due_watch"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="InboxPreference",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="inbox_preference",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "mail",
                    models.CharField(
                        choices=[
                            ("off", "Never"),
                            ("at_once", "Within a minute"),
                            ("daily", "Once a day, at 07:00 UTC"),
                        ],
                        default="off",
                        max_length=8,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NoticeMail",
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
                    "to",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notice_mails",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "Waits"),
                            ("sending", "Is being sent"),
                            ("sent", "Sent"),
                            ("dropped", "Not needed any more"),
                            ("failed", "Could not be sent"),
                        ],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                ("sent_at", models.DateTimeField(null=True)),
                ("fault", models.CharField(blank=True, max_length=200)),
            ],
            options={
                "ordering": ["id"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_noticemail_due",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", "waiting")),
                        fields=("to",),
                        name="one_notice_mail_waits",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Organisation",
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
                    models.PositiveSmallIntegerField(
                        default=1, primary_key=True, serialize=False
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("ready", "Ready")], default="ready", max_length=16
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=100)),
                (
                    "contact",
                    models.CharField(
                        blank=True,
                        help_text="How applicants reach you: shown below each of their pages.",
                        max_length=200,
                    ),
                ),
                ("colour", models.CharField(blank=True, max_length=7)),
                ("colour_dark", models.CharField(blank=True, max_length=7)),
                ("logo", models.BinaryField(blank=True, default=bytes)),
                ("logo_width", models.PositiveIntegerField(default=0)),
                ("logo_height", models.PositiveIntegerField(default=0)),
                ("upload", models.BinaryField(blank=True, default=bytes)),
                ("logo_fault", models.CharField(blank=True, max_length=200)),
                (
                    "remind_days",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="An applicant is reminded after so many days; 0: never.",
                    ),
                ),
                (
                    "remind_most",
                    models.PositiveSmallIntegerField(
                        default=2, help_text="So many times at most."
                    ),
                ),
            ],
            options={
                "verbose_name": "organisation",
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_organisation_due",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("pk", 1)), name="there_is_one_organisation"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Party",
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
                    "kind",
                    models.CharField(
                        choices=[
                            ("person", "Person"),
                            ("company", "Company"),
                            ("trust", "Trust"),
                            ("vessel", "Vessel"),
                            ("wallet", "Wallet"),
                            ("account", "Bank account"),
                            ("unknown", "Person or company"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "head",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="joined",
                        to="reviews.party",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name_plural": "parties",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Procedure",
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
                    "kind",
                    models.CharField(
                        choices=[("kyb", "Business"), ("kyc", "Individual")],
                        max_length=3,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                (
                    "note",
                    models.CharField(
                        help_text="What is new in it, and why.", max_length=200
                    ),
                ),
                (
                    "content",
                    models.JSONField(help_text='{"fields": […], "items": […]}'),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("live", "Live"),
                            ("retired", "Replaced"),
                        ],
                        default="draft",
                        max_length=16,
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("live_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["kind", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("kind", "number"), name="one_procedure_of_a_number"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "live")),
                        fields=("kind",),
                        name="one_live_procedure",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="QueueLayout",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="queue_layout",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("hidden", models.JSONField(default=list)),
                (
                    "density",
                    models.CharField(
                        choices=[
                            ("comfortable", "Comfortable"),
                            ("compact", "Compact"),
                        ],
                        default="comfortable",
                        max_length=12,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReasonCode",
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
                ("code", models.CharField(max_length=12, unique=True)),
                ("label", models.CharField(max_length=120)),
                ("hint", models.CharField(blank=True, max_length=120)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("approve", "Approve"),
                            ("reject", "Reject"),
                            ("request", "Request information"),
                            ("escalate", "Escalate"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "claim",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Nothing that the case could contradict"),
                            ("all_passed", "Checks ran, and all of them passed"),
                            ("document", "The case has a document"),
                            ("match", "A name stands on a list of sanctions"),
                            (
                                "contradicted",
                                "A check, or who overrode it, contradicts the attested data",
                            ),
                        ],
                        default="",
                        help_text="What the reason says of the case. Where that is not so, it is refused.",
                        max_length=12,
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
            ],
            options={
                "ordering": ["code"],
            },
        ),
        migrations.CreateModel(
            name="RetentionRule",
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
                ("name", models.CharField(max_length=80, unique=True)),
                (
                    "kind",
                    models.CharField(
                        blank=True,
                        choices=[("kyb", "Business"), ("kyc", "Individual")],
                        help_text="Empty: both.",
                        max_length=3,
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("approve", "Approve"),
                            ("reject", "Reject"),
                            ("none", "Never decided"),
                        ],
                        help_text="Empty: every case that was decided.",
                        max_length=12,
                    ),
                ),
                (
                    "months",
                    models.PositiveIntegerField(
                        help_text="Cases are kept so many months from the clock on."
                    ),
                ),
                (
                    "clock",
                    models.CharField(
                        choices=[
                            ("decision", "The last decision"),
                            ("activity", "The last line of the trail about the case"),
                        ],
                        default="decision",
                        max_length=12,
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=False, help_text="Only an active rule plans erasures."
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("waiting", "Waits for its day")],
                        default="waiting",
                        editable=False,
                        max_length=16,
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_retentionrule_due",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("months__gt", 0)),
                        name="kept_a_month_at_least",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("outcome", "none"), _negated=True),
                            ("clock", "activity"),
                            _connector="OR",
                        ),
                        name="undecided_by_activity",
                        violation_error_message="A case without a decision has only the clock of its last activity.",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RiskPolicy",
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
                ("number", models.PositiveIntegerField(unique=True)),
                (
                    "note",
                    models.CharField(
                        help_text="What is new in it, and why.", max_length=200
                    ),
                ),
                (
                    "content",
                    models.JSONField(help_text="As the engine of ratings reads it."),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("live", "Live"),
                            ("retired", "Replaced"),
                        ],
                        default="draft",
                        max_length=16,
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        help_text="Empty: the installation itself.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("live_at", models.DateTimeField(null=True)),
            ],
            options={
                "verbose_name_plural": "risk policies",
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", "live")),
                        fields=("status",),
                        name="one_live_risk_policy",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Tag",
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
                ("name", models.CharField(max_length=40)),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("name"),
                        name="one_tag_per_name",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TreeNode",
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
                ("level", models.PositiveSmallIntegerField()),
                (
                    "index",
                    models.BigIntegerField(
                        help_text="Its first line is index * 2**level + 1."
                    ),
                ),
                ("hash", models.CharField(max_length=64)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("level", "index"), name="one_node_a_place"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Unsealed",
            fields=[
                ("event_id", models.BigIntegerField(primary_key=True, serialize=False)),
            ],
            options={
                "verbose_name_plural": "unsealed",
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
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="agents",
                        to="reviews.connection",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("kyb", "Business"), ("kyc", "Individual")],
                        max_length=3,
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("agent_key", compliance.security.encryption.EncryptedTextField()),
                ("is_active", models.BooleanField(default=True)),
            ],
            options={
                "ordering": ["connection__name", "name"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("connection", "name"), name="one_agent_per_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PartyMerge",
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
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reviews.party",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reviews.party",
                    ),
                ),
                ("reason", models.TextField(help_text="Why, without a name.")),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "undone_reason",
                    models.TextField(blank=True, help_text="Why, without a name."),
                ),
            ],
            options={
                "verbose_name": "merge of parties",
                "verbose_name_plural": "merges of parties",
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("first__lt", models.F("second"))),
                        name="merge_of_two",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at__isnull", True)),
                        fields=("first", "second"),
                        name="merged_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="merge_with_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Pause",
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
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pause",
                        to="reviews.connection",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("paused", "Paused"), ("ended", "Ended")],
                        default="ended",
                        max_length=16,
                    ),
                ),
                (
                    "reason",
                    models.TextField(blank=True, help_text="The service's words."),
                ),
                ("since", models.DateTimeField(blank=True, null=True)),
                (
                    "probes",
                    models.PositiveIntegerField(
                        default=0, help_text="How often the key was tried since."
                    ),
                ),
            ],
            options={
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_pause_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PolicyTrial",
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
                    "policy",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="trials",
                        to="reviews.riskpolicy",
                    ),
                ),
                (
                    "against",
                    models.ForeignKey(
                        help_text="Which was live then.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reviews.riskpolicy",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("begun_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("running", "Running"), ("done", "Done")],
                        default="running",
                        max_length=16,
                    ),
                ),
                (
                    "total",
                    models.PositiveIntegerField(
                        default=0, help_text="Cases with a rating."
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                (
                    "unread",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="Whose stored inputs this version cannot read.",
                    ),
                ),
                (
                    "last_case",
                    models.PositiveBigIntegerField(
                        default=0, help_text="Those up to this number are done."
                    ),
                ),
                ("counts", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ["-id"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_policytrial_due",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", "running")),
                        fields=("policy",),
                        name="one_running_trial_of_a_policy",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Subscription",
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
                (
                    "url",
                    models.CharField(
                        max_length=500,
                        validators=[reviews.models.fields.validate_address],
                    ),
                ),
                (
                    "secret",
                    compliance.security.encryption.EncryptedTextField(
                        help_text="Signs what is sent."
                    ),
                ),
                (
                    "connection",
                    models.ForeignKey(
                        blank=True,
                        help_text="Only cases of this connection; empty: all.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="subscriptions",
                        to="reviews.connection",
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Team",
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
                (
                    "members",
                    models.ManyToManyField(
                        blank=True, related_name="teams", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "connections",
                    models.ManyToManyField(
                        blank=True, related_name="teams", to="reviews.connection"
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="WebhookSecret",
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
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhook_secrets",
                        to="reviews.connection",
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("secret", compliance.security.encryption.EncryptedTextField()),
                (
                    "active_until",
                    models.DateTimeField(
                        blank=True, help_text="Empty: no end.", null=True
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("connection", "name"), name="one_secret_per_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Case",
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
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases",
                        to="reviews.connection",
                    ),
                ),
                (
                    "agent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases",
                        to="reviews.agent",
                    ),
                ),
                ("reference", models.CharField(max_length=255)),
                (
                    "kind",
                    models.CharField(
                        choices=[("kyb", "Business"), ("kyc", "Individual")],
                        max_length=3,
                    ),
                ),
                (
                    "subject",
                    compliance.security.personal_fields.PersonalTextField(
                        help_text="The name under review.", max_length=400
                    ),
                ),
                ("country", models.CharField(blank=True, max_length=2)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("checking", "Checks running"),
                            ("to_review", "To review"),
                            ("attention", "Needs attention"),
                            ("waiting", "Waiting for applicant"),
                            ("escalated", "Escalated"),
                            ("second", "Second approval"),
                            ("decided", "Decided"),
                        ],
                        default="checking",
                        max_length=16,
                    ),
                ),
                (
                    "self_attested_data",
                    compliance.security.personal_fields.PersonalJSONField(default=dict),
                ),
                (
                    "schema_extra",
                    compliance.security.personal_fields.PersonalJSONField(
                        blank=True,
                        default=dict,
                        help_text="Siblings of self_attested_data, kept as they came.",
                    ),
                ),
                (
                    "submitted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "analyst",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="cases",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "due_at",
                    models.DateTimeField(
                        default=reviews.models.fields.first_due,
                        help_text="When it should be decided.",
                    ),
                ),
                (
                    "review_on",
                    models.DateField(
                        blank=True,
                        editable=False,
                        help_text="When its next review is due.",
                        null=True,
                    ),
                ),
                ("snoozed_until", models.DateTimeField(blank=True, null=True)),
                ("recommendation", models.CharField(blank=True, max_length=64)),
                (
                    "recommendation_reasons",
                    compliance.security.personal_fields.PersonalJSONField(
                        blank=True,
                        default=list,
                        help_text="The service's words: why it does not recommend more.",
                    ),
                ),
                ("requirements_version", models.CharField(blank=True, max_length=100)),
                (
                    "risk",
                    models.PositiveIntegerField(
                        default=0, help_text="How many findings speak against it."
                    ),
                ),
                (
                    "severity",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "Sanctions hit"),
                            (2, "Failed check"),
                            (3, "Finding to review"),
                            (4, "Check without a result"),
                            (5, "No finding"),
                        ],
                        default=5,
                        help_text="The worst of its findings.",
                    ),
                ),
                (
                    "risk_band",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "Prohibited"),
                            (2, "High"),
                            (3, "Medium"),
                            (4, "Low"),
                            (5, "Not rated"),
                        ],
                        default=5,
                        help_text="How great its risk is.",
                    ),
                ),
                (
                    "alarm",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True,
                        default="",
                        help_text="Why a person must look at it again.",
                    ),
                ),
                (
                    "alarm_at",
                    models.DateTimeField(
                        blank=True, help_text="When the newest was raised.", null=True
                    ),
                ),
                (
                    "erased_at",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="When its personal data went.",
                        null=True,
                    ),
                ),
                (
                    "summary",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text='{"checks": [[id, verdict], …]}',
                    ),
                ),
                (
                    "first_finding",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True,
                        default="",
                        help_text="The first of the worst findings, in words.",
                    ),
                ),
                (
                    "procedure",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reviews.procedure",
                    ),
                ),
                (
                    "custom_fields",
                    compliance.security.personal_fields.PersonalJSONField(
                        blank=True, default=dict
                    ),
                ),
                (
                    "extra_columns",
                    compliance.security.personal_fields.PersonalJSONField(
                        blank=True,
                        default=dict,
                        help_text="Columns of its file that mean no member of a case, by their headers.",
                    ),
                ),
                (
                    "open_items",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="Items that hold the decision."
                    ),
                ),
                (
                    "data_key",
                    compliance.security.personal_fields.DataKeyField(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="compliance.datakey",
                    ),
                ),
                (
                    "tags",
                    models.ManyToManyField(
                        blank=True, related_name="cases", to="reviews.tag"
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "permissions": [
                    ("review_case", "Can mark checks reviewed, override and dismiss"),
                    ("decide_case", "Can decide, request information and escalate"),
                    (
                        "approve_case",
                        "Can give the second approval, and decide what was escalated",
                    ),
                    ("reopen_case", "Can reopen what was decided"),
                    ("note_case", "Can write notes, attach files and tag"),
                    ("export_case", "Can take the evidence pack"),
                    ("view_every_case", "Sees the cases of all teams"),
                    (
                        "view_payload_case",
                        "Sees raw payloads: what was sent, and webhooks as received",
                    ),
                ],
                "indexes": [
                    models.Index(fields=["status", "-id"], name="reviews_case_queue"),
                    models.Index(fields=["kind", "-id"], name="reviews_case_kind"),
                    models.Index(
                        fields=["status", "kind", "-id"], name="reviews_case_queue_kind"
                    ),
                    models.Index(
                        fields=["status", "due_at", "id"], name="reviews_case_due"
                    ),
                    models.Index(fields=["due_at", "id"], name="reviews_case_all_due"),
                    models.Index(
                        fields=["status", "severity", "due_at", "id"],
                        name="reviews_case_worst",
                    ),
                    models.Index(
                        fields=["severity", "due_at", "id"],
                        name="reviews_case_all_worst",
                    ),
                    models.Index(
                        fields=["status", "risk_band", "due_at", "id"],
                        name="reviews_case_band",
                    ),
                    models.Index(
                        fields=["risk_band", "due_at", "id"],
                        name="reviews_case_all_band",
                    ),
                    models.Index(
                        fields=["analyst", "status", "due_at", "id"],
                        name="reviews_case_analyst",
                    ),
                    models.Index(
                        condition=models.Q(("review_on__isnull", False)),
                        fields=["review_on"],
                        name="reviews_case_review_on",
                    ),
                    models.Index(
                        condition=models.Q(("snoozed_until__isnull", False)),
                        fields=["snoozed_until"],
                        name="reviews_case_snoozed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("connection", "reference"),
                        name="one_case_per_reference",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CaseImport",
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
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imports",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imports",
                        to="reviews.agent",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("checked", "Waits for you"),
                            ("running", "Under way"),
                            ("done", "Done"),
                            ("failed", "Stopped"),
                        ],
                        default="checked",
                        max_length=16,
                    ),
                ),
                (
                    "file",
                    compliance.security.personal_fields.PersonalFileField(
                        blank=True, max_length=255, upload_to="imports/%Y/%m/"
                    ),
                ),
                (
                    "file_name",
                    compliance.security.personal_fields.PersonalTextField(
                        max_length=255
                    ),
                ),
                ("sha256", models.CharField(max_length=64)),
                (
                    "mapping",
                    models.JSONField(
                        default=list,
                        help_text="For each column a member of the case, or an empty text.",
                    ),
                ),
                (
                    "joins_rows",
                    models.BooleanField(
                        default=False, help_text="The rows of one id become one case."
                    ),
                ),
                (
                    "total",
                    models.PositiveIntegerField(default=0, help_text="Of its records."),
                ),
                (
                    "done",
                    models.PositiveIntegerField(
                        default=0, help_text="So many from the front."
                    ),
                ),
                ("error", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_caseimport_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Clock",
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
                (
                    "minutes",
                    models.PositiveIntegerField(
                        help_text="From the submission to the decision."
                    ),
                ),
                (
                    "agent",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: any.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="reviews.agent",
                    ),
                ),
                (
                    "risk",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="For cases with at least so many findings against them.",
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="FourEyesRule",
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
                (
                    "condition",
                    models.CharField(
                        choices=[
                            ("always", "Always"),
                            ("against", "Against the agent's recommendation"),
                            (
                                "risks",
                                "RISK indicators, at least as many as the threshold",
                            ),
                            ("high_risk", "A document was found to be of high risk"),
                            ("overridden", "A check was overridden, or did not pass"),
                            ("unsupported", "The agent did not recommend it"),
                            (
                                "reasons",
                                "The agent gave reasons with its recommendation",
                            ),
                            ("unexamined", "No document and no list was examined"),
                        ],
                        max_length=12,
                    ),
                ),
                ("threshold", models.PositiveIntegerField(default=1)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("approve", "Approve"), ("reject", "Reject")],
                        help_text="Empty: both.",
                        max_length=12,
                    ),
                ),
                (
                    "agent",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: any.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="reviews.agent",
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="SavedView",
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
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_views",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_views",
                        to="reviews.team",
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("query", models.CharField(max_length=500)),
            ],
            options={
                "ordering": ["name", "id"],
            },
        ),
        migrations.CreateModel(
            name="CaseEvent",
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
                    "case",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="reviews.case",
                    ),
                ),
                (
                    "at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False
                    ),
                ),
                (
                    "actor",
                    models.CharField(
                        choices=[
                            ("person", "Person"),
                            ("agent", "Agent"),
                            ("system", "System"),
                            ("applicant", "Applicant"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.CharField(
                        blank=True,
                        help_text="The user's name at that time.",
                        max_length=150,
                    ),
                ),
                ("what", models.CharField(max_length=64)),
                ("data", models.JSONField(blank=True, default=dict)),
                (
                    "personal",
                    compliance.security.personal_fields.PersonalJSONField(
                        blank=True, default=dict, editable=False
                    ),
                ),
                (
                    "personal_sha256",
                    models.CharField(
                        blank=True,
                        default="",
                        editable=False,
                        help_text="HMAC of `personal`; empty: there is none.",
                        max_length=64,
                    ),
                ),
                (
                    "bindings",
                    models.JSONField(
                        blank=True,
                        default=list,
                        editable=False,
                        help_text="The hashes of the rows that it is about.",
                    ),
                ),
                (
                    "mac",
                    models.CharField(
                        blank=True,
                        editable=False,
                        help_text="Shows that the desk wrote this line.",
                        max_length=64,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("actor", "person"), ("user__isnull", True), _connector="OR"
                        ),
                        name="only_people_are_users",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CaseParty",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="case_parties",
                        to="reviews.case",
                    ),
                ),
                (
                    "party",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="case_parties",
                        to="reviews.party",
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("subject", "Subject"),
                            ("owner", "Owner"),
                            ("controller", "Controller"),
                            ("director", "Director"),
                            ("signatory", "Signatory"),
                            ("relative", "Relative"),
                            ("associate", "Associate"),
                            ("owned", "Owned by another party"),
                        ],
                        max_length=10,
                    ),
                ),
                ("place", models.CharField(max_length=160)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "party of a case",
                "verbose_name_plural": "parties of cases",
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("case", "place"), name="one_party_at_a_place"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CaseRating",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="reviews.case",
                    ),
                ),
                (
                    "policy",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reviews.riskpolicy",
                    ),
                ),
                (
                    "inputs",
                    compliance.security.personal_fields.PersonalJSONField(
                        default=dict,
                        help_text="Of each factor its values and where they were read.",
                    ),
                ),
                ("score", models.PositiveSmallIntegerField(help_text="0 to 100.")),
                (
                    "band",
                    models.CharField(
                        choices=[
                            ("low", "Low"),
                            ("medium", "Medium"),
                            ("high", "High"),
                            ("prohibited", "Prohibited"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "result",
                    compliance.security.personal_fields.PersonalJSONField(
                        default=dict,
                        help_text="The contributions, overrides and unknown factors.",
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["-at"], name="reviews_caserating_at")],
            },
        ),
        migrations.CreateModel(
            name="ChecklistMark",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checklist_marks",
                        to="reviews.case",
                    ),
                ),
                (
                    "item",
                    models.CharField(
                        help_text="Its key in the procedure.", max_length=60
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("ticked", "Ticked"), ("explained", "Explained")],
                        max_length=12,
                    ),
                ),
                (
                    "note",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True, default=""
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("case", "item"), name="one_mark_of_an_item"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Decision",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to="reviews.case",
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("approve", "Approve"),
                            ("reject", "Reject"),
                            ("request", "Request information"),
                            ("escalate", "Escalate"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("proposed", "Waits for a second person"),
                            ("standing", "Stands"),
                            ("returned", "Sent back"),
                            ("reopened", "Reopened"),
                        ],
                        max_length=16,
                    ),
                ),
                ("reasons", models.JSONField(default=list)),
                ("rationale", compliance.security.personal_fields.PersonalTextField()),
                (
                    "recommendation",
                    models.CharField(
                        blank=True, help_text="The agent's, then.", max_length=64
                    ),
                ),
                ("needs_second", models.BooleanField(default=False)),
                (
                    "why_second",
                    models.JSONField(
                        default=list, help_text="The rules that asked for a second."
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "second_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seconded",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("second_at", models.DateTimeField(null=True)),
                (
                    "second_note",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True, default=""
                    ),
                ),
                (
                    "reopened_for",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True, default="", help_text="Why it was reopened."
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["-made_at"], name="reviews_decision_made")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("second_by__isnull", True),
                            models.Q(("second_by", models.F("made_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="maker_is_never_checker",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "standing"), _negated=True),
                            ("needs_second", False),
                            ("second_by__isnull", False),
                            _connector="OR",
                        ),
                        name="two_where_two_are_needed",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("outcome__in", ["approve", "reject"]),
                            ("status__in", ["proposed", "standing"]),
                        ),
                        fields=("case",),
                        name="one_decision_at_a_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Dismissal",
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
                ("key", models.CharField(db_index=True, max_length=64)),
                (
                    "title",
                    compliance.security.personal_fields.PersonalTextField(
                        max_length=300
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="dismissals",
                        to="reviews.case",
                    ),
                ),
                ("reason", compliance.security.personal_fields.PersonalTextField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "until",
                    models.DateTimeField(
                        blank=True,
                        help_text="Empty: until it is taken back.",
                        null=True,
                    ),
                ),
                ("taken_back_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="dismissed_with_a_reason",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("taken_back_at__isnull", True)),
                        fields=("key", "case"),
                        name="one_dismissal_of_a_finding",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Erasure",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="erasures",
                        to="reviews.case",
                    ),
                ),
                (
                    "rule",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="erasures",
                        to="reviews.retentionrule",
                    ),
                ),
                ("rule_name", models.CharField(blank=True, max_length=160)),
                (
                    "reason",
                    models.TextField(
                        blank=True,
                        help_text="Such as the number of the request; without a name.",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("planned_at", models.DateTimeField(auto_now_add=True)),
                ("needs_second", models.BooleanField(default=False)),
                (
                    "second_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("second_at", models.DateTimeField(null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("planned", "Planned"),
                            ("running", "Erased here, the service is asked"),
                            ("done", "Done"),
                            ("refused", "Refused"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="planned",
                        max_length=16,
                    ),
                ),
                (
                    "refusal",
                    models.TextField(
                        blank=True, help_text="Why it was refused or withdrawn."
                    ),
                ),
                ("erased_at", models.DateTimeField(null=True)),
                ("counts", models.JSONField(blank=True, default=dict)),
                ("remains", models.JSONField(blank=True, default=list)),
                (
                    "service",
                    models.TextField(
                        blank=True, help_text="What became of it at the service."
                    ),
                ),
                ("waits_for", models.TextField(blank=True)),
                ("done_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-id"],
                "permissions": [
                    (
                        "confirm_erasure",
                        "Can confirm the erasure that somebody else planned",
                    )
                ],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_erasure_due",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("second_by__isnull", True),
                            ("by__isnull", True),
                            models.Q(("second_by", models.F("by")), _negated=True),
                            _connector="OR",
                        ),
                        name="erasure_by_two_people",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status__in", ["planned", "running"])),
                        fields=("case",),
                        name="one_erasure_at_a_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Identifier",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="identifiers",
                        to="reviews.case",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("name", "Same name"),
                            ("number", "Same number"),
                            ("address", "Same address"),
                        ],
                        max_length=8,
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["digest", "-case"], name="reviews_identifier_same"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("case", "kind", "digest"),
                        name="one_identifier_of_a_kind",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportedRow",
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
                        related_name="rows",
                        to="reviews.caseimport",
                    ),
                ),
                ("line", models.PositiveIntegerField()),
                ("reference", models.CharField(blank=True, max_length=255)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("opened", "Opened"),
                            ("joined", "Joined"),
                            ("refused", "Refused"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imported_rows",
                        to="reviews.case",
                    ),
                ),
                ("error", models.TextField(blank=True)),
            ],
            options={
                "ordering": ["line"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("source", "line"), name="one_outcome_of_each_line"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="InformationRequest",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="requests",
                        to="reviews.case",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "Waits for the applicant"),
                            ("answered", "Answered"),
                            ("expired", "Expired"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="open",
                        max_length=16,
                    ),
                ),
                (
                    "message",
                    compliance.security.personal_fields.PersonalTextField(
                        help_text="Shown to the applicant."
                    ),
                ),
                (
                    "kinds",
                    models.JSONField(
                        default=list, help_text="The kinds of documents asked for."
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                (
                    "answer",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True, default="", help_text="What the applicant wrote."
                    ),
                ),
                ("answered_at", models.DateTimeField(null=True)),
                (
                    "draft",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True,
                        default="",
                        help_text="What the applicant has typed and not sent.",
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
                        name="reviews_informationrequest_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
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
                        related_name="invitations",
                        to="reviews.agent",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "Waits for the applicant"),
                            ("submitted", "Submitted"),
                            ("expired", "Expired"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="open",
                        max_length=16,
                    ),
                ),
                ("reference", models.CharField(blank=True, max_length=255)),
                (
                    "message",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True, default="", help_text="Shown to the applicant."
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("submitted_at", models.DateTimeField(null=True)),
                (
                    "submission",
                    models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
                ),
                (
                    "case",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="reviews.case",
                    ),
                ),
                (
                    "typed",
                    compliance.security.personal_fields.PersonalJSONField(
                        blank=True,
                        default=dict,
                        help_text="What was typed and not sent.",
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
                        name="reviews_invitation_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Job",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="jobs",
                        to="reviews.case",
                    ),
                ),
                (
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to="reviews.connection",
                    ),
                ),
                (
                    "agent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to="reviews.agent",
                    ),
                ),
                (
                    "remote_id",
                    models.CharField(
                        help_text="What the service calls it.", max_length=255
                    ),
                ),
                (
                    "check_id",
                    models.CharField(
                        blank=True,
                        help_text="The one check that it runs; empty: all of the agent.",
                        max_length=200,
                    ),
                ),
                (
                    "sent",
                    compliance.security.personal_fields.PersonalJSONField(
                        blank=True,
                        default=dict,
                        help_text="What the service was asked, but for keys and tokens.",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "Waiting to be sent"),
                            ("running", "Running"),
                            ("complete", "Complete"),
                            ("failed", "Failed"),
                        ],
                        default="queued",
                        max_length=16,
                    ),
                ),
                ("recommendation", models.CharField(blank=True, max_length=64)),
                (
                    "recommendation_reasons",
                    compliance.security.personal_fields.PersonalJSONField(
                        blank=True,
                        default=list,
                        help_text="The service's words: why it does not recommend more.",
                    ),
                ),
                ("requirements_version", models.CharField(blank=True, max_length=100)),
                (
                    "notice",
                    compliance.security.personal_fields.PersonalJSONField(
                        blank=True,
                        default=dict,
                        help_text="How a webhook says that it ended, if unconfirmed.",
                    ),
                ),
                (
                    "error",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True,
                        default="",
                        help_text="Why it failed, or what it waits for.",
                    ),
                ),
                (
                    "tries",
                    models.PositiveIntegerField(
                        default=0, help_text="Calls in a row that failed."
                    ),
                ),
                (
                    "has_results",
                    models.BooleanField(
                        default=False,
                        help_text="The results were fetched after the job ended.",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-created_at"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_job_due",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("connection", "remote_id"), name="one_job_per_remote_id"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LegalHold",
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
                    "case",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="holds",
                        to="reviews.case",
                    ),
                ),
                (
                    "reference",
                    models.CharField(blank=True, db_index=True, max_length=255),
                ),
                (
                    "reason",
                    models.TextField(help_text="Why, without a name of the subject."),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "until",
                    models.DateTimeField(
                        help_text="Empty: until it is lifted.", null=True
                    ),
                ),
                (
                    "lifted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("lifted_at", models.DateTimeField(null=True)),
                ("lifted_reason", models.TextField(blank=True)),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("case__isnull", False),
                            models.Q(("reference", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="hold_of_a_case",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="hold_with_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Note",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notes",
                        to="reviews.case",
                    ),
                ),
                ("text", compliance.security.personal_fields.PersonalTextField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("edited_at", models.DateTimeField(null=True)),
                (
                    "mentions",
                    models.ManyToManyField(
                        blank=True,
                        related_name="mentioned_in",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Notification",
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
                    "to",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notifications",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notifications",
                        to="reviews.case",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("mention", "mentioned you in a note"),
                            ("assigned", "assigned the case to you"),
                            ("escalated", "escalated the case"),
                            ("second", "asks for a second approval"),
                            ("sent_back", "sent your decision back"),
                            ("answer", "answered the request"),
                            ("alarm", "came after your decision"),
                            ("due_soon", "is due within the hour"),
                            ("overdue", "is overdue"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False
                    ),
                ),
                ("read_at", models.DateTimeField(null=True)),
                (
                    "mail",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="lines",
                        to="reviews.noticemail",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("read_at", None)),
                        fields=("to", "case", "kind"),
                        name="one_unread_notification",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Presence",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="presences",
                        to="reviews.case",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("since", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("case", "user"), name="one_presence_per_person"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingOverride",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rating_overrides",
                        to="reviews.case",
                    ),
                ),
                (
                    "was",
                    models.CharField(
                        choices=[
                            ("low", "Low"),
                            ("medium", "Medium"),
                            ("high", "High"),
                            ("prohibited", "Prohibited"),
                        ],
                        help_text="The band by the policy, then.",
                        max_length=12,
                    ),
                ),
                (
                    "band",
                    models.CharField(
                        choices=[
                            ("low", "Low"),
                            ("medium", "Medium"),
                            ("high", "High"),
                            ("prohibited", "Prohibited"),
                        ],
                        max_length=12,
                    ),
                ),
                ("reason", compliance.security.personal_fields.PersonalTextField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("proposed", "Waits for a second person"),
                            ("standing", "Stands"),
                            ("refused", "Refused"),
                            ("ended", "Ended"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("needs_second", models.BooleanField(default=False)),
                (
                    "second_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("second_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="rated_otherwise_with_a_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("second_by__isnull", True),
                            models.Q(("second_by", models.F("made_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="override_by_two_people",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "standing"), _negated=True),
                            ("needs_second", False),
                            ("second_by__isnull", False),
                            _connector="OR",
                        ),
                        name="override_with_its_second",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status__in", ["proposed", "standing"])),
                        fields=("case",),
                        name="one_override_at_a_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Read",
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
                    "at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.CharField(
                        help_text="The user's name at that time.", max_length=150
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("case", "Case"),
                            ("document", "Page of a document"),
                            ("original", "Original file"),
                            ("copy", "Safe copy of a file"),
                            ("attachment", "File of a note"),
                            ("job", "Job"),
                            ("report", "Report"),
                            ("evidence", "Evidence pack"),
                            ("export", "Export for the subject"),
                            ("interface", "REST interface"),
                            ("party", "Party"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "item",
                    models.CharField(
                        help_text="Its key; of a page of a document with the number.",
                        max_length=200,
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="reviews.case",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["at", "id"], name="read_by_time")],
            },
        ),
        migrations.CreateModel(
            name="TrialChange",
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
                    "trial",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="reviews.policytrial",
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="reviews.case",
                    ),
                ),
                (
                    "band",
                    models.CharField(
                        choices=[
                            ("low", "Low"),
                            ("medium", "Medium"),
                            ("high", "High"),
                            ("prohibited", "Prohibited"),
                        ],
                        max_length=12,
                    ),
                ),
                ("score", models.PositiveSmallIntegerField()),
                (
                    "new_band",
                    models.CharField(
                        choices=[
                            ("low", "Low"),
                            ("medium", "Medium"),
                            ("high", "High"),
                            ("prohibited", "Prohibited"),
                        ],
                        max_length=12,
                    ),
                ),
                ("new_score", models.PositiveSmallIntegerField()),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("trial", "case"), name="one_change_of_a_case_in_a_trial"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Announcement",
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
                    "subscription",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="announcements",
                        to="reviews.subscription",
                    ),
                ),
                (
                    "decision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="announcements",
                        to="reviews.decision",
                    ),
                ),
                ("body", compliance.security.personal_fields.PersonalBytesField()),
            ],
            options={
                "ordering": ["-created_at"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_announcement_due",
                    ),
                    models.Index(
                        condition=models.Q(("status", "dead")),
                        fields=["-created_at"],
                        name="reviews_announcement_dead",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Attachment",
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
                    "note",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attachments",
                        to="reviews.note",
                    ),
                ),
                (
                    "file",
                    compliance.security.personal_fields.PersonalFileField(
                        max_length=255, upload_to="attachments/%Y/%m/"
                    ),
                ),
                (
                    "file_name",
                    compliance.security.personal_fields.PersonalTextField(
                        max_length=255
                    ),
                ),
                ("size", models.PositiveBigIntegerField()),
                ("sha256", models.CharField(max_length=64)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="CheckResult",
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
                        related_name="check_results",
                        to="reviews.job",
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("tool", "Tool webhook"),
                            ("check", "Check result of the job"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "check_id",
                    models.CharField(
                        help_text="A check's id, or a tool's.", max_length=200
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=255)),
                ("status", models.CharField(blank=True, max_length=40)),
                ("passed", models.BooleanField(null=True)),
                (
                    "body",
                    compliance.security.personal_fields.PersonalJSONField(
                        help_text="`results` of a tool webhook, or the check result, verbatim."
                    ),
                ),
                (
                    "confirmation",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Not asked: kept before results were confirmed"),
                            ("live", "Came by webhook while the job runs"),
                            (
                                "waiting",
                                "Came by webhook after the job ended; the service is asked",
                            ),
                            ("confirmed", "The service confirms it"),
                            ("absent", "The service does not confirm it"),
                            ("unavailable", "The service's own record cannot tell"),
                        ],
                        default="",
                        max_length=12,
                    ),
                ),
                (
                    "rank",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="Its worst verdict, as a place in results.SEVERITY: 0 is the worst.",
                    ),
                ),
                ("received_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("job", "source", "check_id", "subject"),
                        name="one_result_per_subject",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CheckReview",
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
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reviews",
                        to="reviews.job",
                    ),
                ),
                ("check_id", models.CharField(max_length=255)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("reviewed", "Reviewed"),
                            ("overridden", "Overridden"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "reason",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True, default=""
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("job", "check_id"), name="one_review_per_check"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "overridden"), _negated=True),
                            models.Q(("reason", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="overridden_with_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Document",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="documents",
                        to="reviews.case",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("incorporation_documents", "Incorporation document"),
                            ("business_ownership_documents", "Ownership document"),
                            ("proof_of_address_documents", "Proof of address"),
                            ("source_of_funds_documents", "Source of funds"),
                            ("ein_documents", "EIN letter"),
                            ("promo_marketing_documents", "Marketing material"),
                            ("front_image_url", "ID, front"),
                            ("back_image_url", "ID, back"),
                            ("face_match_image_url", "Selfie"),
                        ],
                        max_length=40,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Being drawn"),
                            ("drawn", "Drawn"),
                            ("unreadable", "Cannot be shown"),
                        ],
                        default="pending",
                        max_length=16,
                    ),
                ),
                (
                    "reason",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True,
                        default="",
                        help_text="Why it cannot be shown.",
                        max_length=200,
                    ),
                ),
                (
                    "file",
                    compliance.security.personal_fields.PersonalFileField(
                        blank=True, max_length=255, upload_to="originals/%Y/%m/"
                    ),
                ),
                (
                    "file_name",
                    compliance.security.personal_fields.PersonalTextField(
                        max_length=255
                    ),
                ),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("sha256", models.CharField(blank=True, db_index=True, max_length=64)),
                (
                    "source_url",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True,
                        default="",
                        help_text="The address of the document, in a case imported from a service.",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "request",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        help_text="The request that it answers.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="documents",
                        to="reviews.informationrequest",
                    ),
                ),
                (
                    "links_after",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="Links to it that were made before have ended.",
                        null=True,
                    ),
                ),
            ],
            options={
                "ordering": ["created_at", "id"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_document_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DraftFile",
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
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draft_files",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "request",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draft_files",
                        to="reviews.informationrequest",
                    ),
                ),
                (
                    "invitation",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draft_files",
                        to="reviews.invitation",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("kept", "Kept")], default="kept", max_length=16
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("incorporation_documents", "Incorporation document"),
                            ("business_ownership_documents", "Ownership document"),
                            ("proof_of_address_documents", "Proof of address"),
                            ("source_of_funds_documents", "Source of funds"),
                            ("ein_documents", "EIN letter"),
                            ("promo_marketing_documents", "Marketing material"),
                            ("front_image_url", "ID, front"),
                            ("back_image_url", "ID, back"),
                            ("face_match_image_url", "Selfie"),
                        ],
                        max_length=40,
                    ),
                ),
                (
                    "file",
                    compliance.security.personal_fields.PersonalFileField(
                        max_length=255, upload_to="drafts/%Y/%m/"
                    ),
                ),
                (
                    "file_name",
                    compliance.security.personal_fields.PersonalTextField(
                        max_length=255
                    ),
                ),
                ("size", models.PositiveBigIntegerField(help_text="Bytes.")),
                ("sha256", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["created_at", "id"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_draftfile_due",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("user__isnull", False),
                                ("request__isnull", False),
                                ("invitation__isnull", False),
                                _connector="XOR",
                            ),
                            models.Q(
                                ("invitation__isnull", False),
                                ("request__isnull", False),
                                ("user__isnull", False),
                                _negated=True,
                            ),
                        ),
                        name="draft_file_has_one_owner",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PartyRelation",
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
                    "holder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="holds",
                        to="reviews.caseparty",
                    ),
                ),
                (
                    "held",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="held_by",
                        to="reviews.caseparty",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("owner", "Owner"),
                            ("controller", "Controller"),
                            ("director", "Director"),
                            ("signatory", "Signatory"),
                            ("relative", "Relative"),
                            ("associate", "Associate"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "share_min",
                    models.DecimalField(
                        blank=True, decimal_places=6, max_digits=9, null=True
                    ),
                ),
                (
                    "share_max",
                    models.DecimalField(
                        blank=True, decimal_places=6, max_digits=9, null=True
                    ),
                ),
                (
                    "votes_min",
                    models.DecimalField(
                        blank=True, decimal_places=6, max_digits=9, null=True
                    ),
                ),
                (
                    "votes_max",
                    models.DecimalField(
                        blank=True, decimal_places=6, max_digits=9, null=True
                    ),
                ),
                (
                    "detail",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True,
                        default="",
                        help_text="In words, as it was stated.",
                        max_length=400,
                    ),
                ),
                ("since", models.DateField(blank=True, null=True)),
                ("until", models.DateField(blank=True, null=True)),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("attested", "Attested data of the case"),
                            ("analyst", "Analyst"),
                            ("file", "File of relations"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("learnt_at", models.DateTimeField(auto_now_add=True)),
                ("replaced_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "relation of parties",
                "verbose_name_plural": "relations of parties",
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("holder", models.F("held")), _negated=True),
                        name="relation_of_two",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("share_min__isnull", True),
                            models.Q(
                                ("share_max__gte", models.F("share_min")),
                                ("share_max__lte", 100),
                                ("share_min__gte", 0),
                            ),
                            _connector="OR",
                        ),
                        name="share_of_a_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("votes_min__isnull", True),
                            models.Q(
                                ("votes_max__gte", models.F("votes_min")),
                                ("votes_max__lte", 100),
                                ("votes_min__gte", 0),
                            ),
                            _connector="OR",
                        ),
                        name="votes_of_a_whole",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PartyStatement",
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
                    "case_party",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="statements",
                        to="reviews.caseparty",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("name", "Name"),
                            ("identifier", "Identifier"),
                            ("fact", "Fact"),
                        ],
                        max_length=10,
                    ),
                ),
                ("label", models.CharField(max_length=40)),
                (
                    "value",
                    compliance.security.personal_fields.PersonalTextField(
                        max_length=400
                    ),
                ),
                (
                    "issuer",
                    models.CharField(
                        blank=True,
                        help_text="The country that issued a number.",
                        max_length=2,
                    ),
                ),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("since", models.DateField(blank=True, null=True)),
                ("until", models.DateField(blank=True, null=True)),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("attested", "Attested data of the case"),
                            ("analyst", "Analyst"),
                            ("file", "File of relations"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("learnt_at", models.DateTimeField(auto_now_add=True)),
                ("replaced_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "statement of a party",
                "verbose_name_plural": "statements of parties",
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("digest", ""), _negated=True),
                        fields=["digest"],
                        name="reviews_party_same",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PeriodicReview",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="periodic_reviews",
                        to="reviews.case",
                    ),
                ),
                (
                    "decision",
                    models.OneToOneField(
                        help_text="The approval that it counts from.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="periodic_review",
                        to="reviews.decision",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "Waits for its date"),
                            ("opened", "Has opened a case"),
                            ("ended", "No longer needed"),
                        ],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                (
                    "on",
                    models.DateField(help_text="Empty: not computed yet.", null=True),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("band", "Interval of the risk band"),
                            ("document", "A document expires"),
                            ("relation", "The relations of a party changed"),
                            ("alarm", "An alarm about a party of the case"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "opened_case",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="review_of",
                        to="reviews.case",
                    ),
                ),
                ("opened_at", models.DateTimeField(null=True)),
                (
                    "changes",
                    compliance.security.personal_fields.PersonalJSONField(
                        default=list,
                        help_text="What happened between the approval and the opening.",
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
                        name="reviews_periodicreview_due",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", "waiting")),
                        fields=("case",),
                        name="one_waiting_review_of_a_case",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "opened"), _negated=True),
                            ("opened_case__isnull", False),
                            _connector="OR",
                        ),
                        name="opened_review_has_its_case",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingState",
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
                    "case",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="risk_rating",
                        to="reviews.case",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("waiting", "Waits for a change")],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                (
                    "rating",
                    models.ForeignKey(
                        help_text="The newest.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reviews.caserating",
                    ),
                ),
                ("score", models.PositiveSmallIntegerField(null=True)),
                (
                    "band",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("low", "Low"),
                            ("medium", "Medium"),
                            ("high", "High"),
                            ("prohibited", "Prohibited"),
                        ],
                        help_text="With what people say; empty: not rated yet.",
                        max_length=12,
                    ),
                ),
            ],
            options={
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_ratingstate_due",
                    ),
                    models.Index(
                        fields=["band", "-case"], name="reviews_ratingstate_band"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RequestMail",
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
                    "request",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mails",
                        to="reviews.informationrequest",
                    ),
                ),
                (
                    "invitation",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mails",
                        to="reviews.invitation",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("request", "Request"), ("reminder", "Reminder")],
                        max_length=8,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "Waits"),
                            ("sent", "Sent"),
                            ("dropped", "Not needed any more"),
                            ("failed", "Could not be sent"),
                        ],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                (
                    "address",
                    compliance.security.personal_fields.PersonalTextField(
                        max_length=254
                    ),
                ),
                ("sent_at", models.DateTimeField(null=True)),
                ("fault", models.CharField(blank=True, max_length=200)),
            ],
            options={
                "ordering": ["id"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_requestmail_due",
                    ),
                    models.Index(
                        condition=models.Q(("status", "failed")),
                        fields=["-id"],
                        name="reviews_mail_failed",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("request__isnull", False),
                            ("invitation__isnull", False),
                            _connector="XOR",
                        ),
                        name="request_mail_has_one_link",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Seal",
            fields=[
                (
                    "seq",
                    models.BigIntegerField(
                        help_text="Counts from 1, without gaps.",
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seal",
                        to="reviews.caseevent",
                    ),
                ),
                ("hash", models.CharField(max_length=64)),
            ],
            options={
                "ordering": ["seq"],
            },
        ),
        migrations.CreateModel(
            name="AnnouncementAttempt",
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
                ("took_ms", models.PositiveIntegerField()),
                (
                    "delivery",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attempts",
                        to="reviews.announcement",
                    ),
                ),
                (
                    "response",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True,
                        default="",
                        help_text="The first 2 KB of the answer.",
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
                        name="announcementattempt_answered_or_explained",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="FileScan",
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
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "Waits for the malware scanner"),
                            ("clean", "No malware found"),
                            ("quarantined", "In quarantine"),
                            ("released", "Released"),
                            ("removed", "Removed"),
                        ],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                (
                    "signature",
                    models.CharField(
                        blank=True, help_text="What the scanner found.", max_length=200
                    ),
                ),
                (
                    "scanner",
                    models.CharField(
                        blank=True,
                        help_text="Which scanner answered, by its own name.",
                        max_length=200,
                    ),
                ),
                ("scanned_at", models.DateTimeField(null=True)),
                (
                    "error",
                    models.CharField(
                        blank=True,
                        help_text="Why the scanner gave no answer yet.",
                        max_length=200,
                    ),
                ),
                (
                    "document",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="scan",
                        to="reviews.document",
                    ),
                ),
                (
                    "attachment",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="scan",
                        to="reviews.attachment",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(null=True)),
                (
                    "because",
                    models.TextField(
                        blank=True, help_text="The reason that the person gave."
                    ),
                ),
            ],
            options={
                "permissions": [
                    ("release_file", "Can release or remove files in quarantine")
                ],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_filescan_due",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("document__isnull", False),
                            ("attachment__isnull", False),
                            _connector="XOR",
                        ),
                        name="scan_is_of_one_file",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Page",
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
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pages",
                        to="reviews.document",
                    ),
                ),
                ("number", models.PositiveIntegerField(help_text="Counts from 1.")),
                (
                    "width",
                    models.PositiveIntegerField(help_text="Pixels of the image."),
                ),
                ("height", models.PositiveIntegerField()),
                (
                    "image",
                    compliance.security.personal_fields.PersonalFileField(
                        max_length=255, upload_to="pages/%Y/%m/"
                    ),
                ),
                (
                    "sha256",
                    models.CharField(
                        blank=True, help_text="Of the image.", max_length=64
                    ),
                ),
                (
                    "words",
                    compliance.security.personal_fields.PersonalJSONField(default=list),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("document", "number"), name="one_page_per_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RefusedDocument",
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
                    "request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refusals",
                        to="reviews.informationrequest",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refusals",
                        to="reviews.document",
                    ),
                ),
                (
                    "reason",
                    compliance.security.personal_fields.PersonalTextField(
                        help_text="Shown to the applicant.", max_length=500
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("request", "document"), name="one_refusal_in_a_request"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SearchText",
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
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="search_texts",
                        to="reviews.case",
                    ),
                ),
                (
                    "page",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="reviews.page",
                    ),
                ),
                ("text", models.TextField()),
                (
                    "reference",
                    models.CharField(blank=True, db_index=True, max_length=40),
                ),
                ("name", models.CharField(blank=True, db_index=True, max_length=40)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("page__isnull", True)),
                        fields=("case",),
                        name="one_search_text_per_case",
                    )
                ],
            },
        ),
        migrations.RunPython(index, unindex),
    ]
