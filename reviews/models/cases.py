"""What the desk keeps: cases with their documents, the jobs it asked for, and what came back."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.functional import cached_property

from compliance import stored
from compliance.encryption import EncryptedTextField
from compliance.signatures import COMPACT_HEADER
from compliance.states import Stateful
from compliance.work.rows import Work
from reviews.fields import first_due, validate_address


class Kind(models.TextChoices):
    KYB = "kyb", "Business"
    KYC = "kyc", "Individual"


# What a case is called whose checks wait because the service refuses the key.
PAUSED = "Paused"

# The members of self_attested_data that a case is found by, beside its reference and subject.
SEARCHED = (
    "business_name",
    "registered_business_name",
    "business_registration_number",
    "tin_number",
    "website",
)


def plain_text(text: str) -> str:
    """Text as a search compares it: lower case, without NUL, which PostgreSQL refuses."""
    return text.replace("\0", "").lower()


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
    timestamped_since = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="Its webhooks have been signed with a time since then: others are refused.",
    )
    refused_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When a webhook was refused, about."
    )
    refused_reason = models.CharField(max_length=200, blank=True, editable=False)

    def __str__(self) -> str:
        return self.name

    @property
    def standing_pause(self) -> Pause | None:
        """Why the service is not asked now; None where it is."""
        row = getattr(self, "pause", None)
        return row if row is not None and row.status == Pause.Status.PAUSED else None


class Pause(Work):
    """That a service refuses our key, while it does. Due when the key is to be tried again."""

    class Status(models.TextChoices):
        PAUSED = "paused", "Paused"
        ENDED = "ended", "Ended"

    FLOW = {Status.PAUSED: {Status.ENDED}, Status.ENDED: {Status.PAUSED}}

    connection = models.OneToOneField(Connection, models.CASCADE, related_name="pause")
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.ENDED)
    reason = models.TextField(blank=True, help_text="The service's words.")
    since = models.DateTimeField(null=True, blank=True)
    probes = models.PositiveIntegerField(default=0, help_text="How often the key was tried since.")

    def __str__(self) -> str:
        return f"{self.connection_id}: {self.status}"


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


class Severity(models.IntegerChoices):
    """The worst of what speaks against a case, the worst first: the queue stands in this order."""

    SANCTIONS = 1, "Sanctions hit"
    FAILED = 2, "Failed check"
    REVIEW = 3, "Finding to review"
    UNKNOWN = 4, "Check without a result"
    NONE = 5, "No finding"


class Case(Stateful):
    """One business or person under review, as submitted by an analyst or adopted from a job."""

    class Status(models.TextChoices):
        CHECKING = "checking", "Checks running"
        TO_REVIEW = "to_review", "To review"
        ATTENTION = "attention", "Needs attention"
        WAITING = "waiting", "Waiting for applicant"
        ESCALATED = "escalated", "Escalated"
        SECOND = "second", "Second approval"
        DECIDED = "decided", "Decided"

    # Where a decision leads to: made, or waiting for the applicant, a senior, a second person.
    _DECISION = {Status.DECIDED, Status.SECOND, Status.WAITING, Status.ESCALATED}
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
    analyst = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="cases"
    )
    due_at = models.DateTimeField(default=first_due, help_text="When it should be decided.")
    snoozed_until = models.DateTimeField(null=True, blank=True)
    # What the queue shows of the newest job, kept here so that a page of it is one query.
    recommendation = models.CharField(max_length=64, blank=True)
    recommendation_reasons = models.JSONField(
        default=list, blank=True, help_text="The service's words: why it does not recommend more."
    )
    requirements_version = models.CharField(max_length=100, blank=True)
    risk = models.PositiveIntegerField(default=0, help_text="How many findings speak against it.")
    severity = models.PositiveSmallIntegerField(
        choices=Severity, default=Severity.NONE, help_text="The worst of its findings."
    )
    # What came after people decided, or contradicts itself: one reason a line, until a decision.
    alarm = models.TextField(blank=True, help_text="Why a person must look at it again.")
    alarm_at = models.DateTimeField(null=True, blank=True, help_text="When the newest was raised.")
    tags = models.ManyToManyField("reviews.Tag", blank=True, related_name="cases")
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
            models.Index(fields=["status", "due_at", "id"], name="reviews_case_due"),
            models.Index(fields=["due_at", "id"], name="reviews_case_all_due"),
            models.Index(fields=["status", "severity", "due_at", "id"], name="reviews_case_worst"),
            models.Index(fields=["severity", "due_at", "id"], name="reviews_case_all_worst"),
            models.Index(fields=["analyst", "status", "due_at", "id"], name="reviews_case_analyst"),
            models.Index(
                fields=["snoozed_until"],
                name="reviews_case_snoozed",
                condition=models.Q(snoozed_until__isnull=False),
            ),
        ]

        # An act of one model is named <act>_<model>, as Django's own permissions are.
        permissions = [
            ("review_case", "Can mark checks reviewed, override and dismiss"),
            ("decide_case", "Can decide, request information and escalate"),
            ("approve_case", "Can give the second approval, and decide what was escalated"),
            ("reopen_case", "Can reopen what was decided"),
            ("note_case", "Can write notes, attach files and tag"),
            ("export_case", "Can take the evidence pack"),
            ("view_every_case", "Sees the cases of all teams"),
            ("view_payload_case", "Sees raw payloads: what was sent, and webhooks as received"),
        ]

    def __str__(self) -> str:
        return f"{self.reference} · {self.subject}"

    def save(self, *args: Any, **options: Any) -> None:
        """Keep what a search finds the case by in step with it."""
        wrote = options.get("update_fields")
        super().save(*args, **options)
        if wrote is None or {"reference", "subject", "self_attested_data"} & set(wrote):
            self.search_texts.update_or_create(page=None, defaults=self.searchable())

    def searchable(self) -> dict[str, str]:
        """The fields of its SearchText."""
        data = self.self_attested_data if isinstance(self.self_attested_data, dict) else {}
        said: list[str] = []
        for value in (data.get(member) for member in SEARCHED):
            several = value if isinstance(value, list) else [value]
            said += [str(one)[:400] for one in several[:20] if isinstance(one, str | int)]
        lines = dict.fromkeys([self.reference, self.subject, *said])
        return {
            "text": plain_text("\n".join(lines)),
            "reference": plain_text(self.reference)[:40],
            "name": plain_text(self.subject)[:40],
        }

    @property
    def revision(self) -> str:
        """Changes with all that a decision rests on: results, status, documents. Opaque."""
        return f"{self.updated_at:%Y%m%d%H%M%S%f}"

    @property
    def status_word(self) -> str:
        """The status in words; `PAUSED` where its checks wait because the service refuses the key."""
        is_paused = self.status == Case.Status.CHECKING and self.connection.standing_pause
        return PAUSED if is_paused else str(self.get_status_display())

    def get_absolute_url(self) -> str:
        return reverse("case-detail", args=[self.pk])


class Document(Work):
    """A file of a case. Its pages are drawn in the background, so that nobody opens the original."""

    class Kind(models.TextChoices):
        """Named as the members of self_attested_data that carry them, at OF_ID those of the ID."""

        INCORPORATION = "incorporation_documents", "Incorporation document"
        OWNERSHIP = "business_ownership_documents", "Ownership document"
        ADDRESS = "proof_of_address_documents", "Proof of address"
        FUNDS = "source_of_funds_documents", "Source of funds"
        EIN = "ein_documents", "EIN letter"
        MARKETING = "promo_marketing_documents", "Marketing material"
        ID_FRONT = "front_image_url", "ID, front"
        ID_BACK = "back_image_url", "ID, back"
        SELFIE = "face_match_image_url", "Selfie"

    class Status(models.TextChoices):
        PENDING = "pending", "Being drawn"
        DRAWN = "drawn", "Drawn"
        UNREADABLE = "unreadable", "Cannot be shown"

    FLOW = {
        Status.PENDING: {Status.DRAWN, Status.UNREADABLE},
        Status.DRAWN: {Status.PENDING},  # an image of it was changed in the store
    }

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
        blank=True, help_text="The address of the document, in a case imported from a service."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(Work.Meta):
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return self.file_name

    @cached_property
    def fault(self) -> str:
        """Why the file is not the one that was handed in; mostly nothing. Looks into the store."""
        return str(stored.fault(self.file, self.sha256) or "")


# The sides of a government ID, and the picture of the person beside them, are no lists of documents
# in the interface, but a URL each, here.
OF_ID = ("government_id_verification_data", "id_data")
ID_PICTURES = (Document.Kind.ID_FRONT, Document.Kind.ID_BACK, Document.Kind.SELFIE)
DOCUMENT_KINDS: dict[str, tuple[Document.Kind, ...]] = {
    Kind.KYB.value: tuple(kind for kind in Document.Kind if kind not in ID_PICTURES),
    Kind.KYC.value: (*ID_PICTURES, Document.Kind.ADDRESS, Document.Kind.FUNDS),
}


class Page(models.Model):
    """One page of a document as the analyst sees it: an image that we drew."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField(help_text="Counts from 1.")
    width = models.PositiveIntegerField(help_text="Pixels of the image.")
    height = models.PositiveIntegerField()
    image = models.FileField(upload_to="pages/%Y/%m/", max_length=255)
    sha256 = models.CharField(max_length=64, blank=True, help_text="Of the image.")
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
    check_id = models.CharField(
        max_length=200, blank=True, help_text="The one check that it runs; empty: all of the agent."
    )
    sent = models.JSONField(
        default=dict, blank=True, help_text="What the service was asked, but for keys and tokens."
    )
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.QUEUED)
    recommendation = models.CharField(max_length=64, blank=True)
    recommendation_reasons = models.JSONField(
        default=list, blank=True, help_text="The service's words: why it does not recommend more."
    )
    requirements_version = models.CharField(max_length=100, blank=True)
    # {"status", "recommendation", "at"}: counts for nothing until getJobById says the same.
    notice = models.JSONField(
        default=dict, blank=True, help_text="How a webhook says that it ended, if unconfirmed."
    )
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

    @property
    def is_under_way(self) -> bool:
        return self.status in {Job.Status.QUEUED, Job.Status.RUNNING}


