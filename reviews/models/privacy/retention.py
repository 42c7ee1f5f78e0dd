"""Retention rules: how long cases are kept; and legal holds: which cases must be kept."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from compliance.work.rows import Work
from reviews.models.cases import Case
from reviews.models.decisions import ENDING
from reviews.models.service import Kind


class RetentionRule(Work):
    """How long cases of one kind and outcome are kept.

    An active rule is due once a day. It then plans the erasure of cases whose time is over.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waits for its day")

    class Clock(models.TextChoices):
        DECISION = "decision", _("The last decision")
        ACTIVITY = "activity", _("The last line of the trail about the case")

    # Cases without a decision, as a value of `outcome` beside the real ones.
    UNDECIDED = "none"
    FLOW = {Status.WAITING: set[str]()}

    name = models.CharField(max_length=80, unique=True)
    kind = models.CharField(
        max_length=3, choices=Kind.choices, blank=True, help_text="Empty: both."
    )
    outcome = models.CharField(
        max_length=12, blank=True,
        choices=[*[(o.value, o.label) for o in ENDING], (UNDECIDED, "Never decided")],
        help_text="Empty: every case that was decided.",
    )  # fmt: skip
    months = models.PositiveIntegerField(
        help_text="Cases are kept so many months from the clock on."
    )
    clock = models.CharField(
        max_length=12, choices=Clock.choices, default=Clock.DECISION
    )
    is_active = models.BooleanField(
        default=False, help_text="Only an active rule plans erasures."
    )
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.WAITING, editable=False
    )

    class Meta(Work.Meta):
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(months__gt=0), name="kept_a_month_at_least"
            ),
            models.CheckConstraint(
                condition=~Q(outcome="none") | Q(clock="activity"),
                name="undecided_by_activity",
                violation_error_message="A case without a decision has only the clock of its last activity.",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class LegalHold(models.Model):
    """A case must be kept, whatever a rule or a request demands."""

    case = models.ForeignKey(Case, models.PROTECT, null=True, related_name="holds")
    # Cases with this reference at all connections, including cases that do not exist yet.
    reference = models.CharField(max_length=255, blank=True, db_index=True)
    reason = models.TextField(help_text="Why, without a name of the subject.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    until = models.DateTimeField(null=True, help_text="Empty: until it is lifted.")
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    lifted_at = models.DateTimeField(null=True)
    lifted_reason = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(case__isnull=False) | ~Q(reference=""),
                name="hold_of_a_case",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="hold_with_a_reason"),
        ]

    def __str__(self) -> str:
        if self.case:
            name = self.case.reference
        else:
            name = self.reference
        return f"Hold of {name}"

    @classmethod
    def standing(cls) -> models.QuerySet[LegalHold]:
        """The holds in force now."""
        is_endless_or_later = Q(until=None) | Q(until__gt=now())
        return cls.objects.filter(is_endless_or_later, lifted_at=None)

    @classmethod
    def standing_of(cls, case: Case) -> models.QuerySet[LegalHold]:
        """The holds in force for a case: on the case, or on its reference."""
        return cls.standing().filter(Q(case=case) | Q(reference=case.reference))

    @property
    def stands(self) -> bool:
        if self.lifted_at is not None:
            return False
        return self.until is None or self.until > now()
