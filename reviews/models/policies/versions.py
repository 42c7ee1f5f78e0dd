"""Base classes of the versions of policies and procedures, and of their trials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from compliance.db.states import Stateful
from compliance.work.rows import Work


class VersionStatus(models.TextChoices):
    DRAFT = "draft", _("Draft")
    LIVE = "live", pgettext_lazy("version", "Live")
    RETIRED = "retired", _("Replaced")


class Version(Stateful):
    """One version. Its content never changes: each edit creates a new version."""

    Status = VersionStatus
    FLOW = {
        VersionStatus.DRAFT: {VersionStatus.LIVE},
        VersionStatus.LIVE: {VersionStatus.RETIRED},
    }

    number = models.PositiveIntegerField()
    note = models.CharField(max_length=200, help_text="What is new in it, and why.")
    status = models.CharField(
        max_length=16, choices=VersionStatus.choices, default=VersionStatus.DRAFT
    )
    made_at = models.DateTimeField(auto_now_add=True)
    live_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class TrialStatus(models.TextChoices):
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")


# Members of the counts of a trial, beside those of its kind.
NOT_TRIED = "not_tried"
NOT_TRIED_CASES = "not_tried_cases"


@dataclass(frozen=True, slots=True)
class NotTried:
    """Cases that a trial could not evaluate: how many, and the ids of the first of them."""

    count: int
    cases: list[int]


class Trial(Work):
    """A trial ("what-if"): a worker tests a version on past cases. It writes no row of a case."""

    Status = TrialStatus
    FLOW = {TrialStatus.RUNNING: {TrialStatus.DONE}}

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    begun_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)
    status = models.CharField(
        max_length=16, choices=TrialStatus.choices, default=TrialStatus.RUNNING
    )
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    # Trials work in the order of case ids, so this is where an interrupted trial continues.
    last_case = models.PositiveBigIntegerField(
        default=0, help_text="Those up to this number are done."
    )
    counts: models.JSONField[Any] = models.JSONField(default=dict)

    class Meta(Work.Meta):
        abstract = True

    @property
    def not_tried(self) -> NotTried:
        return NotTried(
            int(self.counts.get(NOT_TRIED, 0)), self.counts.get(NOT_TRIED_CASES, [])
        )
