"""What the desk keeps: cases with their documents, the jobs it asked for, and what came back."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.urls import reverse

from compliance import outbound
from compliance.encryption import EncryptedTextField
from compliance.signatures import COMPACT_HEADER
from compliance.states import Stateful
from compliance.work import Work


def validate_address(url: str) -> None:
    try:
        outbound.origin(url)
    except outbound.BlockedError as exc:
        raise ValidationError("Enter an address that starts with http:// or https://.") from exc


class Kind(models.TextChoices):
    KYB = "kyb", "Business"
    KYC = "kyc", "Individual"


class Connection(models.Model):
    """A service the desk may call: where it is, who we are there, and who signs its webhooks."""

    name = models.CharField(max_length=80, unique=True)
    slug = models.SlugField(
        max_length=40, unique=True, help_text="In the address that the service calls."
    )
    # No URLField: its host must have a dot, and a service of one's own network may have none.
    base_url = models.CharField(
        max_length=300,
        validators=[validate_address],
        help_text="Ends in the path prefix, such as /api/v1.",
    )
    api_key = EncryptedTextField(blank=True)
    compact_header = models.CharField(
        max_length=80,
        default=COMPACT_HEADER,
        help_text="The header in which this service sends the compact signature.",
    )
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class WebhookSecret(models.Model):
    """One secret that the service may sign with. Several at once let it turn without loss."""

    connection = models.ForeignKey(Connection, models.CASCADE, related_name="webhook_secrets")
    name = models.CharField(max_length=80)
    secret = EncryptedTextField()
    active_until = models.DateTimeField(null=True, blank=True, help_text="Empty: no end.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "name"], name="one_secret_per_name")
        ]

    def __str__(self) -> str:
        return f"{self.connection.slug}: {self.name}"


class Agent(models.Model):
    """An agent of the service, as the desk calls it. The key identifies it there."""

    connection = models.ForeignKey(Connection, models.CASCADE, related_name="agents")
    kind = models.CharField(max_length=3, choices=Kind.choices)
    name = models.CharField(max_length=80)
    agent_key = EncryptedTextField()
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["connection__name", "name"]
        constraints = [
            models.UniqueConstraint(fields=["connection", "name"], name="one_agent_per_name")
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.connection.name})"


class Case(Stateful):
    """One business or person under review, as submitted by an analyst or adopted from a job."""

    class Status(models.TextChoices):
        CHECKING = "checking", "Checks running"
        TO_REVIEW = "to_review", "To review"
        ATTENTION = "attention", "Needs attention"
        DECIDED = "decided", "Decided"

    FLOW = {
        Status.CHECKING: {Status.TO_REVIEW, Status.ATTENTION},
        Status.TO_REVIEW: {Status.CHECKING, Status.DECIDED},
        Status.ATTENTION: {Status.CHECKING, Status.TO_REVIEW, Status.DECIDED},
        Status.DECIDED: {Status.TO_REVIEW},
    }

    connection = models.ForeignKey(Connection, models.PROTECT, related_name="cases")
    agent = models.ForeignKey(Agent, models.PROTECT, null=True, blank=True, related_name="cases")
    reference = models.CharField(max_length=255)
    kind = models.CharField(max_length=3, choices=Kind.choices)
    subject = models.CharField(max_length=400, help_text="The name under review.")
    country = models.CharField(max_length=2, blank=True)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.CHECKING)
    # The schema as it goes over the wire but for `id` and the documents, which are rows.
    self_attested_data = models.JSONField(default=dict)
    schema_extra = models.JSONField(
        default=dict, blank=True, help_text="Siblings of self_attested_data, kept as they came."
    )
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    # What the queue shows of the newest job, kept here so that a page of it is one query.
    recommendation = models.CharField(max_length=64, blank=True)
    summary = models.JSONField(
        default=dict, blank=True, help_text='{"checks": [[id, verdict], …], "finding": text}'
    )

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
            models.Index(fields=["status", "kind", "-id"], name="reviews_case_queue_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.reference} · {self.subject}"

    def get_absolute_url(self) -> str:
        return reverse("case-detail", args=[self.pk])


class Document(Work):
    """A file of a case. Its pages are drawn in the background, so that nobody opens the original."""

    class Kind(models.TextChoices):
        """Named as the members of self_attested_data that carry them."""

        INCORPORATION = "incorporation_documents", "Incorporation document"
        OWNERSHIP = "business_ownership_documents", "Ownership document"
        ADDRESS = "proof_of_address_documents", "Proof of address"
        FUNDS = "source_of_funds_documents", "Source of funds"
        EIN = "ein_documents", "EIN letter"
        MARKETING = "promo_marketing_documents", "Marketing material"

    class Status(models.TextChoices):
        PENDING = "pending", "Being drawn"
        DRAWN = "drawn", "Drawn"
        UNREADABLE = "unreadable", "Cannot be shown"

    FLOW = {Status.PENDING: {Status.DRAWN, Status.UNREADABLE}}

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    case = models.ForeignKey(Case, models.CASCADE, related_name="documents")
    kind = models.CharField(max_length=40, choices=Kind.choices)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.PENDING)
    reason = models.CharField(max_length=200, blank=True, help_text="Why it cannot be shown.")
    file = models.FileField(upload_to="originals/%Y/%m/", blank=True, max_length=255)
    file_name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    source_url = models.TextField(
        blank=True, help_text="Where an adopted case says its document lies."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(Work.Meta):
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return self.file_name


class Page(models.Model):
    """One page of a document as the analyst sees it: an image that we drew."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField(help_text="Counts from 1.")
    width = models.PositiveIntegerField(help_text="Pixels of the image.")
    height = models.PositiveIntegerField()
    image = models.FileField(upload_to="pages/%Y/%m/", max_length=255)
    # [[text, x0, y0, x1, y1], …]: fractions of the page as displayed, origin top left.
    words = models.JSONField(default=list)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["document", "number"], name="one_page_per_number")
        ]

    def __str__(self) -> str:
        return f"{self.document} p. {self.number}"


