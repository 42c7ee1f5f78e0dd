"""What fields of the models stand on. Migrations name these, so none of them may be renamed or go:
a module without models, which runs with any state of the database.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.http import outbound

# How soon a case is due where no clock says otherwise.
DUE = timedelta(hours=24)


def first_due() -> datetime:
    return now() + DUE


def validate_address(url: str) -> None:
    try:
        outbound.origin(url)
    except outbound.BlockedError as exc:
        raise ValidationError(
            _("Enter an address that starts with http:// or https://.")
        ) from exc
