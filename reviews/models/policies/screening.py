"""Versions of the screening policy, and labels that people set on hits: the labelled set."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from compliance.security.personal_fields import PersonalTextField
from reviews.models.cases import Case
from reviews.models.policies.versions import Version


class ScreeningPolicy(Version):
    """One version: the scores below which a hit on the name alone needs no review."""

    number = models.PositiveIntegerField(unique=True)
    content = models.JSONField(help_text='{"rules": […]}')
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )

    class Meta:
        # Older versions first: when one version replaces another, the old one must be retired
        # before the new one is live, because only one may be live.
        ordering = ["number"]
        verbose_name_plural = "screening policies"
        constraints = [
            models.UniqueConstraint(
                fields=["status"],
                condition=Q(status="live"),
                name="one_live_screening_policy",
            )
        ]

    def __str__(self) -> str:
        return f"Screening policy {self.number}"


class HitLabel(models.Model):
    """A person's judgement on one hit on one list, with the facts of the hit at that time."""

    class Kind(models.TextChoices):
        CONFIRMED = "confirmed", _("Confirmed")
        DISMISSED = "dismissed", _("Dismissed")

    class Source(models.TextChoices):
        SCREENING = "screening", _("Screening")
        LOOK_UP = "look_up", _("Look-up by a person")

    case = models.ForeignKey(Case, models.PROTECT, related_name="hit_labels")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    source = models.CharField(max_length=12, choices=Source.choices)
    # Identifies the hit across runs: see dismissals.key_of().
    key = models.CharField(max_length=64, db_index=True)
    # The compared name, the name on the list, and the id that the publisher gave the entry.
    asked = PersonalTextField(default="", blank=True)
    title = PersonalTextField(default="", blank=True)
    entry_id = PersonalTextField(default="", blank=True)
    list_slug = models.CharField(max_length=200, blank=True)
    list_title = models.CharField(max_length=200)
    # `script` is the script of the compared name; `schema` is that of the entry.
    script = models.CharField(max_length=20)
    schema = models.CharField(max_length=40, blank=True)
    band = models.CharField(max_length=40)
    score = models.FloatField(null=True)
    is_certain = models.BooleanField(
        help_text="A number or the date of birth agreed: it asks whatever its score."
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    # Rows of one act have the same moment, so that they are taken back together.
    at = models.DateTimeField()
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["case", "key"],
                condition=Q(taken_back_at__isnull=True),
                name="one_label_of_a_hit",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} on {self.list_title}"

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()


class LostHit(models.Model):
    """A confirmed hit that a version would no longer show, and why it may become live all the
    same.
    """

    policy = models.ForeignKey(
        ScreeningPolicy, models.PROTECT, related_name="lost_hits"
    )
    label = models.ForeignKey(HitLabel, models.PROTECT, related_name="+")
    reason = PersonalTextField()
    acknowledged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    acknowledged_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["policy", "label"], name="one_acknowledgement_of_a_lost_hit"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="lost_with_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.policy}: {self.label}"

    def data_key_id_for_personal(self) -> int:
        return self.label.data_key_id_for_personal()
