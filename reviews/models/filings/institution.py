"""The institution that files reports with FinCEN, and the transmitter of the file."""

from __future__ import annotations

from django.db import models

ONLY = 1  # the primary key of the only row


class ReportingInstitution(models.Model):
    """One row. An empty field was not entered yet; reviews.filings.fincen knows which are
    required.

    Codes are those of the form: reviews.filings.fincen.codes lists them.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY)
    name = models.CharField(max_length=150)
    tin = models.CharField(max_length=25, blank=True)
    tin_type = models.CharField(max_length=1, blank=True)
    regulator = models.CharField(max_length=2, blank=True)
    # "TYPE" or "TYPE-SUBTYPE".
    kind = models.CharField(max_length=8, blank=True)
    other_kind = models.CharField(max_length=50, blank=True)
    street = models.CharField(max_length=100, blank=True)
    city = models.CharField(max_length=50, blank=True)
    state = models.CharField(max_length=3, blank=True)
    postal_code = models.CharField(max_length=9, blank=True)
    country = models.CharField(max_length=2, blank=True)
    # The contact office for questions of an authority about a report.
    office = models.CharField(max_length=150, blank=True)
    office_phone = models.CharField(max_length=16, blank=True)
    office_extension = models.CharField(max_length=6, blank=True)
    # The transmitter sends the file: the institution itself, or a service provider.
    transmitter = models.CharField(max_length=150, blank=True)
    transmitter_tin = models.CharField(max_length=25, blank=True)
    transmitter_code = models.CharField(
        max_length=8, blank=True, help_text="The control code that FinCEN has given."
    )
    transmitter_contact = models.CharField(max_length=150, blank=True)
    transmitter_phone = models.CharField(max_length=16, blank=True)
    transmitter_street = models.CharField(max_length=100, blank=True)
    transmitter_city = models.CharField(max_length=50, blank=True)
    transmitter_state = models.CharField(max_length=3, blank=True)
    transmitter_postal_code = models.CharField(max_length=9, blank=True)
    transmitter_country = models.CharField(max_length=2, blank=True)

    class Meta:
        verbose_name = "reporting institution"

    def __str__(self) -> str:
        return self.name
