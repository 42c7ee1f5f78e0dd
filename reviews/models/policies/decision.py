"""Versions of the decision policy, their trials, and the switch of automatic approvals."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from compliance.db.states import Stateful
from compliance.security.personal_fields import PersonalTextField
from compliance.work.rows import Work
from reviews.models.cases import Case
from reviews.models.decisions import Decision, Outcome
from reviews.models.policies.versions import Trial, Version


class DecisionPolicy(Version):
    """One version: what a decision needs, who may make it, and what is approved automatically."""

    number = models.PositiveIntegerField(unique=True)
    content = models.JSONField(help_text='{"rules": […]}')
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )

    class Meta:
        # Older versions first: when one version replaces another, the old one must be retired
        # before the new one is live, because only one may be live.
        ordering = ["number"]
        verbose_name_plural = "decision policies"
        constraints = [
            models.UniqueConstraint(
                fields=["status"],
                condition=Q(status="live"),
                name="one_live_decision_policy",
            )
        ]

    def __str__(self) -> str:
        return f"Decision policy {self.number}"


class DecisionTrial(Trial):
    """A trial of a version on the first decision of each past case.

    `counts` has `automatic` (cases that the version would approve automatically, divided into
    `agree` and `differ`), and the decisions that it would not allow as they were made:
    `incomplete`, `senior` and `second`.
    """

    policy = models.ForeignKey(DecisionPolicy, models.PROTECT, related_name="trials")
    against = models.ForeignKey(
        DecisionPolicy,
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="Which was live then; empty: none.",
    )

    class Meta(Trial.Meta):
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["policy"],
                condition=Q(status="running"),
                name="one_running_trial_of_a_decision_policy",
            )
        ]

    def __str__(self) -> str:
        return f"What-if of {self.policy}"


class Contradiction(models.Model):
    """A case that a version would approve automatically, but that people decided otherwise."""

    trial = models.ForeignKey(
        DecisionTrial, models.PROTECT, related_name="contradictions"
    )
    case = models.ForeignKey(Case, models.PROTECT, related_name="+")
    decision = models.ForeignKey(Decision, models.PROTECT, related_name="+")
    outcome = models.CharField(
        max_length=12, choices=Outcome.choices, help_text="What people decided."
    )
    reason = PersonalTextField(
        default="", blank=True, help_text="Why the version may go live all the same."
    )
    acknowledged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    acknowledged_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["trial", "case"], name="one_contradiction_of_a_case_in_a_trial"
            ),
            models.CheckConstraint(
                condition=Q(acknowledged_by__isnull=True) | ~Q(reason=""),
                name="acknowledged_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"Case {self.case_id}: {self.outcome}"

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()


class ApprovalSwitch(Stateful):
    """One row: whether cases are approved automatically at all. Off until people switch it on."""

    class Status(models.TextChoices):
        OFF = "off", _("Off")
        ON = "on", _("On")

    FLOW = {Status.OFF: {Status.ON}, Status.ON: {Status.OFF}}

    status = models.CharField(max_length=16, choices=Status.choices, default=Status.OFF)

    class Meta:
        verbose_name = "switch of automatic approvals"
        permissions = [
            ("stop_approvalswitch", "Can stop all automatic approvals at once")
        ]

    def __str__(self) -> str:
        return "Automatic approvals"


class AutomaticReview(Work):
    """A case that may be approved automatically. Due when its rating is up to date again."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waits for a change")

    FLOW = {Status.WAITING: set[str]()}

    case = models.OneToOneField(Case, models.CASCADE, related_name="automatic_review")
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.WAITING
    )

    def __str__(self) -> str:
        return f"Automatic approval of {self.case_id}"
