"""Accounts, their keys, signing secrets and agents."""

from __future__ import annotations

from datetime import datetime

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from compliance.security.bearer_keys import BearerKey
from compliance.security.encryption import EncryptedTextField

LARGEST_SHARE = 100


class Account(models.Model):
    """A client of the hub.

    It owns agents, jobs, keys and signing secrets; no other account sees them.
    """

    name = models.CharField(max_length=80, unique=True)
    is_active = models.BooleanField(default=True)
    share = models.PositiveSmallIntegerField(
        default=1,
        db_default=1,
        validators=[MinValueValidator(1), MaxValueValidator(LARGEST_SHARE)],
        help_text="How often it has its turn while others wait, too: 2 is twice as often as 1.",
    )
    max_open_jobs = models.PositiveIntegerField(
        "open jobs at most",
        null=True,
        blank=True,
        help_text="Jobs that have not ended. Empty: as the installation has it; 0: any number.",
    )
    max_open_documents = models.PositiveIntegerField(
        "open documents at most",
        null=True,
        blank=True,
        help_text="Documents of these jobs. Empty: as the installation has it; 0: any number.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            # Fair scheduling divides by the share.
            models.CheckConstraint(condition=Q(share__gte=1), name="share_from_one")
        ]

    def __str__(self) -> str:
        return self.name


class SigningSecret(models.Model):
    """A secret that signs an account's webhooks. The newest one that has started is used."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="signing_secrets")
    secret = EncryptedTextField()
    created_at = models.DateTimeField(auto_now_add=True)
    signs_from = models.DateTimeField(
        default=now,
        help_text="Until then the one before it signs: time to tell the receivers.",
    )
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.account}: secret of {self.created_at:%Y-%m-%d}"

    def signs_at(self, moment: datetime) -> bool:
        """Whether the secret has started and not expired at `moment`."""
        return self.signs_from <= moment and (
            self.expires_at is None or self.expires_at > moment
        )


class ApiKey(BearerKey):
    """The key of a caller. Only its hash is stored; the key is shown once, when it is created."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=80, blank=True)

    class Meta(BearerKey.Meta):
        verbose_name = "API key"


class Agent(models.Model):
    """An ordered set of checks, addressed by its own key."""

    class Kind(models.TextChoices):
        KYB = "kyb", _("Business")
        KYC = "kyc", _("Individual")

    account = models.ForeignKey(Account, models.CASCADE, related_name="agents")
    key = models.CharField(max_length=80, unique=True)
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=3, choices=Kind.choices)
    # [{"check_id": …, "arguments": {…}}, …]. Empty: every check of this kind.
    checks = models.JSONField(default=list, blank=True)
    requirements = models.JSONField(
        default=list,
        blank=True,
        help_text="What a case must bring before Approve, by ids; empty: all of its kind.",
    )
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name
