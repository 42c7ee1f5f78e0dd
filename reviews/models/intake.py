"""Drafts of cases, imports of cases, and requests to applicants."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.languages import english
from compliance.security.data_keys import INSTALLATION
from compliance.security.encryption import EncryptedTextField
from compliance.security.personal_fields import PersonalFileField, PersonalTextField
from compliance.work.rows import Work
from reviews.models.documents import Document
from reviews.models.service import Agent, Kind


class Draft(models.Model):
    """A person's draft of a case, one per kind.

    Deleted when it is submitted, or after some days.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="drafts"
    )
    kind = models.CharField(max_length=3, choices=Kind.choices)
    # Encrypted and not searchable: it holds what an applicant attested, and only its owner
    # reads it.
    typed = EncryptedTextField(help_text="JSON: the fields by their names.")
    updated_at = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "kind"], name="one_draft_of_each_kind"
            )
        ]

    @english()
    def __str__(self) -> str:
        return f"{self.user}: {self.get_kind_display()}"


class DraftFile(Work):
    """A file that was uploaded to a form which is not submitted yet.

    It belongs to a user, or to the link of an applicant (a request or an invitation). Due when
    it must be deleted.
    """

    class Status(models.TextChoices):
        KEPT = "kept", _("Kept")

    FLOW = {Status.KEPT: set[str]()}

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="draft_files"
    )
    request = models.ForeignKey(
        "reviews.InformationRequest",
        models.CASCADE,
        null=True,
        related_name="draft_files",
    )
    invitation = models.ForeignKey(
        "reviews.Invitation", models.CASCADE, null=True, related_name="draft_files"
    )
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.KEPT
    )
    kind = models.CharField(max_length=40, choices=Document.Kind.choices)
    file = PersonalFileField(upload_to="drafts/%Y/%m/", max_length=255)
    file_name = PersonalTextField(max_length=255)
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(Work.Meta):
        ordering = ["created_at", "id"]
        constraints = [
            models.CheckConstraint(
                # XOR of three is true for one of them, and also for all three, which the next
                # part excludes.
                condition=(
                    models.Q(user__isnull=False)
                    ^ models.Q(request__isnull=False)
                    ^ models.Q(invitation__isnull=False)
                )
                & ~models.Q(
                    user__isnull=False,
                    request__isnull=False,
                    invitation__isnull=False,
                ),
                name="draft_file_has_one_owner",
            )
        ]

    def __str__(self) -> str:
        return str(self.file_name)

    def data_key_id_for_personal(self) -> int:
        # A file of a draft or an invitation has no case yet, so the key of the installation is
        # used.
        if self.request is None:
            return INSTALLATION
        return self.request.data_key_id_for_personal()


class CaseImport(Work):
    """A file of many cases: a person checks and maps it, then a worker opens case by case.

    Due when it runs, or when an unconfirmed file must be deleted.
    """

    class Status(models.TextChoices):
        CHECKED = "checked", _("Waits for you")
        RUNNING = "running", _("Under way")
        DONE = "done", _("Done")
        FAILED = "failed", _("Stopped")

    FLOW = {
        Status.CHECKED: {Status.RUNNING},
        Status.RUNNING: {Status.DONE, Status.FAILED},
    }

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="imports"
    )
    agent = models.ForeignKey(Agent, models.PROTECT, related_name="imports")
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.CHECKED
    )
    # Deleted when the cases are open: then they hold its content.
    file = PersonalFileField(upload_to="imports/%Y/%m/", max_length=255, blank=True)
    file_name = PersonalTextField(max_length=255)
    # The file names people and companies: who guesses its lines could confirm them by the hash.
    sha256 = models.CharField(
        max_length=64, blank=True, help_text="Empty when the file is gone."
    )
    mapping = models.JSONField(
        default=list,
        help_text="For each column a member of the case, or an empty text.",
    )
    joins_rows = models.BooleanField(
        default=False, help_text="The rows of one id become one case."
    )
    total = models.PositiveIntegerField(default=0, help_text="Of its records.")
    done = models.PositiveIntegerField(default=0, help_text="So many from the front.")
    error = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta(Work.Meta):
        ordering = ["-created_at", "-id"]

    @english()
    def __str__(self) -> str:
        return f"{self.agent}: {self.get_status_display()}"

    def data_key_id_for_personal(self) -> int:
        # The file has data of many cases, and is deleted when they are open.
        return INSTALLATION


class ImportedRow(models.Model):
    """The result of one line of an imported file.

    It repeats nothing of the line but the reference.
    """

    class Outcome(models.TextChoices):
        OPENED = "opened", _("Opened")
        JOINED = "joined", _("Joined")
        REFUSED = "refused", _("Refused")

    source = models.ForeignKey(CaseImport, models.CASCADE, related_name="rows")
    line = models.PositiveIntegerField()
    reference = models.CharField(max_length=255, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    case = models.ForeignKey(
        "reviews.Case", models.PROTECT, null=True, related_name="imported_rows"
    )
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["line"]
        constraints = [
            models.UniqueConstraint(
                fields=["source", "line"], name="one_outcome_of_each_line"
            )
        ]

    @english()
    def __str__(self) -> str:
        return f"{self.line}: {self.get_outcome_display()}"


class InformationRequest(Work):
    """Asks the applicant for documents, by a link that expires. Due when it expires."""

    class Status(models.TextChoices):
        OPEN = "open", _("Waits for the applicant")
        ANSWERED = "answered", _("Answered")
        EXPIRED = "expired", _("Expired")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    FLOW = {Status.OPEN: {Status.ANSWERED, Status.EXPIRED, Status.WITHDRAWN}}

    case = models.ForeignKey("reviews.Case", models.PROTECT, related_name="requests")
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.OPEN
    )
    message = PersonalTextField(help_text="Shown to the applicant.")
    kinds = models.JSONField(
        default=list, help_text="The kinds of documents asked for."
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    answer = PersonalTextField(
        default="", blank=True, help_text="What the applicant wrote."
    )
    answered_at = models.DateTimeField(null=True)
    draft = PersonalTextField(
        default="", blank=True, help_text="What the applicant has typed and not sent."
    )

    class Meta(Work.Meta):
        ordering = ["-id"]

    @english()
    def __str__(self) -> str:
        return f"{self.case}: {self.get_status_display()}"

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()
