"""Jobs, alone or in a batch, and what came of them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import cast

from django.db import models
from django.db.models import Q
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from agenthub.models.accounts import Account, Agent
from agenthub.wire import Wire
from compliance.db.states import Stateful
from compliance.security import data_keys
from compliance.security.personal_fields import (
    PersonalJSONField,
    PersonalTextField,
    sealed,
)
from compliance.tracing import spans
from compliance.work.rows import Work

# The messages of a check before it begins, when it begins, and when its documents are read.
WAITING, STARTED, COMPARING = "Waiting", "Started", "Comparing with the data"


def message(text: str, at: datetime | None = None) -> dict[str, str]:
    """One of the `status_messages` of a job or of a check, at the time `at`, by default now."""
    return {
        "timestamp": (at or now()).isoformat().replace("+00:00", "Z"),
        "message": text,
    }


class JobBatch(Work):
    """Jobs of one agent that belong together: those of a CSV file, or started with one batch id.

    Due while rows of its file are to be started, `read_rows` says how many were; and once more when
    the file is to go.
    """

    class Status(models.TextChoices):
        RUNNING = "running", _("Being started")
        COMPLETE = "complete", _("Started")
        FAILED = "failed", _("Failed")

    FLOW = {Status.RUNNING: {Status.COMPLETE, Status.FAILED}}

    agent = models.ForeignKey(Agent, models.PROTECT, related_name="batches")
    # Unique for the agent only: that another account uses an id must not show.
    batch_id = models.UUIDField(default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=255, blank=True)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.RUNNING
    )
    file = models.FileField(upload_to="batches/", blank=True)
    # What the rows of the file are started with: {"webhook_url": …, "check_ids": …}.
    options = models.JSONField(default=dict, blank=True)
    read_rows = models.PositiveIntegerField(default=0)
    accepted = models.PositiveIntegerField(default=0)
    rejected = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(default=now, editable=False)

    class Meta(Work.Meta):
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["agent", "batch_id"], name="one_batch_per_batch_id"
            )
        ]
        indexes = [*Work.Meta.indexes]
        verbose_name_plural = "job batches"

    def __str__(self) -> str:
        return self.name or str(self.batch_id)


class RejectedRow(models.Model):
    """A row of a batch's file that could not be started, and why."""

    batch = models.ForeignKey(JobBatch, models.CASCADE, related_name="rejected_rows")
    line = models.PositiveIntegerField(
        help_text="Where the row begins in the file, from 1."
    )
    reason = PersonalTextField()
    detail = PersonalJSONField(default=list, blank=True)

    class Meta:
        ordering = ["line"]
        constraints = [
            models.UniqueConstraint(
                fields=["batch", "line"], name="one_rejection_per_line"
            )
        ]

    def __str__(self) -> str:
        return f"line {self.line}"

    def data_key_id_for_personal(self) -> int:
        """A row that was refused belongs to no case."""
        return data_keys.INSTALLATION


class AgentJob(Work):
    """One run of an agent over a case."""

    class Status(models.TextChoices):
        PENDING = "PENDING", _("Pending")
        RUNNING = "RUNNING", _("Running")
        COMPLETE = "COMPLETE", _("Complete")
        FAILED = "FAILED", _("Failed")
        RETRIED = "RETRIED", _("Retried")

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
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.PENDING
    )
    input_payload = PersonalJSONField(help_text="The request body as it came.")
    check_ids = models.JSONField(default=list, blank=True)
    # Arguments for single checks of this job, over those of the agent: {check id: {…}}.
    check_args = models.JSONField(default=dict, blank=True)
    batch = models.ForeignKey(
        JobBatch,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="jobs",
        db_index=False,
    )
    # A job is run again at most once; the newer one can be run again in its turn.
    original = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="rerun"
    )
    # Whom the case is about, as attested.
    subject = PersonalTextField(max_length=255, blank=True)
    # Digests of the words of its names and of other facts, to find the case by: agenthub.subjects.
    subject_key = models.CharField(max_length=255, blank=True)
    fact_key = models.TextField(blank=True)
    webhook_url = models.TextField(blank=True)
    tool_webhook_url = models.TextField(blank=True)
    slack_webhook_url = models.TextField(blank=True)
    recommendation = models.CharField(max_length=32, blank=True)
    # What the case lacks for Approve, in words, and by which table; see requirements.py.
    recommendation_reasons = models.JSONField(default=list, blank=True)
    requirements_version = models.CharField(max_length=40, blank=True)
    error = models.TextField(blank=True)
    status_messages = models.JSONField(default=list, blank=True)
    # Which queue it is in: jobs that bring documents have one of their own.
    reads_documents = models.BooleanField(default=False, editable=False)
    # How many documents its checks read, each counted once.
    documents = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    # Nobody waits for it: it is of a batch, or screens a case again.
    is_bulk = models.BooleanField(default=False, db_default=False, editable=False)
    # Why documents were not read to their end: {"<check id>:<place among its documents>": words}.
    unread_documents = models.JSONField(default=dict, editable=False)
    # When it was last claimed: by it the accounts take turns.
    claimed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The span that made it: what is done for it belongs to the same trace.
    traceparent = models.CharField(
        max_length=spans.LENGTH, default="", db_default="", blank=True, editable=False
    )
    # A default, for it is taken before updated_at is: a job is not updated before it is created.
    created_at = models.DateTimeField(default=now, editable=False)
    # Encrypts what its rows hold of people. It stands after them: the first of them makes it.
    data_key = models.OneToOneField(
        "compliance.DataKey",
        models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
    )
    # When the client asked for the erasure of what it holds of people.
    erased_at = models.DateTimeField(null=True, editable=False)

    class Meta(Work.Meta):
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["account", "job_id"], name="one_job_per_job_id"
            )
        ]
        indexes = [
            # What is due in each queue, and in turn: of each account; which it has leased; when it
            # was last served.
            models.Index(
                fields=["reads_documents", "due_at"],
                name="agenthub_job_due",
                condition=Q(due_at__isnull=False),
            ),
            models.Index(
                fields=["account", "reads_documents", "is_bulk", "due_at"],
                name="agenthub_job_turn",
                condition=Q(due_at__isnull=False),
            ),
            models.Index(
                fields=["account", "reads_documents"],
                name="agenthub_job_leased",
                condition=Q(leased_until__isnull=False),
            ),
            models.Index(
                fields=["account", "reads_documents", "claimed_at"],
                name="agenthub_job_claimed",
                condition=Q(claimed_at__isnull=False),
            ),
            # What failed for good: few of all.
            models.Index(
                fields=["id"],
                name="agenthub_job_failed",
                condition=Q(status="FAILED"),
            ),
            models.Index(fields=["agent", "case_id"], name="agenthub_job_case"),
            models.Index(
                fields=["batch", "id"],
                name="agenthub_job_batch",
                condition=Q(batch__isnull=False),
            ),
            models.Index(
                fields=["account", "subject_key"], name="agenthub_job_subject"
            ),
        ]

    def __str__(self) -> str:
        return str(self.job_id)

    def data_key_id_for_personal(self) -> int:
        if self.data_key_id is None:
            self.data_key = data_keys.create()
        return cast("int", self.data_key_id)

    def parent_span(self) -> str:
        return self.traceparent

    @property
    def schema(self) -> Wire:
        """The kyb_schema or kyc_schema of the request."""
        schema: Wire = self.input_payload[f"{self.agent.kind}_schema"]
        return schema


