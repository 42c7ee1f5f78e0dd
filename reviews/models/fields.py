"""Defaults, validators and choices that the fields of the models use.

Migrations import them by name, so nothing here may be renamed or removed. The module has no
models: it runs with any state of the database.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.http import outbound

# The time until a case is due if no `Clock` fits it.
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


class SubscriptionEvent(models.TextChoices):
    """The events of a case for which a subscriber may get webhooks."""

    CREATED = "case.created", gettext_lazy("A case was opened")
    READY = "case.ready", gettext_lazy("Its checks have ended")
    NEEDS_ATTENTION = (
        "case.needs_attention",
        gettext_lazy("Its checks could not be done"),
    )
    ASSIGNED = "case.assigned", gettext_lazy("It was assigned, or taken back")
    WAITING = "case.waiting", gettext_lazy("The applicant was asked")
    ANSWERED = "case.answered", gettext_lazy("The applicant has answered")
    ESCALATED = "case.escalated", gettext_lazy("It was escalated")
    PROPOSED = "case.proposed", gettext_lazy("A decision waits for a second person")
    DECIDED = "case.decided", gettext_lazy("It was decided")
    REOPENED = "case.reopened", gettext_lazy("It was reopened")
    REVIEW_OPENED = "case.review_opened", gettext_lazy("A periodic review was opened")


def of_decisions() -> list[str]:
    """The default events: all that subscribers got before they could choose."""
    return [SubscriptionEvent.DECIDED.value, SubscriptionEvent.REOPENED.value]


def validate_events(value: object) -> None:
    if not isinstance(value, list) or not value:
        raise ValidationError(_("Choose at least one event."))
    unknown = []
    for event in value:
        if event not in SubscriptionEvent.values:
            unknown.append(str(event))
    if unknown:
        text = _("There is no event %(names)s.")
        raise ValidationError(text % {"names": ", ".join(unknown)})
