"""The received webhooks, unchanged."""

from __future__ import annotations

import hashlib

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.security.data_keys import INSTALLATION
from compliance.security.personal_fields import PersonalBytesField
from compliance.work.rows import Work


class Event(Work):
    """One webhook as it arrived: the signed bytes, the secret that signed it, and how it was
    applied.
    """

    class Status(models.TextChoices):
        RECEIVED = "received", _("To be applied")
        APPLIED = "applied", _("Applied")
        IGNORED = "ignored", _("Not applied")

    FLOW = {
        Status.RECEIVED: {Status.APPLIED, Status.IGNORED},
        Status.IGNORED: {Status.RECEIVED},  # replayed
    }

    # No separate index: the index of each_body_once starts with this column, and each index slows
    # down every webhook. No database constraint: it would read and lock the connection's row for
    # each webhook. The receiver has just read that row, and Django protects it (PROTECT).
    connection = models.ForeignKey(
        "reviews.Connection",
        models.PROTECT,
        related_name="events",
        db_index=False,
        db_constraint=False,
    )
    # A keyed hash of the raw body: see webhooks.events.digest_of.
    digest = models.BinaryField(max_length=32)
    # Encrypted with the key of the installation until its case is known.
    body = PersonalBytesField()
    size = models.PositiveIntegerField(default=0, help_text="Bytes of the body.")
    headers = models.JSONField(default=dict)
    secret = models.ForeignKey(
        "reviews.WebhookSecret",
        models.SET_NULL,
        null=True,
        related_name="events",
        db_index=False,
        db_constraint=False,
    )
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.RECEIVED
    )
    reason = models.TextField(blank=True, help_text="Why it waits, or was not applied.")
    job = models.ForeignKey(
        "reviews.Job", models.SET_NULL, null=True, related_name="events", db_index=False
    )
    received_at = models.DateTimeField()

    class Meta(Work.Meta):
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "digest"], name="each_body_once"
            )
        ]
        indexes = [
            *Work.Meta.indexes,
            models.Index(
                fields=["job"],
                name="webhooks_event_job",
                condition=models.Q(job__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"Event {self.pk}"

    @property
    def sha256(self) -> str:
        """The SHA-256 of the body in hexadecimal, as the sender can compare it; "" after an erasure."""
        body = bytes(self.body)
        return hashlib.sha256(body).hexdigest() if body else ""

    def data_key_id_for_personal(self) -> int:
        if self.job is None:
            return INSTALLATION
        return self.job.data_key_id_for_personal()
