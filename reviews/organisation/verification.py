"""Compares what applicants see of the organisation with the last line about it, for `audit_verify`.

Whoever changes the contact on the pages of applicants has their documents sent to another place.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviews.models import CaseEvent, Organisation
from reviews.organisation import organisation


def faults() -> Iterator[str]:
    """An organisation that is not as its last line says."""
    lines = CaseEvent.objects.filter(what="organisation_changed").order_by("-pk")
    data = lines.values_list("data", flat=True).first()
    if data is None:
        # Nobody has entered anything, so applicants see no name.
        data = organisation.data_of_line(Organisation())
    present = organisation.data_of_line(organisation.current())
    for name, value in present.items():
        # A line of an earlier version has fewer members.
        if data.get(name, value) != value:
            yield f"reviews_organisation: its {name} is not as its last line says."
