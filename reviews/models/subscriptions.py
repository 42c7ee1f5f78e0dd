"""Webhooks that the desk sends: subscribers, announcements and delivery attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from compliance.http.outbox import Attempt, Delivery
from compliance.security.encryption import EncryptedTextField
from compliance.security.personal_fields import PersonalBytesField, PersonalTextField
from reviews.models.fields import (
    SubscriptionEvent,
    of_decisions,
    validate_address,
    validate_events,
)

if TYPE_CHECKING:
    from reviews.models.cases import Case


class Subscription(models.Model):
    """An address that gets signed webhooks about events of cases."""

    name = models.CharField(max_length=80, unique=True)
    url = models.CharField(max_length=500, validators=[validate_address])
    secret = EncryptedTextField(help_text="Signs what is sent.")
    connection = models.ForeignKey(
        "reviews.Connection", models.CASCADE, null=True, blank=True, related_name="subscriptions",
        help_text="Only cases of this connection; empty: all.",
    )  # fmt: skip
    events = models.JSONField(
        default=of_decisions,
        validators=[validate_events],
        help_text="What it gets webhooks of.",
    )
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Announcement(Delivery):
    """One webhook about a case: the exact bytes that are signed and sent."""

    subscription = models.ForeignKey(
        Subscription, models.PROTECT, related_name="announcements"
    )
    # Empty in rows of the previous version, until `announcements.add_cases` has run.
    case = models.ForeignKey(
        "reviews.Case", models.PROTECT, null=True, related_name="announcements"
    )
    decision = models.ForeignKey(
        "reviews.Decision", models.PROTECT, null=True, related_name="announcements"
    )
    event = models.CharField(
        max_length=30, choices=SubscriptionEvent.choices, blank=True
    )
    # Nothing else binds it, and the desk signs it.
    body = PersonalBytesField(only_encrypted=True)

    class Meta(Delivery.Meta):
        indexes = [
            *Delivery.Meta.indexes,
            models.Index(fields=["created_at", "id"], name="reviews_announcement_time"),
            models.Index(
                fields=["-created_at"],
                name="reviews_announcement_dead",
                condition=models.Q(status="dead"),
            ),
        ]

    def data_key_id_for_personal(self) -> int:
        return self.of_case.data_key_id_for_personal()

    @property
    def of_case(self) -> Case:
        """The case, also for rows that the previous version wrote."""
        if self.case is not None:
            return self.case
        if self.decision is None:
            raise ValueError("It names neither a case nor a decision.")
        return self.decision.case


class AnnouncementAttempt(Attempt):
    """One attempt to deliver an announcement."""

    delivery = models.ForeignKey(Announcement, models.CASCADE, related_name="attempts")
    response = PersonalTextField(
        default="", blank=True, help_text="The first 2 KB of the answer."
    )

    def data_key_id_for_personal(self) -> int:
        return self.delivery.data_key_id_for_personal()
