"""What-ifs: a version of the policy tried on the ratings of past cases, before it is live."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from compliance.work.rows import Work
from reviews.models.cases import Case
from reviews.models.risk.policies import RiskPolicy
from reviews.models.risk.ratings import Band


class PolicyTrial(Work):
    """One what-if. A worker rates from stored inputs, and writes to no row of a case."""

    class Status(models.TextChoices):
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")

    FLOW = {Status.RUNNING: {Status.DONE}}

    policy = models.ForeignKey(RiskPolicy, models.PROTECT, related_name="trials")
    against = models.ForeignKey(
        RiskPolicy, models.PROTECT, related_name="+", help_text="Which was live then."
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    begun_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.RUNNING
    )
    total = models.PositiveIntegerField(default=0, help_text="Cases with a rating.")
    done = models.PositiveIntegerField(default=0)
    unread = models.PositiveIntegerField(
        default=0, help_text="Whose stored inputs this version cannot read."
    )
    last_case = models.PositiveBigIntegerField(
        default=0, help_text="Those up to this number are done."
    )
    # {"low": {"low": 10, "medium": 2}, …}: the cases by their band now, and by this version.
    counts: models.JSONField[Any] = models.JSONField(default=dict)

    class Meta(Work.Meta):
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["policy"],
                condition=Q(status="running"),
                name="one_running_trial_of_a_policy",
            )
        ]

    def __str__(self) -> str:
        return f"What-if of {self.policy}"


class TrialChange(models.Model):
    """A case whose band would be another one by the version that is tried."""

    trial = models.ForeignKey(PolicyTrial, models.CASCADE, related_name="changes")
    case = models.ForeignKey(Case, models.CASCADE, related_name="+")
    band = models.CharField(max_length=12, choices=Band.choices)
    score = models.PositiveSmallIntegerField()
    new_band = models.CharField(max_length=12, choices=Band.choices)
    new_score = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["trial", "case"], name="one_change_of_a_case_in_a_trial"
            )
        ]

    def __str__(self) -> str:
        return f"Case {self.case_id}: {self.band} to {self.new_band}"
