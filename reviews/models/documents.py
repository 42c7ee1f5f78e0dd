"""Documents of cases, images of their pages, and the results of the malware scanner."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from compliance.languages import english
from compliance.scanning.rows import Scan
from compliance.security.personal_fields import (
    PersonalFileField,
    PersonalJSONField,
    PersonalTextField,
)
from compliance.storage import stored_files
from compliance.work.rows import Work
from reviews.models.cases import Case
from reviews.models.service import Kind

if TYPE_CHECKING:
    from reviews.models.notes import Attachment


class Document(Work):
    """A file of a case.

    A worker renders its pages as images, so that nobody opens the original.
    """

    class Kind(models.TextChoices):
        """The values are members of self_attested_data; those of ID pictures are members at
        OF_ID.
        """

        INCORPORATION = "incorporation_documents", _("Incorporation document")
        OWNERSHIP = "business_ownership_documents", _("Ownership document")
        ADDRESS = "proof_of_address_documents", _("Proof of address")
        FUNDS = "source_of_funds_documents", _("Source of funds")
        EIN = "ein_documents", _("EIN letter")
        MARKETING = "promo_marketing_documents", _("Marketing material")
        ID_FRONT = "front_image_url", _("ID, front")
        ID_BACK = "back_image_url", _("ID, back")
        SELFIE = "face_match_image_url", _("Selfie")

    class Status(models.TextChoices):
        PENDING = "pending", _("Being drawn")
        DRAWN = "drawn", pgettext_lazy("pages of a document", "Drawn")
        UNREADABLE = "unreadable", _("Cannot be shown")

    FLOW = {
        Status.PENDING: {Status.DRAWN, Status.UNREADABLE},
        # A page image was changed in the store, or a later scan found malware in the file.
        Status.DRAWN: {Status.PENDING, Status.UNREADABLE},
        Status.UNREADABLE: {Status.PENDING},  # the file was released from quarantine
    }

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    case = models.ForeignKey(Case, models.CASCADE, related_name="documents")
    kind = models.CharField(max_length=40, choices=Kind.choices)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.PENDING
    )
    reason = PersonalTextField(
        max_length=200, default="", blank=True, help_text="Why it cannot be shown."
    )
    file = PersonalFileField(upload_to="originals/%Y/%m/", blank=True, max_length=255)
    file_name = PersonalTextField(max_length=255)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    source_url = PersonalTextField(
        default="",
        blank=True,
        help_text="The address of the document, in a case imported from a service.",
    )
    # Not `claim_count`: a worker also claims the row when our own store or database is away.
    tries = models.PositiveSmallIntegerField(
        default=0, db_default=0, editable=False, help_text="Failed fetches of its file."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    request = models.ForeignKey(
        "reviews.InformationRequest",
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="documents",
        help_text="The request that it answers.",
    )
    links_after = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="Links to it that were made before have ended.",
    )

    class Meta(Work.Meta):
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return str(self.file_name)

    def get_kind_display(self) -> str:  # type: ignore[no-redef]
        """Faster than Django's own method.

        That one builds a dict of all choices for each call (44 µs), and a large case calls it
        180 times.
        """
        try:
            kind = self.Kind(self.kind)
        except ValueError:
            return self.kind
        return str(kind.label)

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()

    @cached_property
    def fault(self) -> str:
        """Why the stored file is not the one that was handed in; "" if it is. Reads the store."""
        return str(stored_files.fault_for_page(self.file, self.sha256) or "")


# In the interface the pictures of an ID and the selfie are not in lists of documents. Each is a
# URL at this path of the attested data.
OF_ID = ("government_id_verification_data", "id_data")
ID_PICTURES = (Document.Kind.ID_FRONT, Document.Kind.ID_BACK, Document.Kind.SELFIE)
DOCUMENT_KINDS: dict[str, tuple[Document.Kind, ...]] = {
    Kind.KYB.value: tuple(kind for kind in Document.Kind if kind not in ID_PICTURES),
    Kind.KYC.value: (*ID_PICTURES, Document.Kind.ADDRESS, Document.Kind.FUNDS),
}


class Page(models.Model):
    """The image of one page of a document, rendered by the desk, as the analyst sees it."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField(help_text="Counts from 1.")
    width = models.PositiveIntegerField(help_text="Pixels of the image.")
    height = models.PositiveIntegerField()
    image = PersonalFileField(upload_to="pages/%Y/%m/", max_length=255)
    sha256 = models.CharField(max_length=64, blank=True, help_text="Of the image.")
    # [[text, x0, y0, x1, y1], …]: fractions of the displayed page, origin at the top left.
    words = PersonalJSONField(default=list)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["document", "number"], name="one_page_per_number"
            )
        ]

    def __str__(self) -> str:
        return f"{self.document} p. {self.number}"

    def data_key_id_for_personal(self) -> int:
        return self.document.data_key_id_for_personal()


class FileScan(Scan):
    """The malware scan of one document, or of one file of a note.

    Without a scanner there is none.
    """

    document = models.OneToOneField(
        Document, models.CASCADE, null=True, related_name="scan"
    )
    attachment = models.OneToOneField(
        "reviews.Attachment", models.CASCADE, null=True, related_name="scan"
    )
    # The person who released the file or removed it.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    at = models.DateTimeField(null=True)
    because = models.TextField(blank=True, help_text="The reason that the person gave.")

    class Meta(Scan.Meta):
        permissions = [("release_file", "Can release or remove files in quarantine")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(document__isnull=False)
                ^ models.Q(attachment__isnull=False),
                name="scan_is_of_one_file",
            )
        ]

    @english()
    def __str__(self) -> str:
        return f"{self.row}: {self.get_status_display()}"

    @property
    def row(self) -> Document | Attachment:
        """The document or the attachment that the file belongs to."""
        row = self.document or self.attachment
        assert row is not None  # noqa: S101 - a constraint of the table
        return row

    @property
    def case(self) -> Case:
        if self.document:
            return self.document.case
        assert self.attachment is not None  # noqa: S101 - a constraint of the table
        return self.attachment.note.case

    @property
    def is_in_quarantine(self) -> bool:
        return self.status == self.Status.QUARANTINED
