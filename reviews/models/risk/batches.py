"""The cases that follow a new version of the risk policy, in batches."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.work.rows import Work
from reviews.models.risk.policies import RiskPolicy


class RatingBatch(Work):
    """The cases with these ids, which a worker rates by a version that was made live.

    The batches of a version are deleted when the last of them is done. The line of the audit
    trail that says so has their figures.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        DONE = "done", _("Done")

    FLOW = {Status.WAITING: {Status.DONE}}

    policy = models.ForeignKey(RiskPolicy, models.PROTECT, related_name="+")
    first_case = models.PositiveBigIntegerField()
    last_case = models.PositiveBigIntegerField()
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.WAITING
    )
    changed = models.PositiveIntegerField(
        default=0, help_text="Cases with a new rating: another score or band."
    )
    stayed = models.PositiveIntegerField(
        default=0, help_text="Cases with the same score and band by this version."
    )
    read_again = models.PositiveIntegerField(
        default=0, help_text="Cases whose inputs are read again, one by one."
    )

    class Meta(Work.Meta):
        ordering = ["id"]
        verbose_name_plural = "rating batches"
        constraints = [
            models.UniqueConstraint(
                fields=["policy", "first_case"], name="one_rating_batch_of_a_range"
            )
        ]

    def __str__(self) -> str:
        return f"{self.policy}: cases {self.first_case} to {self.last_case}"
