"""Services that the desk may call: connections, secrets, pauses and agents."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.http.signatures import COMPACT_HEADER
from compliance.security.encryption import EncryptedTextField
from compliance.work.rows import Work
from reviews.models.fields import validate_address


class Kind(models.TextChoices):
    KYB = "kyb", _("Business")
    KYC = "kyc", _("Individual")


class Connection(models.Model):
    """A service that the desk may call: its address, our API key, and its webhook settings."""

    name = models.CharField(max_length=80, unique=True)
    slug = models.SlugField(
        max_length=40, unique=True, help_text="In the address that the service calls."
    )
    # Not a URLField: that requires a dot in the host, and an internal service may have none.
    base_url = models.CharField(
        max_length=300,
        validators=[validate_address],
        help_text="Ends in the path prefix, such as /api/v1.",
    )
    api_key = EncryptedTextField(blank=True)
    compact_header = models.CharField(
        max_length=80,
        default=COMPACT_HEADER,
        help_text="The header in which this service sends the compact signature.",
    )
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    timestamped_since = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="Its webhooks have been signed with a time since then: others are refused.",
    )
    refused_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When a webhook was refused, about.",
    )
    refused_reason = models.CharField(max_length=200, blank=True, editable=False)

    def __str__(self) -> str:
        return self.name

    @property
    def standing_pause(self) -> Pause | None:
        """The pause that is in force: the service is not called. None if it is called normally."""
        # A reverse one-to-one relation raises if it has no row. Most services never rejected a
        # key.
        row: Pause | None = getattr(self, "pause", None)
        if row is None or row.status != Pause.Status.PAUSED:
            return None
        return row


class Pause(Work):
    """A service rejects our API key. While paused, it is due when the key must be tried again."""

    class Status(models.TextChoices):
        PAUSED = "paused", _("Paused")
        ENDED = "ended", _("Ended")

    FLOW = {Status.PAUSED: {Status.ENDED}, Status.ENDED: {Status.PAUSED}}

    connection = models.OneToOneField(Connection, models.CASCADE, related_name="pause")
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.ENDED
    )
    reason = models.TextField(blank=True, help_text="The service's words.")
    since = models.DateTimeField(null=True, blank=True)
    probes = models.PositiveIntegerField(
        default=0, help_text="How often the key was tried since."
    )

    def __str__(self) -> str:
        return f"{self.connection_id}: {self.status}"


class WebhookSecret(models.Model):
    """A secret that the service may sign with. Several may be valid, to rotate without loss."""

    connection = models.ForeignKey(
        Connection, models.CASCADE, related_name="webhook_secrets"
    )
    name = models.CharField(max_length=80)
    secret = EncryptedTextField()
    active_until = models.DateTimeField(
        null=True, blank=True, help_text="Empty: no end."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "name"], name="one_secret_per_name"
            )
        ]

    def __str__(self) -> str:
        return f"{self.connection.slug}: {self.name}"


class Agent(models.Model):
    """An agent of the service. The agent key identifies it there."""

    connection = models.ForeignKey(Connection, models.CASCADE, related_name="agents")
    kind = models.CharField(max_length=3, choices=Kind.choices)
    name = models.CharField(max_length=80)
    agent_key = EncryptedTextField()
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["connection__name", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "name"], name="one_agent_per_name"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.connection.name})"
