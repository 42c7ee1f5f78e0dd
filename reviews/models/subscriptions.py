"""Webhooks of the desk: who is told of decisions, and what was sent."""

from __future__ import annotations

from django.db import models

from compliance.http.outbox import Attempt, Delivery
from compliance.security.encryption import EncryptedTextField
from compliance.security.personal_fields import PersonalBytesField, PersonalTextField
from reviews.models.fields import validate_address


class Subscription(models.Model):
    """An address that is told what was decided, by signed webhooks."""

    name = models.CharField(max_length=80, unique=True)
    url = models.CharField(max_length=500, validators=[validate_address])
    secret = EncryptedTextField(help_text="Signs what is sent.")
    connection = models.ForeignKey(
        "reviews.Connection", models.CASCADE, null=True, blank=True, related_name="subscriptions",
        help_text="Only cases of this connection; empty: all.",
    )  # fmt: skip
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Announcement(Delivery):
    """One webhook about a decision: the exact bytes that are signed and sent."""

    subscription = models.ForeignKey(
        Subscription, models.PROTECT, related_name="announcements"
    )
    decision = models.ForeignKey(
        "reviews.Decision", models.PROTECT, related_name="announcements"
    )
    body = PersonalBytesField()

    class Meta(Delivery.Meta):
        indexes = [
            *Delivery.Meta.indexes,
            models.Index(
                fields=["-created_at"],
                name="reviews_announcement_dead",
                condition=models.Q(status="dead"),
            ),
        ]

    def data_key_id_for_personal(self) -> int:
        return self.decision.data_key_id_for_personal()


class AnnouncementAttempt(Attempt):
    """One try to deliver an announcement."""

    delivery = models.ForeignKey(Announcement, models.CASCADE, related_name="attempts")
    response = PersonalTextField(
        default="", blank=True, help_text="The first 2 KB of the answer."
    )

    def data_key_id_for_personal(self) -> int:
        return self.delivery.data_key_id_for_personal()
