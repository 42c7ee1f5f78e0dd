"""Ratings of cases, each with its inputs and the policy that computed it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from compliance.db.states import Stateful
from compliance.languages import english
from compliance.security.personal_fields import PersonalJSONField, PersonalTextField
from compliance.work.rows import Work
from reviews.models.cases import Case
from reviews.models.risk.policies import RiskPolicy


class Band(models.TextChoices):
    LOW = "low", _("Low")
    MEDIUM = "medium", _("Medium")
    HIGH = "high", _("High")
    PROHIBITED = "prohibited", _("Prohibited")


class CaseRating(models.Model):
    """One rating. Rows never change: other inputs or another policy create a new rating."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="ratings")
    policy = models.ForeignKey(RiskPolicy, models.PROTECT, related_name="+")
    inputs = PersonalJSONField(
        default=dict, help_text="Of each factor its values and where they were read."
    )
    score = models.PositiveSmallIntegerField(help_text="0 to 100.")
    band = models.CharField(max_length=12, choices=Band.choices)
    result = PersonalJSONField(
        default=dict, help_text="The contributions, overrides and unknown factors."
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["-at"], name="reviews_caserating_at")]

    @english()
    def __str__(self) -> str:
        return f"{self.get_band_display()} ({self.score}) of {self.case_id}"

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()


class RatingOverride(Stateful):
    """A person rates a case differently from the policy, with a reason."""

    class Status(models.TextChoices):
        PROPOSED = "proposed", _("Waits for a second person")
        STANDING = "standing", _("Stands")
        REFUSED = "refused", _("Refused")
        ENDED = "ended", _("Ended")

    FLOW = {
        Status.PROPOSED: {Status.STANDING, Status.REFUSED, Status.ENDED},
        Status.STANDING: {Status.ENDED},
    }

    case = models.ForeignKey(Case, models.PROTECT, related_name="rating_overrides")
    was = models.CharField(
        max_length=12, choices=Band.choices, help_text="The band by the policy, then."
    )
    band = models.CharField(max_length=12, choices=Band.choices)
    reason = PersonalTextField()
    status = models.CharField(max_length=16, choices=Status.choices)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    needs_second = models.BooleanField(default=False)
    second_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    second_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        # An override needs a reason, and a second person other than its maker if it lowers the
        # band. A case has one override at a time.
        constraints = [
            models.CheckConstraint(
                condition=~Q(reason=""), name="rated_otherwise_with_a_reason"
            ),
            models.CheckConstraint(
                condition=Q(second_by__isnull=True) | ~Q(second_by=F("made_by")),
                name="override_by_two_people",
            ),
            models.CheckConstraint(
                condition=~Q(status="standing")
                | Q(needs_second=False)
                | Q(second_by__isnull=False),
                name="override_with_its_second",
            ),
            models.UniqueConstraint(
                fields=["case"],
                condition=Q(status__in=["proposed", "standing"]),
                name="one_override_at_a_time",
            ),
        ]

    @english()
    def __str__(self) -> str:
        return f"{self.get_band_display()} instead of {self.was}: {self.case_id}"

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()


class RatingState(Work):
    """The present rating of a case. Due when something that affects the rating has changed."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waits for a change")

    FLOW = {Status.WAITING: set[str]()}

    case = models.OneToOneField(Case, models.CASCADE, related_name="risk_rating")
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.WAITING
    )
    rating = models.ForeignKey(
        CaseRating, models.PROTECT, null=True, related_name="+", help_text="The newest."
    )
    policy = models.ForeignKey(
        RiskPolicy,
        models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,  # a new version writes this column of every row
        help_text="The version that the rating follows: its own, or a later one by which score and"
        " band are the same.",
    )
    score = models.PositiveSmallIntegerField(null=True)
    band = models.CharField(
        max_length=12,
        blank=True,
        choices=Band.choices,
        help_text="With what people say; empty: not rated yet.",
    )

    spreads = models.BooleanField(
        default=False,
        help_text="With the case, those are rated again whose subjects its parties own.",
    )
    changes_on = models.DateField(
        null=True,
        help_text="The next day on which a relation that counts begins, or counts no more.",
    )

    class Meta(Work.Meta):
        indexes = [
            *Work.Meta.indexes,
            models.Index(fields=["band", "-case"], name="reviews_ratingstate_band"),
            models.Index(
                fields=["changes_on"],
                name="reviews_ratingstate_changes",
                condition=Q(changes_on__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"Rating of {self.case_id}"
