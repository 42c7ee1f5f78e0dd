"""Second looks: a person decides a drawn case again without knowing the first decision."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from compliance.db.states import Stateful
from compliance.security.personal_fields import PersonalTextField
from reviews.models.cases import Case
from reviews.models.decisions import ENDING, Decision


class SecondLook(Stateful):
    """A decision that was drawn for a second look, and the outcome of that look."""

    class Status(models.TextChoices):
        OPEN = "open", _("Waits for a person")
        TAKEN = "taken", _("Taken")
        GIVEN = "given", _("Given")

    # Until the look is given, no list says how the case was decided.
    WAITING = (Status.OPEN, Status.TAKEN)
    FLOW = {
        Status.OPEN: {Status.TAKEN},
        Status.TAKEN: {Status.OPEN, Status.GIVEN},
    }

    case = models.ForeignKey(Case, models.PROTECT, related_name="second_looks")
    decision = models.OneToOneField(
        Decision, models.PROTECT, related_name="second_look"
    )
    share = models.PositiveSmallIntegerField(
        help_text="Percent of the decisions that were drawn then."
    )
    drawn_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.OPEN
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    taken_at = models.DateTimeField(null=True)
    outcome = models.CharField(
        max_length=12, blank=True, choices=[(o.value, o.label) for o in ENDING]
    )
    rationale = PersonalTextField(default="", blank=True)
    given_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        # A completed look needs an outcome and a rationale. An open look belongs to nobody.
        constraints = [
            models.CheckConstraint(
                condition=~Q(status="given")
                | Q(by__isnull=False) & ~Q(outcome="") & ~Q(rationale=""),
                name="given_by_somebody_with_a_rationale",
            ),
            models.CheckConstraint(
                condition=Q(status="open") & Q(by__isnull=True)
                | ~Q(status="open") & Q(by__isnull=False),
                name="open_or_of_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"Second look {self.pk}"

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()
