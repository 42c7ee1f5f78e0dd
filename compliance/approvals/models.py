"""Proposals, which wait for a second person, and the lines of an installation without a desk."""

from __future__ import annotations

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from compliance.db.states import Stateful
from compliance.security.encryption import EncryptedTextField


class Proposal(Stateful):
    """A change of settings that one person proposes and another approves or rejects."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waits")
        APPROVED = "approved", _("Approved")
        REJECTED = "rejected", _("Rejected")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        STALE = "stale", _("Out of date")

    FLOW = {
        Status.WAITING: {
            Status.APPROVED,
            Status.REJECTED,
            Status.WITHDRAWN,
            Status.STALE,
        }
    }

    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.WAITING
    )
    title = models.CharField(max_length=300)
    # The changes of rows as JSON. Encrypted as a whole, because some values are secrets.
    content = EncryptedTextField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True, help_text="Why it ended so.")

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["status"], name="approvals_status")]
        constraints = [
            models.CheckConstraint(
                name="approved_by_another_person",
                condition=~Q(status="approved")
                | (Q(ended_by__isnull=False) & ~Q(ended_by=F("made_by"))),
            )
        ]

    def __str__(self) -> str:
        return self.title


class AppendOnlyError(Exception):
    """An attempt to change or delete a line."""


class Line(models.Model):
    """An administrator's action, on an installation without a desk. Lines can only be added."""

    at = models.DateTimeField(auto_now_add=True)
    by = models.CharField(
        max_length=150, help_text="The user's name; empty: a command."
    )
    what = models.CharField(max_length=40)
    data = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.what} by {self.by}"

    def save(self, *args: object, **options: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError
        super().save(*args, **options)

    def delete(self, *args: object, **options: object) -> NoReturn:
        raise AppendOnlyError
