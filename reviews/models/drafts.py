"""What was typed into the form of a case and not submitted yet."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from compliance.encryption import EncryptedTextField
from reviews.models.cases import Kind


class Draft(models.Model):
    """One person's draft of a case of one kind; gone when it is submitted, or after a while."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="drafts")
    kind = models.CharField(max_length=3, choices=Kind.choices)
    # Nobody else reads it, and no search: it holds what an applicant attested.
    typed = EncryptedTextField(help_text="JSON: the fields by their names.")
    updated_at = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="one_draft_of_each_kind")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_kind_display()}"
