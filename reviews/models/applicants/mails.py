"""Mails with the link of a request, and documents of earlier answers that were refused."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.languages import ENGLISH, english
from compliance.security.data_keys import INSTALLATION, DataKeyError
from compliance.security.personal_fields import ERASED, PersonalTextField
from compliance.work.rows import Work


class RequestMail(Work):
    """A mail with the link of a request or an invitation, or a reminder of it.

    Due when it must be sent.
    """

    class Kind(models.TextChoices):
        REQUEST = "request", _("Request")
        REMINDER = "reminder", _("Reminder")

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waits")
        SENT = "sent", _("Sent")
        DROPPED = "dropped", _("Not needed any more")
        FAILED = "failed", _("Could not be sent")

    FLOW = {
        Status.WAITING: {Status.SENT, Status.DROPPED, Status.FAILED},
        Status.FAILED: {Status.WAITING},  # sent again by an operator
    }

    request = models.ForeignKey(
        "reviews.InformationRequest", models.CASCADE, null=True, related_name="mails"
    )
    invitation = models.ForeignKey(
        "reviews.Invitation", models.CASCADE, null=True, related_name="mails"
    )
    kind = models.CharField(max_length=8, choices=Kind.choices)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.WAITING
    )
    # Nothing else binds it, and the link goes there.
    address = PersonalTextField(max_length=254, only_encrypted=True)
    language = models.CharField(max_length=8, default=ENGLISH)
    sent_at = models.DateTimeField(null=True)
    fault = models.CharField(max_length=200, blank=True)

    class Meta(Work.Meta):
        ordering = ["id"]
        indexes = [
            *Work.Meta.indexes,
            models.Index(
                fields=["-id"],
                name="reviews_mail_failed",
                condition=models.Q(status="failed"),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(request__isnull=False)
                ^ models.Q(invitation__isnull=False),
                name="request_mail_has_one_link",
            )
        ]

    @english()
    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.get_status_display()}"

    @property
    def is_erased(self) -> bool:
        """Whether the address was erased."""
        try:
            return bool(self.address == ERASED)
        except DataKeyError:
            # Somebody has written another value into the database.
            return False

    @property
    def recipient(self) -> str:
        """The address; "" if it was erased, or was changed in the database."""
        try:
            address: str = self.address
        except DataKeyError:
            return ""
        return "" if address == ERASED else address

    def data_key_id_for_personal(self) -> int:
        link = self.request or self.invitation
        return link.data_key_id_for_personal() if link else INSTALLATION


class RefusedDocument(models.Model):
    """A document of an earlier answer that was refused; the next request tells the applicant."""

    request = models.ForeignKey(
        "reviews.InformationRequest", models.CASCADE, related_name="refusals"
    )
    document = models.ForeignKey(
        "reviews.Document", models.CASCADE, related_name="refusals"
    )
    reason = PersonalTextField(max_length=500, help_text="Shown to the applicant.")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["request", "document"], name="one_refusal_in_a_request"
            )
        ]

    def __str__(self) -> str:
        return f"{self.document}"

    def data_key_id_for_personal(self) -> int:
        return self.request.data_key_id_for_personal()
