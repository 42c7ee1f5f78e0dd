"""Versions of the procedure for a kind of case, and the marks on its checklist."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from compliance.security.personal_fields import PersonalTextField
from reviews.models.policies.versions import Version
from reviews.models.service import Kind


class Procedure(Version):
    """One version: the fields that the desk adds to a case, and its checklist.

    A case stays with the version that was live when it was opened.
    """

    kind = models.CharField(max_length=3, choices=Kind.choices)
    content = models.JSONField(help_text='{"fields": […], "items": […]}')
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )

    class Meta:
        # Older versions first: when one version replaces another, the old one must be retired
        # before the new one is live, because only one may be live.
        ordering = ["kind", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "number"], name="one_procedure_of_a_number"
            ),
            models.UniqueConstraint(
                fields=["kind"],
                condition=Q(status="live"),
                name="one_live_procedure",
            ),
        ]

    def __str__(self) -> str:
        return f"Procedure {self.kind} {self.number}"


class ChecklistMark(models.Model):
    """A person ticked an item of the checklist of a case, or explained why it is not needed."""

    class Kind(models.TextChoices):
        TICKED = "ticked", _("Ticked")
        EXPLAINED = "explained", _("Explained")

    case = models.ForeignKey(
        "reviews.Case", models.PROTECT, related_name="checklist_marks"
    )
    item = models.CharField(max_length=60, help_text="Its key in the procedure.")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    note = PersonalTextField(default="", blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["case", "item"], name="one_mark_of_an_item"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.kind}"

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()
