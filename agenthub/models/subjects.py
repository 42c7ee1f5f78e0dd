"""Marks that connect cases of one subject, and addresses where many businesses are registered."""

from __future__ import annotations

from django.db import models

from agenthub.models.accounts import Account
from agenthub.models.jobs import AgentJob


class SubjectMark(models.Model):
    """A keyed hash of a fact that a case attests, by which other cases of the same subject are found.

    The fact itself is not stored."""

    account = models.ForeignKey(
        Account, models.CASCADE, related_name="+", db_index=False
    )
    job = models.ForeignKey(
        AgentJob, models.CASCADE, related_name="subject_marks", db_index=False
    )
    case_id = models.CharField(max_length=255)
    value = models.CharField(max_length=32)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["job", "value"], name="one_mark_per_job")
        ]
        indexes = [
            models.Index(
                fields=["account", "value", "id"], name="agenthub_subject_mark"
            )
        ]

    def __str__(self) -> str:
        return self.value


class AddressList(models.Model):
    """A list of addresses of registered agents, virtual offices and the like, as last loaded."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=120)
    loaded_at = models.DateTimeField(auto_now=True)
    file_name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    address_count = models.PositiveIntegerField(default=0)
    rows_sha256 = models.CharField(
        max_length=64, blank=True, help_text="Of all addresses."
    )

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return f"{self.title} of {self.loaded_at:%Y-%m-%d}"


class AddressEntry(models.Model):
    """An address of such a list. `place` is a normal form that is the same for all spellings."""

    list = models.ForeignKey(AddressList, models.CASCADE, related_name="entries")
    place = models.CharField(max_length=120)
    kind = models.CharField(max_length=60)
    name = models.CharField(max_length=255, blank=True)
    address = models.JSONField()

    class Meta:
        verbose_name_plural = "address entries"
        indexes = [models.Index(fields=["place"], name="agenthub_address_place")]

    def __str__(self) -> str:
        return self.name or self.kind