class Job(Work):
    """Our record of one job at the service. Its id is the idempotency key we send."""

    class Status(models.TextChoices):
        QUEUED = "queued", "Waiting to be sent"
        RUNNING = "running", "Running"
        COMPLETE = "complete", "Complete"
        FAILED = "failed", "Failed"

    # The job webhook may arrive before the start call has returned, hence QUEUED → COMPLETE.
    FLOW = {
        Status.QUEUED: {Status.RUNNING, Status.COMPLETE, Status.FAILED},
        Status.RUNNING: {Status.COMPLETE, Status.FAILED},
    }

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    case = models.ForeignKey(Case, models.CASCADE, related_name="jobs")
    connection = models.ForeignKey(Connection, models.PROTECT, related_name="jobs")
    agent = models.ForeignKey(Agent, models.PROTECT, null=True, blank=True, related_name="jobs")
    remote_id = models.CharField(max_length=255, help_text="What the service calls it.")
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.QUEUED)
    recommendation = models.CharField(max_length=64, blank=True)
    error = models.TextField(blank=True, help_text="Why it failed, or what it waits for.")
    tries = models.PositiveIntegerField(default=0, help_text="Calls in a row that failed.")
    has_results = models.BooleanField(
        default=False, help_text="The results were fetched after the job ended."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta(Work.Meta):
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "remote_id"], name="one_job_per_remote_id"
            )
        ]

    def __str__(self) -> str:
        return str(self.pk)


class CheckResult(models.Model):
    """What one check or tool said, kept word for word; results.py reads it for the page."""

    class Source(models.TextChoices):
        TOOL = "tool", "Tool webhook"
        CHECK = "check", "Check result of the job"

    job = models.ForeignKey(Job, models.CASCADE, related_name="check_results")
    source = models.CharField(max_length=8, choices=Source.choices)
    check_id = models.CharField(max_length=200, help_text="A check's id, or a tool's.")
    # Tells two results of one tool apart: the document examined, else a digest of the content.
    subject = models.CharField(max_length=255, blank=True)
    status = models.CharField(max_length=40, blank=True)
    passed = models.BooleanField(null=True)
    body = models.JSONField(help_text="`results` of a tool webhook, or the check result, verbatim.")
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["job", "source", "check_id", "subject"], name="one_result_per_subject"
            )
        ]

    def __str__(self) -> str:
        return self.check_id


class CaseEvent(models.Model):
    """One line of the case's audit trail. Rows are only ever added."""

    class Actor(models.TextChoices):
        PERSON = "person"
        AGENT = "agent"
        SYSTEM = "system"

    case = models.ForeignKey(Case, models.CASCADE, related_name="events")
    at = models.DateTimeField(auto_now_add=True)
    actor = models.CharField(max_length=8, choices=Actor.choices)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    what = models.CharField(max_length=64)
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(actor="person") | Q(user__isnull=True), name="only_people_are_users"
            )
        ]

    def __str__(self) -> str:
        return self.what
