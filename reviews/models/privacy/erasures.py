"""Erasures of cases, planned and done."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from compliance.work.rows import Work
from reviews.models.cases import Case
from reviews.models.privacy.retention import RetentionRule


class Erasure(Work):
    """The erasure of a case, planned or done: by which rule or at whose request, and what
    remains.

    Due when it can be carried out, and again while the service must be asked.
    """

    class Status(models.TextChoices):
        PLANNED = "planned", _("Planned")
        RUNNING = "running", _("Erased here, the service is asked")
        DONE = "done", _("Done")
        REFUSED = "refused", _("Refused")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    FLOW = {
        Status.PLANNED: {Status.RUNNING, Status.REFUSED, Status.WITHDRAWN},
        Status.RUNNING: {Status.DONE},
    }

    case = models.ForeignKey(Case, models.PROTECT, related_name="erasures")
    rule = models.ForeignKey(
        RetentionRule, models.PROTECT, null=True, related_name="erasures"
    )
    # A copy of the rule at that time, because rules change.
    rule_name = models.CharField(max_length=160, blank=True)
    reason = models.TextField(
        blank=True, help_text="Such as the number of the request; without a name."
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    planned_at = models.DateTimeField(auto_now_add=True)
    needs_second = models.BooleanField(default=False)
    second_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    second_at = models.DateTimeField(null=True)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.PLANNED
    )
    refusal = models.TextField(blank=True, help_text="Why it was refused or withdrawn.")
    erased_at = models.DateTimeField(null=True)
    # Rows emptied or removed by model, and files: {"reviews.Document": 3, …, "files": 4}.
    counts = models.JSONField(default=dict, blank=True)
    # What remains and why, one sentence each.
    remains = models.JSONField(default=list, blank=True)
    service = models.TextField(
        blank=True, help_text="What became of it at the service."
    )
    # The last answer of a service that has not erased the data yet.
    waits_for = models.TextField(blank=True)
    done_at = models.DateTimeField(null=True)

    class Meta(Work.Meta):
        ordering = ["-id"]
        # The second person is not the one who planned it. A case has one erasure at a time.
        constraints = [
            models.CheckConstraint(
                condition=Q(second_by__isnull=True)
                | Q(by__isnull=True)
                | ~Q(second_by=F("by")),
                name="erasure_by_two_people",
            ),
            models.UniqueConstraint(
                fields=["case"],
                condition=Q(status__in=["planned", "running"]),
                name="one_erasure_at_a_time",
            ),
        ]
        permissions = [
            ("confirm_erasure", "Can confirm the erasure that somebody else planned")
        ]

    def __str__(self) -> str:
        return f"Erasure of {self.case.reference}"

    @property
    def waits_for_second(self) -> bool:
        is_planned = self.status == self.Status.PLANNED
        return is_planned and self.needs_second and self.second_by_id is None
