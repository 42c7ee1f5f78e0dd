"""Webhooks of the desk: who gets news of cases, and what was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from compliance.http.outbox import Attempt, Delivery
from compliance.security.encryption import EncryptedTextField
from compliance.security.personal_fields import PersonalBytesField, PersonalTextField
from reviews.models.fields import validate_address

if TYPE_CHECKING:
    from reviews.models.cases import Case


class CaseNews(models.TextChoices):
    """What of a case subscribers may get webhooks of."""

    CREATED = "case.created", _("A case was opened")
    READY = "case.ready", _("Its checks have ended")
    NEEDS_ATTENTION = "case.needs_attention", _("Its checks could not be done")
    ASSIGNED = "case.assigned", _("It was assigned, or taken back")
    WAITING = "case.waiting", _("The applicant was asked")
    ANSWERED = "case.answered", _("The applicant has answered")
    ESCALATED = "case.escalated", _("It was escalated")
    PROPOSED = "case.proposed", _("A decision waits for a second person")
    DECIDED = "case.decided", _("It was decided")
    REOPENED = "case.reopened", _("It was reopened")
    REVIEW_OPENED = "case.review_opened", _("A periodic review was opened")


def of_decisions() -> list[str]:
    """What all subscribers got before they could choose."""
    return [CaseNews.DECIDED.value, CaseNews.REOPENED.value]


def validate_events(value: object) -> None:
    if not isinstance(value, list) or not value:
        raise ValidationError(gettext("Choose at least one event."))
    unknown = [str(event) for event in value if event not in CaseNews.values]
    if unknown:
        text = gettext("There is no event %(names)s.")
        raise ValidationError(text % {"names": ", ".join(unknown)})


class Subscription(models.Model):
    """An address that gets signed webhooks of what happens to cases."""

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
    # Empty in rows of the version before, until `announcements.add_cases` has run.
    case = models.ForeignKey(
        "reviews.Case", models.PROTECT, null=True, related_name="announcements"
    )
    decision = models.ForeignKey(
        "reviews.Decision", models.PROTECT, null=True, related_name="announcements"
    )
    event = models.CharField(max_length=30, choices=CaseNews.choices, blank=True)
    body = PersonalBytesField()

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
        """The case, of rows that the version before wrote as well."""
        if self.case is not None:
            return self.case
        if self.decision is None:
            raise ValueError("It names neither a case nor a decision.")
        return self.decision.case


class AnnouncementAttempt(Attempt):
    """One try to deliver an announcement."""

    delivery = models.ForeignKey(Announcement, models.CASCADE, related_name="attempts")
    response = PersonalTextField(
        default="", blank=True, help_text="The first 2 KB of the answer."
    )

    def data_key_id_for_personal(self) -> int:
        return self.delivery.data_key_id_for_personal()
