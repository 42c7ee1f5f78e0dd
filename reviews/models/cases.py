"""Cases: what an analyst submitted, or what was imported from a job of another system."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from compliance.db.states import Stateful
from compliance.security.personal_fields import (
    DataKeyField,
    PersonalJSONField,
    PersonalTextField,
)
from reviews.models.fields import first_due
from reviews.models.search import forms
from reviews.models.service import Agent, Connection, Kind

# The status shown for a case whose checks wait because the service rejects the API key.
PAUSED = _("Paused")

# The members of self_attested_data that a search covers, in addition to reference and subject.
SEARCHED = (
    "business_name",
    "registered_business_name",
    "business_registration_number",
    "tin_number",
    "website",
)


# If one of these fields is saved, the SearchText of the case must be written again.
_SEARCHED_FIELDS = frozenset({"reference", "subject", "self_attested_data"})


class Severity(models.IntegerChoices):
    """The most serious finding against a case. The most serious is 1: the queue sorts by it."""

    SANCTIONS = 1, _("Sanctions hit")
    FAILED = 2, _("Failed check")
    REVIEW = 3, _("Finding to review")
    UNKNOWN = 4, _("Check without a result")
    NONE = 5, _("No finding")


class RiskBand(models.IntegerChoices):
    """The risk band of a case. The highest risk is 1, so that the queue can sort by it."""

    PROHIBITED = 1, _("Prohibited")
    HIGH = 2, _("High")
    MEDIUM = 3, _("Medium")
    LOW = 4, _("Low")
    NONE = 5, _("Not rated")

    @classmethod
    def of(cls, band: str) -> RiskBand:
        """The member for the band of a RatingState, such as "low"; NONE for ""."""
        if band:
            return cls[band.upper()]
        return cls.NONE

    @property
    def word(self) -> str:
        """The name in filters, REST and RatingState, such as `low`; `none` if not rated."""
        return self.name.lower()


class Case(Stateful):
    """One business or person under review, as submitted by an analyst or imported from a job."""

    class Status(models.TextChoices):
        CHECKING = "checking", _("Checks running")
        TO_REVIEW = "to_review", _("To review")
        ATTENTION = "attention", _("Needs attention")
        WAITING = "waiting", _("Waiting for applicant")
        ESCALATED = "escalated", _("Escalated")
        SECOND = "second", _("Second approval")
        DECIDED = "decided", _("Decided")

    # The statuses after a decision: decided, or waiting for the applicant, a senior or a second
    # person.
    _DECISION = {Status.DECIDED, Status.SECOND, Status.WAITING, Status.ESCALATED}
    # The statuses that a case may move to, by its present status.
    FLOW = {
        Status.CHECKING: {Status.TO_REVIEW, Status.ATTENTION},
        Status.TO_REVIEW: {Status.CHECKING, *_DECISION},
        Status.ATTENTION: {Status.CHECKING, Status.TO_REVIEW, *_DECISION},
        Status.WAITING: {Status.CHECKING, Status.TO_REVIEW},
        Status.ESCALATED: {
            Status.CHECKING,
            Status.TO_REVIEW,
            Status.DECIDED,
            Status.SECOND,
            Status.WAITING,
        },
        Status.SECOND: {Status.TO_REVIEW, Status.DECIDED},
        Status.DECIDED: {Status.TO_REVIEW},
    }

    connection = models.ForeignKey(Connection, models.PROTECT, related_name="cases")
    agent = models.ForeignKey(
        Agent, models.PROTECT, null=True, blank=True, related_name="cases"
    )
    reference = models.CharField(max_length=255)
    kind = models.CharField(max_length=3, choices=Kind.choices)
    subject = PersonalTextField(max_length=400, help_text="The name under review.")
    country = models.CharField(max_length=2, blank=True)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.CHECKING
    )
    # The schema as sent to the service, without `id` and without documents, which are rows.
    self_attested_data = PersonalJSONField(default=dict)
    schema_extra = PersonalJSONField(
        default=dict,
        blank=True,
        help_text="Siblings of self_attested_data, kept as they came.",
    )
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    analyst = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="cases",
    )
    due_at = models.DateTimeField(
        default=first_due, help_text="When it should be decided."
    )
    # A copy of the date of its waiting PeriodicReview.
    review_on = models.DateField(
        null=True, blank=True, editable=False, help_text="When its next review is due."
    )
    snoozed_until = models.DateTimeField(null=True, blank=True)
    # Copies from the newest job, so that the queue needs a single query.
    recommendation = models.CharField(max_length=64, blank=True)
    recommendation_reasons = PersonalJSONField(
        default=list,
        blank=True,
        help_text="The service's words: why it does not recommend more.",
    )
    requirements_version = models.CharField(max_length=100, blank=True)
    risk = models.PositiveIntegerField(
        default=0, help_text="How many findings speak against it."
    )
    severity = models.PositiveSmallIntegerField(
        choices=Severity, default=Severity.NONE, help_text="The worst of its findings."
    )
    # A copy from its RatingState, so that the queue sorts by an index.
    risk_band = models.PositiveSmallIntegerField(
        choices=RiskBand, default=RiskBand.NONE, help_text="How great its risk is."
    )
    # Events after a decision, and contradictions: one reason per line. A decision empties it.
    alarm = PersonalTextField(
        default="", blank=True, help_text="Why a person must look at it again."
    )
    alarm_at = models.DateTimeField(
        null=True, blank=True, help_text="When the newest was raised."
    )
    erased_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When its personal data went."
    )
    tags = models.ManyToManyField("reviews.Tag", blank=True, related_name="cases")
    summary = models.JSONField(
        default=dict, blank=True, help_text='{"checks": [[id, verdict], …]}'
    )
    # In earlier versions this was part of `summary`, which is not encrypted.
    first_finding = PersonalTextField(
        default="", blank=True, help_text="The first of the worst findings, in words."
    )

    # The version of the procedure that applied when the case was opened, and the values of its
    # fields by their keys.
    procedure = models.ForeignKey(
        "reviews.Procedure", models.PROTECT, null=True, blank=True, related_name="+"
    )
    custom_fields = PersonalJSONField(default=dict, blank=True)
    extra_columns = PersonalJSONField(
        default=dict,
        blank=True,
        help_text="Columns of its file that mean no member of a case, by their headers.",
    )
    # A copy from the checklist, so that the queue can filter and the case page needs no query.
    open_items = models.PositiveSmallIntegerField(
        default=0, help_text="Items that hold the decision."
    )

    data_key = DataKeyField()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "reference"], name="one_case_per_reference"
            )
        ]
        indexes = [
            models.Index(fields=["status", "-id"], name="reviews_case_queue"),
            models.Index(fields=["kind", "-id"], name="reviews_case_kind"),
            models.Index(
                fields=["status", "kind", "-id"], name="reviews_case_queue_kind"
            ),
            models.Index(fields=["country", "-id"], name="reviews_case_country"),
            models.Index(fields=["status", "due_at", "id"], name="reviews_case_due"),
            models.Index(fields=["due_at", "id"], name="reviews_case_all_due"),
            models.Index(
                fields=["status", "severity", "due_at", "id"], name="reviews_case_worst"
            ),
            models.Index(
                fields=["severity", "due_at", "id"], name="reviews_case_all_worst"
            ),
            models.Index(
                fields=["status", "risk_band", "due_at", "id"], name="reviews_case_band"
            ),
            models.Index(
                fields=["risk_band", "due_at", "id"], name="reviews_case_all_band"
            ),
            models.Index(
                fields=["analyst", "status", "due_at", "id"],
                name="reviews_case_analyst",
            ),
            models.Index(
                fields=["review_on"],
                name="reviews_case_review_on",
                condition=models.Q(review_on__isnull=False),
            ),
            models.Index(
                fields=["snoozed_until"],
                name="reviews_case_snoozed",
                condition=models.Q(snoozed_until__isnull=False),
            ),
        ]

        # Permissions for an act on a model are named <act>_<model>, like those of Django.
        permissions = [
            ("review_case", "Can mark checks reviewed, override and dismiss"),
            ("decide_case", "Can decide, request information and escalate"),
            (
                "approve_case",
                "Can give the second approval, and decide what was escalated",
            ),
            ("reopen_case", "Can reopen what was decided"),
            ("note_case", "Can write notes, attach files and tag"),
            ("export_case", "Can take the evidence pack"),
            ("view_every_case", "Sees the cases of all teams"),
            (
                "view_payload_case",
                "Sees raw payloads: what was sent, and webhooks as received",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reference} · {self.subject}"

    def data_key_id_for_personal(self) -> int:
        return DataKeyField.key_id_of(self)

    def save(self, *args: Any, **options: Any) -> None:
        """Save the case. If a field that a search covers is saved, update the search text too."""
        names = options.get("update_fields")
        super().save(*args, **options)
        if names is None or not _SEARCHED_FIELDS.isdisjoint(names):
            self.make_searchable()

    def make_searchable(self, *, is_new: bool = False) -> None:
        """Write the search text of the case: its reference, and the names that it attests.

        `is_new`: the case has no search text yet, so no query looks for one.
        """
        # A dict keeps the order and drops duplicates: often the attested name is the subject.
        lines = dict.fromkeys([self.subject])
        for member in SEARCHED:
            for value in self._attested_values(member):
                lines[value[:400]] = None
        names = "\n".join(lines)
        fields = {
            "text": forms.with_forms(f"{self.reference}\n{names}"),
            "reference": forms.plain_text(self.reference)[:40],
            "name": forms.plain_text(self.subject)[:40],
        }
        if is_new:
            row = self.search_texts.create(**fields)
        else:
            row, is_new = self.search_texts.update_or_create(
                page=None, is_reading=False, defaults=fields
            )
        row.keep_words(names, is_new=is_new)

    def _attested_values(self, member: str) -> list[str]:
        """The texts of one member of the attested data, which may have any JSON type."""
        if not isinstance(self.self_attested_data, dict):
            return []
        values = self.self_attested_data.get(member)
        if not isinstance(values, list):
            values = [values]
        texts = []
        for value in values[:20]:
            if isinstance(value, str | int):
                texts.append(str(value))
        return texts

    @property
    def finding(self) -> str:
        """The text that the queue shows for the case: its first finding."""
        if self.first_finding:
            return str(self.first_finding)
        # Cases of an earlier version have the text in their summary.
        if not isinstance(self.summary, dict):
            return ""
        value = self.summary.get("finding")
        if isinstance(value, str):
            return value
        return ""

    @property
    def revision(self) -> str:
        """A token that changes with everything a decision depends on: results, status,
        documents.

        Callers compare it only; its format may change.
        """
        return f"{self.updated_at:%Y%m%d%H%M%S%f}"

    @property
    def status_word(self) -> str:
        """The status in words;

        `PAUSED` if the checks wait because the service rejects the API key.
        """
        # The pause is checked last, because it may need a query.
        is_running = self.status == Case.Status.CHECKING
        if is_running and self.connection.standing_pause:
            return str(PAUSED)
        return str(self.get_status_display())

    def get_absolute_url(self) -> str:
        return reverse("case-detail", args=[self.pk])


class Identifier(models.Model):
    """A digest of a name, number or address of the subject, to find the same one in other
    cases.
    """

    class Kind(models.TextChoices):
        NAME = "name", _("Same name")
        NUMBER = "number", _("Same number")
        ADDRESS = "address", _("Same address")

    case = models.ForeignKey("reviews.Case", models.CASCADE, related_name="identifiers")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    # A digest of the letters and digits, so its length does not depend on what was attested.
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["case", "kind", "digest"], name="one_identifier_of_a_kind"
            )
        ]
        indexes = [
            models.Index(fields=["digest", "-case"], name="reviews_identifier_same")
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.case_id}"
