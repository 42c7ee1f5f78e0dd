"""Invitations: links with which applicants open a case themselves."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from compliance.languages import english
from compliance.security.data_keys import INSTALLATION
from compliance.security.personal_fields import PersonalJSONField, PersonalTextField
from compliance.work.rows import Work
from reviews.models.service import Agent


class Invitation(Work):
    """An expiring link with which an applicant fills in their own case. Due when it expires."""

    class Status(models.TextChoices):
        OPEN = "open", _("Waits for the applicant")
        SUBMITTED = "submitted", _("Submitted")
        EXPIRED = "expired", _("Expired")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    FLOW = {Status.OPEN: {Status.SUBMITTED, Status.EXPIRED, Status.WITHDRAWN}}

    agent = models.ForeignKey(Agent, models.PROTECT, related_name="invitations")
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.OPEN
    )
    reference = models.CharField(max_length=255, blank=True)
    message = PersonalTextField(
        default="", blank=True, help_text="Shown to the applicant."
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True)
    # Identifies the act of submitting, so that a form that is sent twice opens one case only.
    submission = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    case = models.ForeignKey(
        "reviews.Case", models.PROTECT, null=True, related_name="invitations"
    )
    typed = PersonalJSONField(
        default=dict, blank=True, help_text="What was typed and not sent."
    )

    class Meta(Work.Meta):
        ordering = ["-id"]

    @english()
    def __str__(self) -> str:
        return f"{self.agent}: {self.get_status_display()}"

    @property
    def has_expired(self) -> bool:
        """Whether its time is over, also before the task has ended it."""
        is_over = self.status == self.Status.OPEN and self.expires_at <= now()
        return is_over or self.status == self.Status.EXPIRED

    def data_key_id_for_personal(self) -> int:
        # The invitation has no case yet, so it uses the key of the installation. `typed` is
        # emptied when the case is opened.
        return INSTALLATION
