"""Uploaded and quarantined files, and fingerprints of documents."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from agenthub.models.accounts import Account
from agenthub.models.jobs import AgentJob
from compliance.db.states import Stateful
from compliance.work.rows import Work


class Upload(Work):
    """A document that a client uploaded, to name its URL in start requests. Due when it expires."""

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


class QuarantinedFile(Stateful):
    """A file in which the scanner found malware, by its hash.

    Unreadable until a person releases it.
    """

    class Status(models.TextChoices):
        HELD = "held", _("In quarantine")
        RELEASED = "released", _("Released")
        REMOVED = "removed", _("Removed")

    FLOW = {Status.HELD: {Status.RELEASED, Status.REMOVED}}

    account = models.ForeignKey(
        Account, models.CASCADE, related_name="quarantined_files"
    )
    job = models.ForeignKey(
        AgentJob, models.SET_NULL, null=True, help_text="The first job that named it."
    )
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.HELD
    )
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    signature = models.CharField(max_length=200, help_text="What the scanner found.")
    scanner = models.CharField(
        max_length=200, help_text="Which scanner answered, by its own name."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    ended_by = models.CharField(max_length=150, blank=True)
    ended_at = models.DateTimeField(null=True)
    reason = models.TextField(
        blank=True, help_text="Why a person released or removed it."
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["account", "sha256"], name="one_quarantine_per_file"
            )
        ]

    def __str__(self) -> str:
        return f"{self.signature} {self.sha256[:12]}"


class DocumentPrint(models.Model):
    """A fingerprint that recognises a document in another case: a hash, never content."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="document_prints")
    job = models.ForeignKey(AgentJob, models.CASCADE, related_name="document_prints")
    case_id = models.CharField(max_length=255)
    subject_name = models.CharField(
        max_length=64, help_text="Keyed hash of the attested name, hex."
    )
    subject_number = models.CharField(
        max_length=64, blank=True, help_text="Keyed hash of the attested number, hex."
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


# Django looks for models here, so import those of lists and registers as well.
from agenthub.models import companies as registry  # noqa: E402, F401
from agenthub.models import lists as screening  # noqa: E402, F401
