"""Periodic reviews: when an approved customer must be reviewed again, and the case opened for
it.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from compliance.security.personal_fields import PersonalJSONField
from compliance.work.rows import Work
from reviews.models.cases import Case
from reviews.models.decisions import Decision


class PeriodicReview(Work):
    """The next review of a customer, counted from one approval.

    Due on its date, and when something happens that may change the date. Each approval has one
    review, and each review opens at most one new case: the constraints enforce both.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waits for its date")
        OPENED = "opened", _("Has opened a case")
        ENDED = "ended", _("No longer needed")

    class Reason(models.TextChoices):
        BAND = "band", _("Interval of the risk band")
        DOCUMENT = "document", _("A document expires")
        RELATION = "relation", _("The relations of a party changed")
        OWNERSHIP = "ownership", _("Listed owners hold the customer")
        ALARM = "alarm", _("An alarm about a party of the case")

    FLOW = {Status.WAITING: {Status.OPENED, Status.ENDED}}

    case = models.ForeignKey(Case, models.PROTECT, related_name="periodic_reviews")
    decision = models.OneToOneField(
        Decision,
        models.PROTECT,
        related_name="periodic_review",
        help_text="The approval that it counts from.",
    )
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.WAITING
    )
    on = models.DateField(null=True, help_text="Empty: not computed yet.")
    reason = models.CharField(max_length=12, choices=Reason.choices, blank=True)
    opened_case = models.OneToOneField(
        Case,
        models.PROTECT,
        null=True,
        related_name="review_of",
        help_text="The new case. Empty: none yet, or the case itself was reopened.",
    )
    opened_at = models.DateTimeField(null=True)
    changes = PersonalJSONField(
        default=list, help_text="What happened between the approval and the opening."
    )

    class Meta(Work.Meta):
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["case"],
                condition=Q(status="waiting"),
                name="one_waiting_review_of_a_case",
            ),
        ]

    def __str__(self) -> str:
        return f"Review of {self.case_id} on {self.on or 'a date to be computed'}"

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()
