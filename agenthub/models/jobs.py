"""Jobs, batches of jobs, and their results."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from hmac import compare_digest
from typing import cast

from django.db import models
from django.db.models import Q
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from agenthub import digests
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

# Status messages of a check: before it starts, when it starts, and after its documents were read.
WAITING, STARTED, COMPARING = "Waiting", "Started", "Comparing with the data"


def message(text: str, at: datetime | None = None) -> dict[str, str]:
    """An entry of the `status_messages` of a job or check, at the time `at` (default: now)."""
    return {
        "timestamp": (at or now()).isoformat().replace("+00:00", "Z"),
        "message": text,
    }


class JobBatch(Work):
    """Jobs of one agent that belong together: from one CSV file, or started with one batch id.

    It is due while rows of its file remain to be started (`read_rows` counts the others), and once
    more when the file must be deleted.
    """

    class Status(models.TextChoices):
        RUNNING = "running", _("Being started")
        COMPLETE = "complete", _("Started")
        FAILED = "failed", _("Failed")

    FLOW = {Status.RUNNING: {Status.COMPLETE, Status.FAILED}}

    agent = models.ForeignKey(Agent, models.PROTECT, related_name="batches")
    # Unique per agent only: a client must not learn that another account uses an id.
    batch_id = models.UUIDField(default=uuid.uuid4, editable=False)
    # Chosen by people, who name clients in it.
    name = PersonalTextField(max_length=255, blank=True)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.RUNNING
    )
    file = models.FileField(upload_to="batches/", blank=True)
    rows_sha256 = models.CharField(
        max_length=64,
        blank=True,
        db_default="",
        editable=False,
        help_text="Keyed, of its rows, and of how they are read: a repeated call has the same.",
    )
    # Options for the jobs of all rows, and which batch they are of: {"webhook_url": …, "check_ids":
    # …, "agent_key": …, "batch_id": …}.
    options = PersonalJSONField(default=dict, blank=True, only_encrypted=True)
    read_rows = models.PositiveIntegerField(default=0)
    accepted = models.PositiveIntegerField(default=0)
    rejected = models.PositiveIntegerField(default=0)
    # In the clear, so it quotes nothing of the file: fixed sentences, and numbers of lines.
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

    def data_key_id_for_personal(self) -> int:
        """The key of the installation: a batch belongs to no case."""
        return data_keys.INSTALLATION


class RejectedRow(models.Model):
    """A row of a batch's file that could not be started, and the reason."""

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
        """The key of the installation: a refused row belongs to no case."""
        return data_keys.INSTALLATION


