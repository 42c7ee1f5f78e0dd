"""Versions of the policy by which customers are rated."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from compliance.db.states import Stateful


class RiskPolicy(Stateful):
    """One version. Its content never changes: who edits it makes a new version."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("Draft")
        LIVE = "live", _("Live")
        RETIRED = "retired", _("Replaced")

    FLOW = {Status.DRAFT: {Status.LIVE}, Status.LIVE: {Status.RETIRED}}

    number = models.PositiveIntegerField(unique=True)
    note = models.CharField(max_length=200, help_text="What is new in it, and why.")
    content = models.JSONField(help_text="As the engine of ratings reads it.")
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.DRAFT
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="Empty: the installation itself.",
    )
    made_at = models.DateTimeField(auto_now_add=True)
    live_at = models.DateTimeField(null=True)

    class Meta:
        # The older first: of two that change together, the old one is replaced before.
        ordering = ["number"]
        verbose_name_plural = "risk policies"
        constraints = [
            models.UniqueConstraint(
                fields=["status"],
                condition=Q(status="live"),
                name="one_live_risk_policy",
            )
        ]

    def __str__(self) -> str:
        return f"Risk policy {self.number}"
