"""Decisions of people, their marks on checks and findings, and the rules for decisions."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from compliance.db.states import Stateful
from compliance.languages import english
from compliance.security.personal_fields import PersonalJSONField, PersonalTextField


class Outcome(models.TextChoices):
    APPROVE = "approve", _("Approve")
    REJECT = "reject", _("Reject")
    REQUEST = "request", _("Request information")
    ESCALATE = "escalate", _("Escalate")


# The outcomes that close a case. The other ones pass it on to somebody else.
ENDING = (Outcome.APPROVE, Outcome.REJECT)


class ReasonCode(models.Model):
    """A reason that a decision may name. Administrators maintain the list."""

    class Claim(models.TextChoices):
        NOTHING = "", _("Nothing that the case could contradict")
        ALL_PASSED = "all_passed", _("Checks ran, and all of them passed")
        DOCUMENT = "document", _("The case has a document")
        MATCH = "match", _("A name stands on a list of sanctions")
        CONTRADICTED = (
            "contradicted",
            _("A check, or who overrode it, contradicts the attested data"),
        )

    code = models.CharField(max_length=12, unique=True)
    label = models.CharField(max_length=120)
    hint = models.CharField(max_length=120, blank=True)
    outcome = models.CharField(max_length=12, choices=Outcome.choices)
    claim = models.CharField(
        max_length=12, blank=True, choices=Claim, default=Claim.NOTHING,
        help_text="What the reason says of the case. Where that is not so, it is refused.",
    )  # fmt: skip
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["code"]

    def __str__(self) -> str:
        return f"{self.code} {self.label}"


class FourEyesRule(models.Model):
    """A four-eyes rule: when one person is not enough. One rule that holds asks for a second."""

    class Condition(models.TextChoices):
        ALWAYS = "always", _("Always")
        AGAINST = "against", _("Against the agent's recommendation")
        RISKS = "risks", _("RISK indicators, at least as many as the threshold")
        HIGH_RISK = "high_risk", _("A document was found to be of high risk")
        OVERRIDDEN = "overridden", _("A check was overridden, or did not pass")
        UNSUPPORTED = "unsupported", _("The agent did not recommend it")
        REASONS = "reasons", _("The agent gave reasons with its recommendation")
        UNEXAMINED = "unexamined", _("No document and no list was examined")

    name = models.CharField(max_length=80, unique=True)
    condition = models.CharField(max_length=12, choices=Condition.choices)
    threshold = models.PositiveIntegerField(default=1)
    outcome = models.CharField(
        max_length=12, blank=True, choices=[(o.value, o.label) for o in ENDING],
        help_text="Empty: both.",
    )  # fmt: skip
    agent = models.ForeignKey(
        "reviews.Agent", models.CASCADE, null=True, blank=True, help_text="Empty: any."
    )
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Decision(Stateful):
    """A decision about a case: the outcome, the reasons, and who agreed as second person."""

    class Status(models.TextChoices):
        PROPOSED = "proposed", _("Waits for a second person")
        STANDING = "standing", _("Stands")
        RETURNED = "returned", _("Sent back")
        REOPENED = "reopened", _("Reopened")

    FLOW = {
        Status.PROPOSED: {Status.STANDING, Status.RETURNED},
        Status.STANDING: {Status.REOPENED},
    }

    case = models.ForeignKey("reviews.Case", models.PROTECT, related_name="decisions")
    outcome = models.CharField(max_length=12, choices=Outcome.choices)
    status = models.CharField(max_length=16, choices=Status.choices)
    # The codes and labels at that time, as labels may change: [[code, label], …]
    reasons = models.JSONField(default=list)
    rationale = PersonalTextField()
    recommendation = models.CharField(
        max_length=64, blank=True, help_text="The agent's, then."
    )
    needs_second = models.BooleanField(default=False)
    why_second = models.JSONField(
        default=list, help_text="The rules that asked for a second."
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="decisions",
        help_text="Empty: approved automatically, by the decision policy.",
    )
    made_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="When the case was due, then. Empty: as the case is.",
    )
    second_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="seconded"
    )
    second_at = models.DateTimeField(null=True)
    second_note = PersonalTextField(default="", blank=True)
    reopened_for = PersonalTextField(
        default="", blank=True, help_text="Why it was reopened."
    )
    bulk = models.ForeignKey(
        "reviews.BulkApproval",
        models.PROTECT,
        null=True,
        editable=False,
        related_name="decisions",
        help_text="Made together with many others; empty: by itself.",
    )
    policy = models.ForeignKey(
        "reviews.DecisionPolicy",
        models.PROTECT,
        null=True,
        editable=False,
        related_name="decisions",
        help_text="Which decision policy was in force; empty: none.",
    )

    class Meta:
        ordering = ["-id"]
        # The constraints enforce in the database that nobody agrees to their own decision, that
        # a decision stands only with the second person it needs, and that a case has one
        # decision in force.
        indexes = [
            models.Index(fields=["-made_at"], name="reviews_decision_made"),
            # For the figures of a period: what became final in it, and what was reopened.
            models.Index(
                fields=["second_at"],
                condition=Q(second_at__isnull=False),
                name="reviews_decision_second",
            ),
            models.Index(
                fields=["updated_at"],
                condition=Q(status="reopened"),
                name="reviews_decision_reopened",
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(second_by__isnull=True) | ~Q(second_by=F("made_by")),
                name="maker_is_never_checker",
            ),
            models.CheckConstraint(
                condition=~Q(status="standing")
                | Q(needs_second=False)
                | Q(second_by__isnull=False),
                name="two_where_two_are_needed",
            ),
            models.CheckConstraint(
                condition=Q(made_by__isnull=False)
                | Q(policy__isnull=False, outcome="approve", needs_second=False),
                name="made_by_a_person_or_by_a_policy",
            ),
            models.UniqueConstraint(
                fields=["case"],
                condition=Q(
                    status__in=["proposed", "standing"],
                    outcome__in=["approve", "reject"],
                ),
                name="one_decision_at_a_time",
            ),
        ]

    @english()
    def __str__(self) -> str:
        return f"{self.get_outcome_display()}: {self.case}"

    @property
    def maker(self) -> str:
        """The name of who made it: a person, or the policy that approved automatically."""
        if self.made_by is None:
            return str(self.policy)
        return self.made_by.get_full_name() or self.made_by.get_username()

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()


class CheckReview(models.Model):
    """A person reviewed the result of a check: agreed, or overrode it with a reason."""

    class Kind(models.TextChoices):
        REVIEWED = "reviewed", _("Reviewed")
        OVERRIDDEN = "overridden", _("Overridden")

    # A review belongs to one job: results of a later run must be reviewed again.
    job = models.ForeignKey("reviews.Job", models.PROTECT, related_name="reviews")
    check_id = models.CharField(max_length=255)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    reason = PersonalTextField(default="", blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["job", "check_id"], name="one_review_per_check"
            ),
            models.CheckConstraint(
                condition=~Q(kind="overridden") | ~Q(reason=""),
                name="overridden_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.check_id}: {self.kind}"

    def data_key_id_for_personal(self) -> int:
        return self.job.data_key_id_for_personal()


class Dismissal(models.Model):
    """A finding that a person dismissed as irrelevant; it stays dismissed when it appears
    again.
    """

    # Identifies the finding across runs: see dismissals.key_of().
    key = models.CharField(max_length=64, db_index=True)
    title = PersonalTextField(max_length=300)
    case = models.ForeignKey("reviews.Case", models.PROTECT, related_name="dismissals")
    reason = PersonalTextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    until = models.DateTimeField(
        null=True, blank=True, help_text="Empty: until it is taken back."
    )
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(reason=""), name="dismissed_with_a_reason"
            ),
            models.UniqueConstraint(
                fields=["key", "case"],
                condition=Q(taken_back_at__isnull=True),
                name="one_dismissal_of_a_finding",
            ),
        ]

    def __str__(self) -> str:
        return str(self.title)

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()


class ValueChoice(models.Model):
    """The value of a field that a person chose among the candidates, typed, or corrected.

    What the service sent stays as it is. The choice stands beside it, until another one replaces
    it or it is taken back.
    """

    class Kind(models.TextChoices):
        FIRST = "first", _("The first candidate")
        OTHER = "other", _("Another candidate")
        NONE = "none", _("None of the candidates")
        ABSENT = "absent", _("The document states none")
        CORRECTED = "corrected", _("Corrected")

    # Identifies the field and what was offered: see values.choices.key_of().
    key = models.CharField(max_length=64, db_index=True)
    case = models.ForeignKey(
        "reviews.Case", models.PROTECT, related_name="value_choices"
    )
    job = models.ForeignKey("reviews.Job", models.PROTECT, related_name="value_choices")
    document = models.ForeignKey(
        "reviews.Document", models.PROTECT, null=True, related_name="value_choices"
    )
    tool_id = models.CharField(max_length=200, help_text="Which tool read the field.")
    field = models.CharField(max_length=120)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    candidates = models.PositiveSmallIntegerField(
        help_text="How many were offered; 0: the value had been given."
    )
    offered = PersonalJSONField(
        help_text="The candidates in their order, or the value that had been given."
    )
    value = PersonalTextField(
        blank=True, help_text="Empty: the document states no such value."
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(
        null=True, blank=True, help_text="Replaced or taken back. Empty: it stands."
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="absent", value="")
                | (~Q(kind="absent") & ~Q(value="")),
                name="chosen_with_a_value",
            ),
            models.CheckConstraint(
                condition=Q(kind="corrected", candidates=0)
                | (~Q(kind="corrected") & Q(candidates__gt=0)),
                name="chosen_among_candidates",
            ),
            models.UniqueConstraint(
                fields=["case", "key"],
                condition=Q(ended_at__isnull=True),
                name="one_choice_of_a_value",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.field}: {self.kind}"

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()


class FieldReading(models.Model):
    """How a field of a document was last read: given, or unsure. It counts, and names no value."""

    document = models.ForeignKey(
        "reviews.Document", models.CASCADE, related_name="field_readings"
    )
    field = models.CharField(max_length=120)
    candidates = models.PositiveSmallIntegerField(help_text="0: the value was given.")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["document", "field"], name="one_reading_of_a_field"
            )
        ]

    def __str__(self) -> str:
        return self.field
