"""Reports of suspicious activity about the subject of a case."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from compliance.db.states import Stateful
from compliance.security.personal_fields import PersonalJSONField, PersonalTextField


class SuspicionReport(Stateful):
    """One report, from the first draft to the receipt of the authority.

    Its sentences are personal data. The subject and other outsiders must not learn that it
    exists ("tipping off").
    """

    class Status(models.TextChoices):
        DRAFT = "draft", _("Draft")
        PROPOSED = "proposed", _("Waits for a second person")
        APPROVED = "approved", _("Approved")
        FILED = "filed", _("Filed")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    FLOW = {
        Status.DRAFT: {Status.PROPOSED, Status.WITHDRAWN},
        Status.PROPOSED: {Status.DRAFT, Status.APPROVED},
        # An authority may refuse the file of an approved report.
        Status.APPROVED: {Status.DRAFT, Status.FILED},
    }
    # Statuses of a report that is neither filed nor withdrawn.
    OPEN = (Status.DRAFT, Status.PROPOSED, Status.APPROVED)

    case = models.ForeignKey(
        "reviews.Case", models.PROTECT, related_name="suspicion_reports"
    )
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.DRAFT
    )
    noticed_on = models.DateField(help_text="When the facts were noticed.")
    due_on = models.DateField(help_text="When it is to be filed.")
    sentences = PersonalJSONField(
        default=list, help_text='[{"text": …, "evidence": "check:…"}]'
    )
    # Answers to the form of FinCEN besides the narrative: see reviews.filings.fincen.facts.
    fincen = PersonalJSONField(default=dict)
    # As the second person has approved them: see reviews.filings.kept_files.
    files = PersonalJSONField(default=dict, help_text='{"goAML": "<?xml …", …}')
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    proposed_at = models.DateTimeField(null=True)
    second_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    second_at = models.DateTimeField(null=True)
    second_note = PersonalTextField(default="", blank=True)
    filed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    filed_at = models.DateTimeField(null=True)
    receipt = models.CharField(
        max_length=100, blank=True, help_text="The authority's number of it."
    )

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["due_on"], name="reviews_suspicion_due")]
        # The second person is not the one who proposed the report, and no report is approved
        # without them. A case has one open report at a time.
        constraints = [
            models.CheckConstraint(
                condition=Q(second_by__isnull=True) | ~Q(second_by=F("proposed_by")),
                name="suspicion_by_two_people",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["approved", "filed"])
                | Q(second_by__isnull=False),
                name="suspicion_with_its_second",
            ),
            models.UniqueConstraint(
                fields=["case"],
                condition=Q(status__in=["draft", "proposed", "approved"]),
                name="one_open_suspicion_report",
            ),
        ]

    def __str__(self) -> str:
        return f"Suspicion report {self.pk}"

    @property
    def revision(self) -> str:
        """A token that changes with every change of the report. Callers compare it only."""
        return f"{self.updated_at:%Y%m%d%H%M%S%f}"

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()
