import compliance.security.personal_fields
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0029_case_news"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ApprovalSwitch",
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
                    "status",
                    models.CharField(
                        choices=[("off", "Off"), ("on", "On")],
                        default="off",
                        max_length=16,
                    ),
                ),
            ],
            options={
                "verbose_name": "switch of approvals by itself",
                "permissions": [
                    (
                        "stop_approvalswitch",
                        "Can stop all approvals by themselves at once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DecisionTrial",
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
                ("total", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
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
            },
        ),
        migrations.AlterField(
            model_name="decision",
            name="made_by",
            field=models.ForeignKey(
                help_text="Empty: approved by itself, by the decision policy.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="decisions",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            name="AutomaticReview",
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
                        choices=[("waiting", "Waits for a change")],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                (
                    "case",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="automatic_review",
                        to="reviews.case",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Contradiction",
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
                    "outcome",
                    models.CharField(
                        choices=[
                            ("approve", "Approve"),
                            ("reject", "Reject"),
                            ("request", "Request information"),
                            ("escalate", "Escalate"),
                        ],
                        help_text="What people decided.",
                        max_length=12,
                    ),
                ),
                (
                    "reason",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True,
                        default="",
                        help_text="Why the version may go live all the same.",
                    ),
                ),
                ("acknowledged_at", models.DateTimeField(null=True)),
                (
                    "acknowledged_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reviews.case",
                    ),
                ),
                (
                    "decision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reviews.decision",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="DecisionPolicy",
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
                    "note",
                    models.CharField(
                        help_text="What is new in it, and why.", max_length=200
                    ),
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
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("live_at", models.DateTimeField(null=True)),
                ("number", models.PositiveIntegerField(unique=True)),
                ("content", models.JSONField(help_text='{"rules": […]}')),
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
                "verbose_name_plural": "decision policies",
                "ordering": ["number"],
            },
        ),
        migrations.AddField(
            model_name="decision",
            name="policy",
            field=models.ForeignKey(
                editable=False,
                help_text="Which decision policy was in force; empty: none.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="decisions",
                to="reviews.decisionpolicy",
            ),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("made_by__isnull", False),
                    models.Q(
                        ("needs_second", False),
                        ("outcome", "approve"),
                        ("policy__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="made_by_a_person_or_by_a_policy",
            ),
        ),
        migrations.AddField(
            model_name="decisiontrial",
            name="against",
            field=models.ForeignKey(
                help_text="Which was live then; empty: none.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="reviews.decisionpolicy",
            ),
        ),
        migrations.AddField(
            model_name="decisiontrial",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="decisiontrial",
            name="policy",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="trials",
                to="reviews.decisionpolicy",
            ),
        ),
        migrations.AddField(
            model_name="contradiction",
            name="trial",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="contradictions",
                to="reviews.decisiontrial",
            ),
        ),
        migrations.AddIndex(
            model_name="automaticreview",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)),
                fields=["due_at"],
                name="reviews_automaticreview_due",
            ),
        ),
        migrations.AddConstraint(
            model_name="decisionpolicy",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "live")),
                fields=("status",),
                name="one_live_decision_policy",
            ),
        ),
        migrations.AddIndex(
            model_name="decisiontrial",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)),
                fields=["due_at"],
                name="reviews_decisiontrial_due",
            ),
        ),
        migrations.AddConstraint(
            model_name="decisiontrial",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "running")),
                fields=("policy",),
                name="one_running_trial_of_a_decision_policy",
            ),
        ),
        migrations.AddConstraint(
            model_name="contradiction",
            constraint=models.UniqueConstraint(
                fields=("trial", "case"), name="one_contradiction_of_a_case_in_a_trial"
            ),
        ),
        migrations.AddConstraint(
            model_name="contradiction",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("acknowledged_by__isnull", True),
                    models.Q(("reason", ""), _negated=True),
                    _connector="OR",
                ),
                name="acknowledged_with_a_reason",
            ),
        ),
    ]
