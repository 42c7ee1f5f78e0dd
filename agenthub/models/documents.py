"""Files that were lent, and what is known of documents that were seen."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from agenthub.models.accounts import Account
from agenthub.models.jobs import AgentJob
from compliance.work.rows import Work


class Upload(Work):
    """A document that a client lent to the hub, to name its URL in start requests. Due when it is
    to go."""

    class Status(models.TextChoices):
        KEPT = "kept", _("Kept")
        GONE = "gone", _("Gone")

    FLOW = {Status.KEPT: {Status.GONE}}

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(Account, models.CASCADE, related_name="uploads")
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.KEPT
    )
    file = models.FileField(upload_to="uploads/", blank=True)
    file_name = models.CharField(max_length=255, blank=True)
    content_type = models.CharField(max_length=80)
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.file_name or str(self.pk)


class DocumentPrint(models.Model):
    """A mark by which a document is known again in another case: hashes, and never its words."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="document_prints")
    job = models.ForeignKey(AgentJob, models.CASCADE, related_name="document_prints")
    case_id = models.CharField(max_length=255)
    subject_name = models.CharField(
        max_length=64, help_text="sha256 of the attested name, hex."
    )
    subject_number = models.CharField(
        max_length=64, blank=True, help_text="sha256 of the attested number, hex."
    )
    kind = models.CharField(max_length=16)
    value = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["job", "kind", "value"], name="one_print_per_job"
            )
        ]
        indexes = [
            models.Index(fields=["account", "kind", "value"], name="agenthub_print")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.value[:12]}"


# The tables of lists and registers stand beside what fills them; Django looks for models here.
from agenthub.models import companies as registry  # noqa: E402, F401
from agenthub.models import lists as screening  # noqa: E402, F401
