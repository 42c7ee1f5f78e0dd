"""What the desk asks of an applicant."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from compliance.work.rows import Work


class InformationRequest(Work):
    """Asks the applicant for documents, by a link that expires. Due when it does."""

    class Status(models.TextChoices):
        OPEN = "open", "Waits for the applicant"
        ANSWERED = "answered", "Answered"
        EXPIRED = "expired", "Expired"
        WITHDRAWN = "withdrawn", "Withdrawn"

    FLOW = {Status.OPEN: {Status.ANSWERED, Status.EXPIRED, Status.WITHDRAWN}}

    case = models.ForeignKey("reviews.Case", models.PROTECT, related_name="requests")
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.OPEN)
    message = models.TextField(help_text="Shown to the applicant.")
    kinds = models.JSONField(default=list, help_text="The kinds of documents asked for.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    answer = models.TextField(blank=True, help_text="What the applicant wrote.")
    answered_at = models.DateTimeField(null=True)

    class Meta(Work.Meta):
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.case}: {self.get_status_display()}"
