"""The institution that files with FinCEN: read it, change it, list what is missing."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from reviews.access import roles
from reviews.filings.fincen import codes
from reviews.models import ReportingInstitution
from reviews.models.filings.institution import ONLY

# Required columns of the institution → label on the page where they are entered.
NEEDED = {
    "name": _("Name of the institution"),
    "tin": _("Tax number (TIN)"),
    "tin_type": _("Kind of tax number"),
    "regulator": _("Primary federal regulator"),
    "kind": _("Type of institution"),
    "street": _("Street"),
    "city": _("City"),
    "postal_code": _("ZIP or postal code"),
    "country": _("Country"),
    "office": _("Contact office"),
    "office_phone": _("Phone of the contact office"),
    "transmitter": _("Name of the transmitter"),
    "transmitter_tin": _("Tax number (TIN) of the transmitter"),
    "transmitter_code": _("Transmitter control code (TCC)"),
    "transmitter_contact": _("Contact of the transmitter"),
    "transmitter_phone": _("Phone of the transmitter"),
    "transmitter_street": _("Street of the transmitter"),
    "transmitter_city": _("City of the transmitter"),
    "transmitter_postal_code": _("ZIP or postal code of the transmitter"),
    "transmitter_country": _("Country of the transmitter"),
}
OTHER_KIND = _("Other type of institution, in words")
STATE = _("State/region")
TRANSMITTER_STATE = _("State of the transmitter")


def current() -> ReportingInstitution | None:
    """The institution, or None if this installation does not file with FinCEN."""
    return ReportingInstitution.objects.filter(pk=ONLY).first()


def change(*, actor: User, **values: str) -> ReportingInstitution:
    """Store the facts about the institution. Raises PermissionDenied.

    Call it only from a view that changes settings: that view records the old and new values.
    """
    roles.require(actor, roles.FILING_SETUP)
    row = current() or ReportingInstitution()
    for name, value in values.items():
        setattr(row, name, value)
    row.save()
    return row


def missing(row: ReportingInstitution) -> list[str]:
    """The labels of the required columns that are still empty."""
    names = []
    for field, label in NEEDED.items():
        if not getattr(row, field):
            names.append(str(label))
    if row.kind in codes.OTHER_INSTITUTIONS and not row.other_kind:
        names.append(str(OTHER_KIND))
    if row.country in codes.WITH_STATES and not row.state:
        names.append(str(STATE))
    if row.transmitter_country in codes.WITH_STATES and not row.transmitter_state:
        names.append(str(TRANSMITTER_STATE))
    return names
