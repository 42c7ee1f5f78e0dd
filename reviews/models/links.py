"""What leads from a case to others, and who is looking at it."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Identifier(models.Model):
    """A name, number or address of a case's subject, such that the same one is found in others."""

    class Kind(models.TextChoices):
        NAME = "name", "Same name"
        NUMBER = "number", "Same number"
        ADDRESS = "address", "Same address"

    case = models.ForeignKey("reviews.Case", models.CASCADE, related_name="identifiers")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    # Of its letters and digits: as long as a key may be, whatever was attested.
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["case", "kind", "digest"], name="one_identifier_of_a_kind"
            )
        ]
        indexes = [models.Index(fields=["digest", "-case"], name="reviews_identifier_same")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.case_id}"


class Presence(models.Model):
    """Somebody has the page of a case open. It ends by itself when nothing is heard any more."""

    case = models.ForeignKey("reviews.Case", models.CASCADE, related_name="presences")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    since = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["case", "user"], name="one_presence_per_person")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.case_id}"
