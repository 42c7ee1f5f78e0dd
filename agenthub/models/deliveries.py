"""Webhooks to send, and what came back."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from agenthub.models.jobs import AgentJob
from compliance.work import Work


class Delivery(Work):
    """One webhook to send: an outbox row holding the exact bytes that are signed and sent."""

    class Kind(models.TextChoices):
        JOB = "job", "Job webhook"
        TOOL = "tool", "Tool webhook"
        SLACK = "slack", "Slack"

    class Status(models.TextChoices):
        DUE = "due", "To be sent"
        DONE = "done", "Delivered"
        DEAD = "dead", "Given up"

    FLOW = {Status.DUE: {Status.DONE, Status.DEAD}, Status.DEAD: {Status.DUE}}

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    job = models.ForeignKey(AgentJob, models.CASCADE, related_name="deliveries")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    tool_id = models.CharField(max_length=200, blank=True)
    url = models.TextField()
    body = models.BinaryField()
    # The string that the compact signature signs; null: the payload does not name the case.
    case_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.DUE)
    tries = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(Work.Meta):
        ordering = ["-created_at"]
        verbose_name_plural = "deliveries"
        indexes = [
            *Work.Meta.indexes,
            models.Index(fields=["job"], name="agenthub_delivery_dead", condition=Q(status="dead")),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Attempt(models.Model):
    """One try to deliver: what was answered, or why nothing was."""

    delivery = models.ForeignKey(Delivery, models.CASCADE, related_name="attempts")
    at = models.DateTimeField(auto_now_add=True)
    http_status = models.PositiveIntegerField(null=True)
    error = models.CharField(max_length=200, blank=True)
    response = models.TextField(blank=True, help_text="The first 2 KB of the answer.")
    took_ms = models.PositiveIntegerField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(http_status__isnull=False) | ~Q(error=""), name="answered_or_explained"
            )
        ]

    def __str__(self) -> str:
        return f"{self.http_status or self.error}"
