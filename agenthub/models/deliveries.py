"""Webhooks to send, and the attempts to send them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from agenthub.models.accounts import Account
from agenthub.models.jobs import AgentJob
from compliance.http import outbox
from compliance.security.personal_fields import PersonalBytesField


class Delivery(outbox.Delivery):
    """One webhook to send: an outbox row with the exact bytes that are signed and sent."""

    class Kind(models.TextChoices):
        JOB = "job", _("Job webhook")
        TOOL = "tool", _("Tool webhook")
        SLACK = "slack", _("Slack")

    job = models.ForeignKey(AgentJob, models.CASCADE, related_name="deliveries")
    # The account of the job, for fair scheduling. Null: queued by a version without this column.
    account = models.ForeignKey(
        Account,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="deliveries",
        db_index=False,
    )
    # The last claim, by which accounts take turns.
    claimed_at = models.DateTimeField(null=True, blank=True, editable=False)
    body = PersonalBytesField(only_encrypted=True)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    tool_id = models.CharField(max_length=200, blank=True)
    # The text that the compact signature signs. Null: the payload does not name the case.
    case_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001

    class Meta(outbox.Delivery.Meta):
        verbose_name_plural = "deliveries"
        indexes = [
            *outbox.Delivery.Meta.indexes,
            # For fair scheduling, by account: due rows, leased rows, and the last claim.
            models.Index(
                fields=["account", "due_at"],
                name="agenthub_delivery_turn",
                condition=Q(due_at__isnull=False),
            ),
            models.Index(
                fields=["account"],
                name="agenthub_delivery_leased",
                condition=Q(leased_until__isnull=False),
            ),
            models.Index(
                fields=["account", "claimed_at"],
                name="agenthub_delivery_claimed",
                condition=Q(claimed_at__isnull=False),
            ),
            models.Index(
                fields=["job"],
                name="agenthub_delivery_dead",
                condition=Q(status="dead"),
            ),
        ]

    def data_key_id_for_personal(self) -> int:
        return self.job.data_key_id_for_personal()


class Attempt(outbox.Attempt):
    """One attempt to deliver: the response, or the error."""

    delivery = models.ForeignKey(Delivery, models.CASCADE, related_name="attempts")

    class Meta(outbox.Attempt.Meta):
        constraints = [
            models.CheckConstraint(
                condition=outbox.ANSWERED_OR_EXPLAINED, name="answered_or_explained"
            )
        ]
