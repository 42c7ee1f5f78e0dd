import compliance.security.personal_fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0030_decision_policy"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="notification",
            name="kind",
            field=models.CharField(
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
                    ("look", "would have decided otherwise"),
                ],
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="read",
            name="kind",
            field=models.CharField(
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
                    ("look", "Second look"),
                ],
                max_length=12,
            ),
        ),
        migrations.CreateModel(
            name="SecondLook",
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
                    "share",
                    models.PositiveSmallIntegerField(
                        help_text="Percent of the decisions that were drawn then."
                    ),
                ),
                ("drawn_at", models.DateTimeField(auto_now_add=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "Waits for a person"),
                            ("taken", "Taken"),
                            ("given", "Given"),
                        ],
                        default="open",
                        max_length=16,
                    ),
                ),
                ("taken_at", models.DateTimeField(null=True)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("approve", "Approve"), ("reject", "Reject")],
                        max_length=12,
                    ),
                ),
                (
                    "rationale",
                    compliance.security.personal_fields.PersonalTextField(
                        blank=True, default=""
                    ),
                ),
                ("given_at", models.DateTimeField(null=True)),
                (
                    "by",
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
                        related_name="second_looks",
                        to="reviews.case",
                    ),
                ),
                (
                    "decision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="second_look",
                        to="reviews.decision",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "given"), _negated=True),
                            models.Q(
                                ("by__isnull", False),
                                models.Q(("outcome", ""), _negated=True),
                                models.Q(("rationale", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="given_by_somebody_with_a_rationale",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "open"), ("by__isnull", True)),
                            models.Q(
                                models.Q(("status", "open"), _negated=True),
                                ("by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="open_or_of_somebody",
                    ),
                ],
            },
        ),
    ]
