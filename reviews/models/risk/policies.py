"""Versions of the risk policy, by which customers are rated."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from reviews.models.policies.versions import Version


class RiskPolicy(Version):
    """One version of the risk policy."""

    number = models.PositiveIntegerField(unique=True)
    content = models.JSONField(help_text="As the engine of ratings reads it.")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="Empty: the installation itself.",
    )

    class Meta:
        # Older versions first: when one version replaces another, the old one must be retired
        # before the new one is live, because only one may be live.
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
