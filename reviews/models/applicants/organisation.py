"""The organisation that runs the desk, as applicants see it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.work.rows import Work

ONLY = 1  # the primary key of the only row


class Organisation(Work):
    """One row: name, contact, colours and logo. Due when a new logo must be converted."""

    class Status(models.TextChoices):
        READY = "ready", _("Ready")

    FLOW = {Status.READY: set[str]()}

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.READY
    )
    name = models.CharField(max_length=100, blank=True)
    contact = models.CharField(
        max_length=200,
        blank=True,
        help_text="How applicants reach you: shown below each of their pages.",
    )
    # "#rrggbb". Empty: the colours of the desk.
    colour = models.CharField(max_length=7, blank=True)
    colour_dark = models.CharField(max_length=7, blank=True)
    # A WebP image that the desk has rendered. The uploaded bytes are never shown.
    logo = models.BinaryField(default=bytes, blank=True)
    logo_width = models.PositiveIntegerField(default=0)
    logo_height = models.PositiveIntegerField(default=0)
    # The uploaded bytes, until the logo is rendered.
    upload = models.BinaryField(default=bytes, blank=True)
    logo_fault = models.CharField(max_length=200, blank=True)
    remind_days = models.PositiveSmallIntegerField(
        default=0, help_text="An applicant is reminded after so many days; 0: never."
    )
    remind_most = models.PositiveSmallIntegerField(
        default=2, help_text="So many times at most."
    )

    class Meta(Work.Meta):
        verbose_name = "organisation"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(pk=ONLY), name="there_is_one_organisation"
            )
        ]

    def __str__(self) -> str:
        return self.name
