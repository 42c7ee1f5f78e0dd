"""All migrations up to 0008_api_tokens in one: an installation that has none of them runs this alone."""

import compliance.security.encryption
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import reviews.models.fields
import uuid
from django.conf import settings
from django.db import migrations, models


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
    for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL:
        schema_editor.execute(statement)


def unindex(apps, schema_editor):
    kind = "TABLE" if schema_editor.connection.vendor == "sqlite" else "INDEX"
    schema_editor.execute(f"DROP {kind} reviews_search")


class Migration(migrations.Migration):
    replaces = [
        ("reviews", "0001_initial"),
        ("reviews", "0002_decisions_and_trail"),
        ("reviews", "0003_sign_earlier_lines"),
        ("reviews", "0004_queue"),
        ("reviews", "0005_decisions_by_day"),
        ("reviews", "0006_case_page"),
        ("reviews", "0007_identifiers_of_earlier_cases"),
        ("reviews", "0008_api_tokens"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Connection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                ("api_key", compliance.security.encryption.EncryptedTextField(blank=True)),
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
            ],
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
                (
                    "kind",
                    models.CharField(
                        choices=[("kyb", "Business"), ("kyc", "Individual")], max_length=3
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("agent_key", compliance.security.encryption.EncryptedTextField()),
                ("is_active", models.BooleanField(default=True)),
                (
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="agents",
                        to="reviews.connection",
                    ),
                ),
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
            name="ReasonCode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                ("is_active", models.BooleanField(default=True)),
            ],
            options={
                "ordering": ["code"],
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
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(help_text="Which system uses it.", max_length=80)),
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
                ("scopes", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        help_text="In whose name it acts.",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "API token",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Tag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40)),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("name"), name="one_tag_per_name"
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
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("reference", models.CharField(max_length=255)),
                (
                    "kind",
                    models.CharField(
                        choices=[("kyb", "Business"), ("kyc", "Individual")], max_length=3
                    ),
                ),
                ("subject", models.CharField(help_text="The name under review.", max_length=400)),
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
                ("self_attested_data", models.JSONField(default=dict)),
                (
                    "schema_extra",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Siblings of self_attested_data, kept as they came.",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "due_at",
                    models.DateTimeField(
                        default=reviews.models.fields.first_due,
                        help_text="When it should be decided.",
                    ),
                ),
                ("snoozed_until", models.DateTimeField(blank=True, null=True)),
                ("recommendation", models.CharField(blank=True, max_length=64)),
                (
                    "risk",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="Findings against it: RISK indicators and failed checks.",
                    ),
                ),
                (
                    "summary",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text='{"checks": [[id, verdict], …], "finding": text}',
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
                    "submitted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases",
                        to="reviews.connection",
                    ),
                ),
                (
                    "tags",
                    models.ManyToManyField(blank=True, related_name="cases", to="reviews.tag"),
                ),
            ],
            options={
                "ordering": ["-id"],
                "permissions": [
                    ("review_case", "Can mark checks reviewed, override and dismiss"),
                    ("decide_case", "Can decide, request information and escalate"),
                    ("approve_case", "Can give the second approval, and decide what was escalated"),
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
                    models.Index(fields=["status", "kind", "-id"], name="reviews_case_queue_kind"),
                    models.Index(fields=["status", "due_at", "id"], name="reviews_case_due"),
                    models.Index(fields=["due_at", "id"], name="reviews_case_all_due"),
                    models.Index(fields=["status", "-risk", "-id"], name="reviews_case_risk"),
                    models.Index(fields=["-risk", "-id"], name="reviews_case_all_risk"),
                    models.Index(
                        fields=["analyst", "status", "due_at", "id"], name="reviews_case_analyst"
                    ),
                    models.Index(
                        condition=models.Q(("snoozed_until__isnull", False)),
                        fields=["snoozed_until"],
                        name="reviews_case_snoozed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("connection", "reference"), name="one_case_per_reference"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CaseEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
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
                    "by",
                    models.CharField(
                        blank=True, help_text="The user's name at that time.", max_length=150
                    ),
                ),
                ("what", models.CharField(max_length=64)),
                ("data", models.JSONField(blank=True, default=dict)),
                (
                    "mac",
                    models.CharField(
                        blank=True,
                        editable=False,
                        help_text="Shows that the desk wrote this line.",
                        max_length=64,
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
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
            name="Chain",
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
                        choices=[("growing", "Growing")], default="growing", max_length=16
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
                    models.CharField(blank=True, help_text="Over seq and hash.", max_length=64),
                ),
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
            name="Clock",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80, unique=True)),
                (
                    "minutes",
                    models.PositiveIntegerField(help_text="From the submission to the decision."),
                ),
                (
                    "risk",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="For cases with at least so many findings against them.",
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
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
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
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
                ("rationale", models.TextField()),
                (
                    "recommendation",
                    models.CharField(blank=True, help_text="The agent's, then.", max_length=64),
                ),
                ("needs_second", models.BooleanField(default=False)),
                (
                    "why_second",
                    models.JSONField(default=list, help_text="The rules that asked for a second."),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("second_at", models.DateTimeField(null=True)),
                ("second_note", models.TextField(blank=True)),
                ("reopened_for", models.TextField(blank=True, help_text="Why it was reopened.")),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to="reviews.case",
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
                (
                    "second_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seconded",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["-made_at"], name="reviews_decision_made")],
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
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(db_index=True, max_length=64)),
                ("title", models.CharField(max_length=300)),
                ("reason", models.TextField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "until",
                    models.DateTimeField(
                        blank=True, help_text="Empty: until it is taken back.", null=True
                    ),
                ),
                ("taken_back_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
            name="Document",
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
                            ("incorporation_documents", "Incorporation document"),
                            ("business_ownership_documents", "Ownership document"),
                            ("proof_of_address_documents", "Proof of address"),
                            ("source_of_funds_documents", "Source of funds"),
                            ("ein_documents", "EIN letter"),
                            ("promo_marketing_documents", "Marketing material"),
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
                    models.CharField(
                        blank=True, help_text="Why it cannot be shown.", max_length=200
                    ),
                ),
                (
                    "file",
                    models.FileField(blank=True, max_length=255, upload_to="originals/%Y/%m/"),
                ),
                ("file_name", models.CharField(max_length=255)),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("sha256", models.CharField(blank=True, db_index=True, max_length=64)),
                (
                    "source_url",
                    models.TextField(
                        blank=True,
                        help_text="The address of the document, in a case imported from a service.",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="documents",
                        to="reviews.case",
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
            name="FourEyesRule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80, unique=True)),
                (
                    "condition",
                    models.CharField(
                        choices=[
                            ("always", "Always"),
                            ("against", "Against the agent's recommendation"),
                            ("risks", "RISK indicators, at least as many as the threshold"),
                            ("high_risk", "A document was found to be of high risk"),
                            ("overridden", "A failed check was overridden"),
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
                ("is_active", models.BooleanField(default=True)),
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
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Identifier",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="identifiers",
                        to="reviews.case",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["digest", "-case"], name="reviews_identifier_same")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("case", "kind", "digest"), name="one_identifier_of_a_kind"
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
                ("message", models.TextField(help_text="Shown to the applicant.")),
                (
                    "kinds",
                    models.JSONField(default=list, help_text="The kinds of documents asked for."),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("answer", models.TextField(blank=True, help_text="What the applicant wrote.")),
                ("answered_at", models.DateTimeField(null=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="requests",
                        to="reviews.case",
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
            name="Job",
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
                    "remote_id",
                    models.CharField(help_text="What the service calls it.", max_length=255),
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
                    models.JSONField(
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
                    "error",
                    models.TextField(blank=True, help_text="Why it failed, or what it waits for."),
                ),
                (
                    "tries",
                    models.PositiveIntegerField(default=0, help_text="Calls in a row that failed."),
                ),
                (
                    "has_results",
                    models.BooleanField(
                        default=False, help_text="The results were fetched after the job ended."
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
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
            name="CheckReview",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("check_id", models.CharField(max_length=255)),
                (
                    "kind",
                    models.CharField(
                        choices=[("reviewed", "Reviewed"), ("overridden", "Overridden")],
                        max_length=12,
                    ),
                ),
                ("reason", models.TextField(blank=True)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
            name="CheckResult",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[("tool", "Tool webhook"), ("check", "Check result of the job")],
                        max_length=8,
                    ),
                ),
                (
                    "check_id",
                    models.CharField(help_text="A check's id, or a tool's.", max_length=200),
                ),
                ("subject", models.CharField(blank=True, max_length=255)),
                ("status", models.CharField(blank=True, max_length=40)),
                ("passed", models.BooleanField(null=True)),
                (
                    "body",
                    models.JSONField(
                        help_text="`results` of a tool webhook, or the check result, verbatim."
                    ),
                ),
                ("received_at", models.DateTimeField(auto_now_add=True)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="check_results",
                        to="reviews.job",
                    ),
                ),
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
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("edited_at", models.DateTimeField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notes",
                        to=settings.AUTH_USER_MODEL,
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
                (
                    "mentions",
                    models.ManyToManyField(
                        blank=True, related_name="mentioned_in", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Attachment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("file", models.FileField(max_length=255, upload_to="attachments/%Y/%m/")),
                ("file_name", models.CharField(max_length=255)),
                ("size", models.PositiveBigIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                (
                    "note",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attachments",
                        to="reviews.note",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Page",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(help_text="Counts from 1.")),
                ("width", models.PositiveIntegerField(help_text="Pixels of the image.")),
                ("height", models.PositiveIntegerField()),
                ("image", models.FileField(max_length=255, upload_to="pages/%Y/%m/")),
                ("words", models.JSONField(default=list)),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pages",
                        to="reviews.document",
                    ),
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
            name="Presence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
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
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("case", "user"), name="one_presence_per_person")
                ],
            },
        ),
        migrations.CreateModel(
            name="Seal",
            fields=[
                (
                    "seq",
                    models.BigIntegerField(
                        help_text="Counts from 1, without gaps.", primary_key=True, serialize=False
                    ),
                ),
                ("hash", models.CharField(max_length=64)),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seal",
                        to="reviews.caseevent",
                    ),
                ),
            ],
            options={
                "ordering": ["seq"],
            },
        ),
        migrations.CreateModel(
            name="SearchText",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField()),
                ("reference", models.CharField(blank=True, db_index=True, max_length=40)),
                ("name", models.CharField(blank=True, db_index=True, max_length=40)),
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
                        null=True, on_delete=django.db.models.deletion.CASCADE, to="reviews.page"
                    ),
                ),
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
        migrations.CreateModel(
            name="Subscription",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80, unique=True)),
                (
                    "url",
                    models.CharField(
                        max_length=500, validators=[reviews.models.fields.validate_address]
                    ),
                ),
                (
                    "secret",
                    compliance.security.encryption.EncryptedTextField(
                        help_text="Signs what is sent."
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
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
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Announcement",
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
                ("url", models.TextField()),
                ("body", models.BinaryField()),
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
                    "decision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="announcements",
                        to="reviews.decision",
                    ),
                ),
                (
                    "subscription",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="announcements",
                        to="reviews.subscription",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="reviews_announcement_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Team",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80, unique=True)),
                (
                    "connections",
                    models.ManyToManyField(
                        blank=True, related_name="teams", to="reviews.connection"
                    ),
                ),
                (
                    "members",
                    models.ManyToManyField(
                        blank=True, related_name="teams", to=settings.AUTH_USER_MODEL
                    ),
                ),
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
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("query", models.CharField(max_length=500)),
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
            ],
            options={
                "ordering": ["name", "id"],
            },
        ),
        migrations.CreateModel(
            name="WebhookSecret",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("secret", compliance.security.encryption.EncryptedTextField()),
                (
                    "active_until",
                    models.DateTimeField(blank=True, help_text="Empty: no end.", null=True),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhook_secrets",
                        to="reviews.connection",
                    ),
                ),
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
            name="AnnouncementAttempt",
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
                        to="reviews.announcement",
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
            name="BulkAct",
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
                    models.JSONField(default=dict, help_text='{"analyst": id} or {"until": time}'),
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
                    models.JSONField(help_text="The ids, in the order in which they are done."),
                ),
                (
                    "done",
                    models.PositiveIntegerField(default=0, help_text="So many from the front."),
                ),
                ("refused", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bulk_acts",
                        to=settings.AUTH_USER_MODEL,
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
                        name="reviews_bulkact_due",
                    )
                ],
            },
        ),
        migrations.RunPython(index, unindex),
    ]
