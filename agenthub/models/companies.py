"""Registers of companies, and the index for searching them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from compliance.db.states import Stateful


class RegistryLoad(Stateful):
    """One load of a register.

    It is staging until the whole file was read; one per register is active.
    """

    class Status(models.TextChoices):
        STAGING = "staging", _("Being loaded")
        ACTIVE = "active", _("Active")
        RETIRED = "retired", _("Replaced")
        REJECTED = "rejected", _("Refused")

    FLOW = {
        Status.STAGING: {Status.ACTIVE, Status.REJECTED},
        Status.ACTIVE: {Status.RETIRED},
    }

    slug = models.SlugField(max_length=60)
    title = models.CharField(max_length=120)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.STAGING
    )
    loaded_at = models.DateTimeField(auto_now_add=True)
    file_name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    company_count = models.PositiveIntegerField(default=0)
    has_leis = models.BooleanField(default=False)
    rows_sha256 = models.CharField(
        max_length=64,
        blank=True,
        help_text="Of all companies and of their index; empty before they are complete.",
    )
    note = models.TextField(blank=True, help_text="Why it was refused.")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["slug"],
                condition=Q(status="active"),
                name="one_active_registry",
            ),
            models.UniqueConstraint(
                fields=["slug"],
                condition=Q(status="staging"),
                name="one_registry_load_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} of {self.loaded_at:%Y-%m-%d}"


class RegistryCompany(models.Model):
    """A company in a register. `key` is its name, normalised for comparison."""

    load = models.ForeignKey(RegistryLoad, models.CASCADE)
    name = models.TextField()
    key = models.CharField(max_length=200)
    lei = models.CharField(max_length=20, blank=True)
    number = models.CharField(max_length=100, blank=True)
    country = models.CharField(max_length=2, blank=True)
    facts = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "registry companies"
        indexes = [
            models.Index(fields=["key"], name="agenthub_registry_key"),
            models.Index(
                fields=["lei"], name="agenthub_registry_lei", condition=~Q(lei="")
            ),
        ]

    def __str__(self) -> str:
        return self.name


class RegistryPosting(models.Model):
    """A posting of the index: the companies with this key, as ascending ids of 8 bytes each."""

    load = models.ForeignKey(RegistryLoad, models.CASCADE)
    key = models.BigIntegerField()
    count = models.PositiveIntegerField()
    companies = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["key", "load"], name="one_registry_posting_per_key"
            )
        ]

    def __str__(self) -> str:
        return str(self.key)