class CheckRun(Stateful):
    """One execution of one check for a job."""

    class Status(models.TextChoices):
        PENDING = "pending", _("Pending")
        IN_PROGRESS = "in_progress", _("In progress")
        COMPLETED = "completed", _("Completed")
        FAILED = "failed", _("Failed")

    FLOW = {
        Status.PENDING: {Status.IN_PROGRESS, Status.COMPLETED, Status.FAILED},
        Status.IN_PROGRESS: {Status.COMPLETED, Status.FAILED},
    }

    job = models.ForeignKey(AgentJob, models.CASCADE, related_name="check_runs")
    check_id = models.CharField(max_length=200)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.PENDING
    )
    result = PersonalJSONField(default=dict, blank=True)
    # Of the result, which is encrypted: lists of many runs show it.
    verdict = models.CharField(max_length=40, blank=True, editable=False)
    status_messages = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(default=now, editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["job", "check_id"], name="one_run_per_check"
            )
        ]

    def __str__(self) -> str:
        return self.check_id

    @classmethod
    def waiting(cls, job: AgentJob, check_id: str) -> CheckRun:
        """A run that is still to come, since there is the job. It says so: clients read the last
        message of each run."""
        messages = [message(WAITING, at=job.created_at)]
        return cls(job=job, check_id=check_id, status_messages=messages)

    @classmethod
    def ended(
        cls,
        status: Status,
        result: Wire,
        before: Sequence[dict[str, str]] = (),
    ) -> Wire:
        """What is written of a run that has ended; `before` are the messages of earlier steps."""
        return {
            "status": status,
            "result": result,
            "verdict": str(result.get("verdict") or "")[:40],
            "status_messages": [*before, message(result["explanation"])],
        }

    def data_key_id_for_personal(self) -> int:
        return self.job.data_key_id_for_personal()

    def begin(self, step: str) -> None:
        """The run is in progress, and does `step` first."""
        messages = [*self.status_messages, message(STARTED), message(step)]
        self.move(self.Status.IN_PROGRESS, status_messages=messages)

    def add_message(self, words: str) -> None:
        """Add a message about a step of a run in progress; one that has ended keeps its last message."""
        messages = [*self.status_messages, message(words)]
        open_runs = CheckRun.objects.filter(pk=self.pk, status=self.Status.IN_PROGRESS)
        if open_runs.update(status_messages=messages, updated_at=now()):
            self.status_messages = messages

    def end(
        self,
        status: Status,
        result: Wire,
        steps: Sequence[dict[str, str]] = (),
    ) -> bool:
        """End the run with its result, and messages of steps that are not written yet. Returns
        False where it had ended before."""
        values = self.ended(status, result, [*self.status_messages, *steps])
        values["result"] = sealed(self, "result", result)
        return self.move(values.pop("status"), **values)


class ToolRun(models.Model):
    """The results of one tool for one document. In the same transaction its webhook is queued."""

    check_run = models.ForeignKey(CheckRun, models.CASCADE, related_name="tool_runs")
    tool_id = models.CharField(max_length=200)
    document = models.PositiveIntegerField(
        help_text="Its place among the check's documents."
    )
    results = PersonalJSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["check_run", "document", "tool_id"],
                name="one_run_per_tool_and_document",
            )
        ]

    def __str__(self) -> str:
        return self.tool_id

    def data_key_id_for_personal(self) -> int:
        return self.check_run.data_key_id_for_personal()


class Feedback(models.Model):
    """What a client says of a job, or of one of its checks."""

    job = models.ForeignKey(AgentJob, models.CASCADE, related_name="feedback")
    check_id = models.CharField(max_length=200, blank=True)
    # Of its body, which is encrypted: it is found by it.
    key = models.TextField(blank=True, editable=False)
    text = PersonalTextField()
    body = PersonalJSONField(help_text="The request body as it came.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "feedback"

    def __str__(self) -> str:
        return str(self.text)[:80]

    def data_key_id_for_personal(self) -> int:
        return self.job.data_key_id_for_personal()
