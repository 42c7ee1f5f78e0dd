"""Models of the queue: clocks (SLA), saved views, layouts, and acts on many cases."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from compliance.db.states import Stateful
from compliance.languages import english
from compliance.work.rows import Work


class Clock(models.Model):
    """How soon a case is due (SLA). If several clocks fit a case, the shortest applies."""

    name = models.CharField(max_length=80, unique=True)
    minutes = models.PositiveIntegerField(
        help_text="From the submission to the decision."
    )
    agent = models.ForeignKey(
        "reviews.Agent", models.CASCADE, null=True, blank=True, help_text="Empty: any."
    )
    risk = models.PositiveIntegerField(
        default=0, help_text="For cases with at least so many findings against them."
    )
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class SavedView(models.Model):
    """A named query string of the queue, of one person or of a team."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="saved_views"
    )
    team = models.ForeignKey(
        "reviews.Team",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="saved_views",
    )
    name = models.CharField(max_length=40)
    query = models.CharField(max_length=500)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Columns(NamedTuple):
    """For each column of the queue, whether it is shown."""

    due: bool
    case: bool
    type: bool
    agent: bool
    risk: bool
    band: bool
    checks: bool
    finding: bool
    documents: bool
    analyst: bool
    age: bool


class Pick(NamedTuple):
    """An option of a list of choices, and whether it is chosen."""

    name: str
    title: str
    is_on: bool


class QueueLayout(models.Model):
    """A person's layout of the queue: hidden columns, and the density of the rows."""

    class Density(models.TextChoices):
        COMFORTABLE = "comfortable", _("Comfortable")
        COMPACT = "compact", _("Compact")

    # The columns that a person may hide, with their headings.
    COLUMNS = {
        "due": _("Due"),
        "case": _("Case"),
        "type": _("Type"),
        "agent": _("Agent"),
        "risk": _("Adverse findings"),
        "band": _("Risk"),
        "checks": _("Checks"),
        "finding": _("First finding"),
        "documents": _("Docs"),
        "analyst": _("Analyst"),
        "age": _("Age"),
    }

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="queue_layout",
    )
    hidden = models.JSONField(default=list)
    density = models.CharField(
        max_length=12, choices=Density.choices, default=Density.COMFORTABLE
    )

    def __str__(self) -> str:
        return f"{self.user}: {self.density}"

    @property
    def shown(self) -> Columns:
        return Columns(**{name: name not in self.hidden for name in self.COLUMNS})

    @property
    def picks(self) -> tuple[Pick, ...]:
        """The columns as options."""
        columns = self.COLUMNS.items()
        return tuple(
            Pick(name, str(title), name not in self.hidden) for name, title in columns
        )

    @property
    def densities(self) -> tuple[Pick, ...]:
        choices = self.Density.choices
        return tuple(
            Pick(name, str(title), name == self.density) for name, title in choices
        )


class BulkAct(Work):
    """One act on many cases. A worker does it, and the row shows the progress."""

    class Act(models.TextChoices):
        ASSIGN = "assign", _("Assign")
        SNOOZE = "snooze", _("Snooze")
        RUN_AGAIN = "run_again", _("Run again")
        APPROVE = "approve", _("Approve")

    class Status(models.TextChoices):
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")

    FLOW = {Status.RUNNING: {Status.DONE}}

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="bulk_acts"
    )
    act = models.CharField(max_length=12, choices=Act.choices)
    to = models.JSONField(
        default=dict, help_text='{"analyst": id}, {"until": time} or {"approval": id}'
    )
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.RUNNING
    )
    cases = models.JSONField(help_text="The ids, in the order in which they are done.")
    done = models.PositiveIntegerField(default=0, help_text="So many from the front.")
    # Cases that refused the act: [[reference, reason], …]
    refused: models.JSONField[Any] = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(Work.Meta):
        ordering = ["-id"]

    @english()
    def __str__(self) -> str:
        return f"{self.get_act_display()}: {self.done} of {len(self.cases)}"

    @property
    def changed(self) -> int:
        """The number of cases that have been changed so far, without those that refused."""
        return self.done - len(self.refused)


class BulkApproval(Stateful):
    """A bulk approval of clean cases.

    A share of the cases is drawn at random as a sample before any case is approved.
    """

    class Status(models.TextChoices):
        DRAWN = "drawn", _("Sample drawn")
        CONFIRMED = "confirmed", _("Confirmed")

    FLOW = {Status.DRAWN: {Status.CONFIRMED}}

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    share = models.PositiveSmallIntegerField(
        help_text="Percent of the cases that were drawn, at least one case."
    )
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.DRAWN
    )
    reasons = models.JSONField(
        default=list, help_text="The codes that each approval gives as its reasons."
    )
    act = models.OneToOneField(
        "reviews.BulkAct", models.SET_NULL, null=True, related_name="approval"
    )

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"Bulk approval {self.pk}"


class BulkApprovalCase(models.Model):
    """A case of a bulk approval, with its revision when the sample was drawn."""

    approval = models.ForeignKey(BulkApproval, models.PROTECT, related_name="cases")
    case = models.ForeignKey(
        "reviews.Case", models.PROTECT, related_name="bulk_approvals"
    )
    revision = models.CharField(
        max_length=32, help_text="Of the case: later it is not approved in bulk."
    )
    is_sample = models.BooleanField(
        help_text="Drawn for a full look: it is not approved in bulk."
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["approval", "case"], name="once_in_a_bulk_approval"
            )
        ]
        indexes = [
            models.Index(
                fields=["-approval"],
                condition=Q(is_sample=True),
                name="reviews_bulk_sample",
            )
        ]

    def __str__(self) -> str:
        return f"{self.case_id} in {self.approval_id}"
