"""Notes, attachments and tags of a case."""

from __future__ import annotations

from datetime import UTC

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils.functional import cached_property

from compliance.security.personal_fields import PersonalFileField, PersonalTextField
from compliance.storage import stored_files


class Tag(models.Model):
    """A label for cases."""

    name = models.CharField(max_length=40)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(Lower("name"), name="one_tag_per_name")]

    def __str__(self) -> str:
        return self.name


class Note(models.Model):
    """A remark on a case. The audit trail has its earlier versions."""

    case = models.ForeignKey("reviews.Case", models.PROTECT, related_name="notes")
    text = PersonalTextField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="notes"
    )
    mentions = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="mentioned_in"
    )
    at = models.DateTimeField(auto_now_add=True)
    edited_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return str(self.text[:60])

    @property
    def version(self) -> str:
        """When the text was last changed. Empty: never."""
        if self.edited_at is None:
            return ""
        return self.edited_at.astimezone(UTC).isoformat(timespec="microseconds")

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()


class Attachment(models.Model):
    """A file of a note. No check examines it."""

    note = models.ForeignKey(Note, models.PROTECT, related_name="attachments")
    file = PersonalFileField(upload_to="attachments/%Y/%m/", max_length=255)
    file_name = PersonalTextField(max_length=255)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return str(self.file_name)

    def data_key_id_for_personal(self) -> int:
        return self.note.data_key_id_for_personal()

    @cached_property
    def fault(self) -> str:
        """Why the stored file is not the one that was attached; "" if it is. Reads the store."""
        return str(stored_files.fault_for_page(self.file, self.sha256) or "")
