"""What the hub keeps: who may call, which agents they own, jobs, results, and webhooks to send."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from compliance.encryption import EncryptedTextField
from compliance.states import Stateful
from compliance.work import Work


class Account(models.Model):
    """A client of the hub. It owns keys, agents, jobs and signing secrets; nobody else sees them."""

    name = models.CharField(max_length=80, unique=True)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class SigningSecret(models.Model):
    """What webhooks of an account are signed with. The newest signs; older ones overlap."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="signing_secrets")
    secret = EncryptedTextField()
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.account}: secret of {self.created_at:%Y-%m-%d}"


class ApiKey(models.Model):
    """Who calls. Only the hash is kept; the key itself is shown once, when it is made."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=80, blank=True)
    prefix = models.CharField(max_length=20, help_text="The first characters, to tell keys apart.")
    digest = models.CharField(max_length=64, unique=True, help_text="sha256 of the key, hex.")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = "API key"

    def __str__(self) -> str:
        return f"{self.prefix}…"

    @property
    def is_valid(self) -> bool:
        return not self.revoked_at and (self.expires_at is None or self.expires_at > now())


class Agent(models.Model):
    """An ordered set of checks under a key of its own."""

    class Kind(models.TextChoices):
        KYB = "kyb", "Business"
        KYC = "kyc", "Individual"

    account = models.ForeignKey(Account, models.CASCADE, related_name="agents")
    key = models.CharField(max_length=80, unique=True)
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=3, choices=Kind.choices)
    # [{"check_id": …, "arguments": {…}}, …]; empty: every check of this kind.
    checks = models.JSONField(default=list, blank=True)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class AgentJob(Work):
    """One run of an agent over a case."""

    class Status(models.TextChoices):
        PENDING = "PENDING", "Pending"
        RUNNING = "RUNNING", "Running"
        COMPLETE = "COMPLETE", "Complete"
        FAILED = "FAILED", "Failed"
        RETRIED = "RETRIED", "Retried"

    FLOW = {
        Status.PENDING: {Status.RUNNING, Status.FAILED},
        Status.RUNNING: {Status.COMPLETE, Status.FAILED},
        Status.COMPLETE: {Status.RETRIED},
        Status.FAILED: {Status.RETRIED},
    }

    account = models.ForeignKey(Account, models.PROTECT, related_name="jobs")
    agent = models.ForeignKey(Agent, models.PROTECT, related_name="jobs")
    # Unique within the account only: that another account uses an id must not show.
    job_id = models.UUIDField(default=uuid.uuid4, editable=False)
    case_id = models.CharField(max_length=255)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.PENDING)
    input_payload = models.JSONField(help_text="The request body as it came.")
    check_ids = models.JSONField(default=list, blank=True)
    webhook_url = models.TextField(blank=True)
    tool_webhook_url = models.TextField(blank=True)
    slack_webhook_url = models.TextField(blank=True)
    recommendation = models.CharField(max_length=32, blank=True)
    error = models.TextField(blank=True)
    status_messages = models.JSONField(default=list, blank=True)
    # A default, for it is taken before updated_at is: a job is not updated before it is created.
    created_at = models.DateTimeField(default=now, editable=False)

    class Meta(Work.Meta):
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["account", "job_id"], name="one_job_per_job_id")
        ]
        indexes = [
            *Work.Meta.indexes,
            models.Index(fields=["agent", "case_id"], name="agenthub_job_case"),
        ]

    def __str__(self) -> str:
        return str(self.job_id)

    @property
    def schema(self) -> dict[str, Any]:
        """The kyb_schema or kyc_schema of the request."""
        found: dict[str, Any] = self.input_payload[f"{self.agent.kind}_schema"]
        return found


class CheckRun(Stateful):
    """One execution of one check for a job."""

    class Status(models.TextChoices):
        PENDING = "pending", "Pending"
        IN_PROGRESS = "in_progress", "In progress"
        COMPLETED = "completed", "Completed"
        FAILED = "failed", "Failed"

    FLOW = {
        Status.PENDING: {Status.IN_PROGRESS, Status.COMPLETED, Status.FAILED},
        Status.IN_PROGRESS: {Status.COMPLETED, Status.FAILED},
    }

    job = models.ForeignKey(AgentJob, models.CASCADE, related_name="check_runs")
    check_id = models.CharField(max_length=200)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.PENDING)
    result = models.JSONField(default=dict, blank=True)
    status_messages = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(default=now, editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["job", "check_id"], name="one_run_per_check")
        ]

    def __str__(self) -> str:
        return self.check_id


class ToolRun(models.Model):
    """What one tool said of one document. With it, in one transaction, its webhook is queued."""

    check_run = models.ForeignKey(CheckRun, models.CASCADE, related_name="tool_runs")
    tool_id = models.CharField(max_length=200)
    document = models.PositiveIntegerField(help_text="Its place among the check's documents.")
    results = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["check_run", "document", "tool_id"], name="one_run_per_tool_and_document"
            )
        ]

    def __str__(self) -> str:
        return self.tool_id


class Delivery(Work):
    """One webhook to send: an outbox row holding the exact bytes that are signed and sent."""

    class Kind(models.TextChoices):
        JOB = "job", "Job webhook"
        TOOL = "tool", "Tool webhook"
        SLACK = "slack", "Slack"

    class Status(models.TextChoices):
        DUE = "due", "To be sent"
        DONE = "done", "Delivered"
        DEAD = "dead", "Given up"

    FLOW = {Status.DUE: {Status.DONE, Status.DEAD}, Status.DEAD: {Status.DUE}}

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    job = models.ForeignKey(AgentJob, models.CASCADE, related_name="deliveries")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    tool_id = models.CharField(max_length=200, blank=True)
    url = models.TextField()
    body = models.BinaryField()
    # The string that the compact signature signs; null: the payload does not name the case.
    case_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.DUE)
    tries = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(Work.Meta):
        ordering = ["-created_at"]
        verbose_name_plural = "deliveries"

    def __str__(self) -> str:
        return str(self.pk)


class Attempt(models.Model):
    """One try to deliver: what was answered, or why nothing was."""

    delivery = models.ForeignKey(Delivery, models.CASCADE, related_name="attempts")
    at = models.DateTimeField(auto_now_add=True)
    http_status = models.PositiveIntegerField(null=True)
    error = models.CharField(max_length=200, blank=True)
    response = models.TextField(blank=True, help_text="The first 2 KB of the answer.")
    took_ms = models.PositiveIntegerField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(http_status__isnull=False) | ~Q(error=""), name="answered_or_explained"
            )
        ]

    def __str__(self) -> str:
        return f"{self.http_status or self.error}"