class CheckResult(models.Model):
    """What one check or tool said, kept word for word; results.py reads it for the page."""

    class Source(models.TextChoices):
        TOOL = "tool", "Tool webhook"
        CHECK = "check", "Check result of the job"

    class Confirmation(models.TextChoices):
        """Whether the service says the same when it is asked (getJobById)."""

        NOT_ASKED = "", "Not asked: kept before results were confirmed"
        LIVE = "live", "Came by webhook while the job runs"
        WAITING = "waiting", "Came by webhook after the job ended; the service is asked"
        CONFIRMED = "confirmed", "The service confirms it"
        ABSENT = "absent", "The service does not confirm it"
        UNAVAILABLE = "unavailable", "The service's own record cannot tell"

    job = models.ForeignKey(Job, models.CASCADE, related_name="check_results")
    source = models.CharField(max_length=8, choices=Source.choices)
    check_id = models.CharField(max_length=200, help_text="A check's id, or a tool's.")
    # Tells two results of one tool apart: the document examined, else a digest of the content.
    subject = models.CharField(max_length=255, blank=True)
    status = models.CharField(max_length=40, blank=True)
    passed = models.BooleanField(null=True)
    body = models.JSONField(help_text="`results` of a tool webhook, or the check result, verbatim.")
    confirmation = models.CharField(
        max_length=12, choices=Confirmation.choices, default=Confirmation.NOT_ASKED, blank=True
    )
    # 0 where nobody looked yet: what may be bad is never left out.
    rank = models.PositiveSmallIntegerField(
        default=0, help_text="Its worst verdict, as a place in results.SEVERITY: 0 is the worst."
    )
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
