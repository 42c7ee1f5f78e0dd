"""Trials of the risk policy on the ratings of past cases, before a version is live."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from reviews.models.cases import Case
from reviews.models.policies.versions import Trial
from reviews.models.risk.policies import RiskPolicy
from reviews.models.risk.ratings import Band


class PolicyTrial(Trial):
    """One trial. A worker rates again from the stored inputs.

    `counts` is `{"low": {"low": 10, "medium": 2}, …}`: numbers of cases by their present band,
    then by the band of the version on trial.
    """

    policy = models.ForeignKey(RiskPolicy, models.PROTECT, related_name="trials")
    against = models.ForeignKey(
        RiskPolicy, models.PROTECT, related_name="+", help_text="Which was live then."
    )
    total = models.PositiveIntegerField(default=0, help_text="Cases with a rating.")
    unread = models.PositiveIntegerField(
        default=0, help_text="Whose stored inputs this version cannot read."
    )

    class Meta(Trial.Meta):
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
    """A case whose band would change with the version on trial."""

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