class AgentJob(Work):
    """One run of an agent on a case."""

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
    # Unique per account only: a client must not learn that another account uses an id.
    job_id = models.UUIDField(default=uuid.uuid4, editable=False)
    case_id = models.CharField(max_length=255)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.PENDING
    )
    input_payload = PersonalJSONField(
        help_text="The request body as it came.", only_encrypted=True
    )
    check_ids = models.JSONField(default=list, blank=True)
    # Arguments of single checks, which override the agent's: {check id: {…}}. They decide: with a
    # minimum age of 0 a child passes.
    check_args = PersonalJSONField(default=dict, blank=True, only_encrypted=True)
    # Proves that agent and checks are those of the request: see `proof`.
    request_proof = models.CharField(
        max_length=64, default="", db_default="", blank=True, editable=False
    )
    batch = models.ForeignKey(
        JobBatch,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="jobs",
        db_index=False,
    )
    # A job is run again at most once; the new job may be run again in turn.
    original = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="rerun"
    )
    # The name of the subject, as attested.
    subject = PersonalTextField(max_length=255, blank=True)
    # Digests of the words of its names and of other facts, for searching: see agenthub.subjects.
    subject_key = models.CharField(max_length=255, blank=True)
    fact_key = models.TextField(blank=True)
    webhook_url = models.TextField(blank=True)
    tool_webhook_url = models.TextField(blank=True)
    slack_webhook_url = models.TextField(blank=True)
    recommendation = models.CharField(max_length=32, blank=True)
    # What the case lacks for Approve, as sentences, and the version of the rules (requirements.py).
    recommendation_reasons = models.JSONField(default=list, blank=True)
    requirements_version = models.CharField(max_length=40, blank=True)
    # The alerts of its checks, which quote what they found.
    error = PersonalTextField(blank=True)
    # In the clear: that it was created, and how many checks it had. Those of a check are encrypted.
    status_messages = models.JSONField(default=list, blank=True)
    # Selects the queue: jobs with documents have their own.
    reads_documents = models.BooleanField(default=False, editable=False)
    # The number of different documents that its checks read.
    documents = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    # Nobody waits for it: it belongs to a batch, or rescreens a case.
    is_bulk = models.BooleanField(default=False, db_default=False, editable=False)
    # Why documents were not read completely: {"<check id>:<index among its documents>": reason}.
    unread_documents = models.JSONField(default=dict, editable=False)
    # Documents that could not be fetched yet, by a digest of their address:
    # {"<digest>": {"tries": 3, "next_at": "2026-11-29T23:00:00+00:00"}}.
    away_documents = models.JSONField(default=dict, db_default={}, editable=False)
    # The last claim, by which accounts take turns.
    claimed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The tracing span that created the job. Later work on it joins the same trace.
    traceparent = models.CharField(
        max_length=spans.LENGTH, default="", db_default="", blank=True, editable=False
    )
    # A default instead of auto_now_add: it is evaluated before updated_at, so a job is never
    # updated before it is created.
    created_at = models.DateTimeField(default=now, editable=False)
    # The key that encrypts the job's personal data. It is declared after the encrypted fields,
    # because saving the first of them creates it.
    data_key = models.OneToOneField(
        "compliance.DataKey",
        models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
    )
    # When its personal data was erased at the client's request.
    erased_at = models.DateTimeField(null=True, editable=False)

    class Meta(Work.Meta):
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["account", "job_id"], name="one_job_per_job_id"
            )
        ]
        indexes = [
            # Due rows per queue; then for fair scheduling, by account: due rows, leased rows, the
            # last claim.
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
            # Jobs that failed permanently, which are few.
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

    def save(self, *args: object, **options: object) -> None:
        """A new job gets its proof. `bulk_create` does not come here."""
        if self._state.adding:
            self.request_proof = self.proof()
        super().save(*args, **options)  # type: ignore[arg-type]

    def proof(self) -> str:
        """The keyed digest of what decides how the job is judged, and is in the clear.

        Whoever writes to the database, without a key, gives a job no other agent, and leaves no
        check out.
        """
        parts = [self.job_id, self.account_id, self.agent_id, *self.check_ids]
        return digests.keyed("\x1f".join(map(str, parts)))

    def require_its_request(self) -> None:
        """Raise DataKeyError if the agent or the checks are not those of the request."""
        if not compare_digest(self.request_proof, self.proof()):
            raise data_keys.DataKeyError("A job is not that of its request.")

    @property
    def schema(self) -> Wire:
        """The kyb_schema or kyc_schema of the request. After an erasure it has only the case id."""
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
    result = PersonalJSONField(default=dict, blank=True, only_encrypted=True)
    # A copy of the verdict in the encrypted result, because lists of many runs show it.
    verdict = models.CharField(max_length=40, blank=True, editable=False)
    # Encrypted, because they quote the explanation in the result.
    status_messages = PersonalJSONField(default=list, blank=True, only_encrypted=True)
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
        """A run that has waited since the job was created.

        A message says so, because clients read the last message of each run.
        """
        messages = [message(WAITING, at=job.created_at)]
        return cls(job=job, check_id=check_id, status_messages=messages)

    @classmethod
    def ended(
        cls,
        status: Status,
        result: Wire,
        before: Sequence[dict[str, str]] = (),
    ) -> Wire:
        """The columns of an ended run. `before`: messages of earlier steps."""
        return {
            "status": status,
            "result": result,
            "verdict": str(result.get("verdict") or "")[:40],
            "status_messages": [*before, message(result["explanation"])],
        }

    def data_key_id_for_personal(self) -> int:
        return self.job.data_key_id_for_personal()

    def begin(self, step: str) -> None:
        """Start the run. `step` describes its first step."""
        messages = [*self.status_messages, message(STARTED), message(step)]
        self.move(self.Status.IN_PROGRESS, status_messages=messages)

    def add_message(self, words: str) -> None:
        """Add a message to a running run. An ended run keeps its final message."""
        messages = [*self.status_messages, message(words)]
        open_runs = CheckRun.objects.filter(pk=self.pk, status=self.Status.IN_PROGRESS)
        stored = sealed(self, "status_messages", messages)
        if open_runs.update(status_messages=stored, updated_at=now()):
            self.status_messages = messages

    def end(
        self,
        status: Status,
        result: Wire,
        steps: Sequence[dict[str, str]] = (),
    ) -> bool:
        """End the run with its result, and with messages of steps that are not written yet.

        Returns False if it had ended before."""
        values = self.ended(status, result, [*self.status_messages, *steps])
        values["result"] = sealed(self, "result", result)
        return self.move(values.pop("status"), **values)


class ToolRun(models.Model):
    """The results of one tool for one document. Its webhook is queued in the same transaction."""

    check_run = models.ForeignKey(CheckRun, models.CASCADE, related_name="tool_runs")
    tool_id = models.CharField(max_length=200)
    document = models.PositiveIntegerField(
        help_text="Its place among the check's documents."
    )
    results = PersonalJSONField(only_encrypted=True)
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
    """A client's feedback about a job, or about one of its checks."""

    job = models.ForeignKey(AgentJob, models.CASCADE, related_name="feedback")
    check_id = models.CharField(max_length=200, blank=True)
    # A copy from the encrypted body, for searching.
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
