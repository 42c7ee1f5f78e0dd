"""Jobs that the desk started at a service, and the results of their checks."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.security.personal_fields import PersonalJSONField, PersonalTextField
from compliance.tracing import spans
from compliance.work.rows import CreationTimeField, Work
from reviews.models.cases import Case
from reviews.models.service import Agent, Connection


class Job(Work):
    """The desk's record of one job at the service. Its id is sent as the idempotency key."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("Waiting to be sent")
        RUNNING = "running", _("Running")
        COMPLETE = "complete", _("Complete")
        FAILED = "failed", _("Failed")

    # The job webhook may arrive before the start call has returned, hence QUEUED → COMPLETE.
    FLOW = {
        Status.QUEUED: {Status.RUNNING, Status.COMPLETE, Status.FAILED},
        Status.RUNNING: {Status.COMPLETE, Status.FAILED},
    }

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    case = models.ForeignKey(Case, models.CASCADE, related_name="jobs")
    connection = models.ForeignKey(Connection, models.PROTECT, related_name="jobs")
    agent = models.ForeignKey(
        Agent, models.PROTECT, null=True, blank=True, related_name="jobs"
    )
    remote_id = models.CharField(max_length=255, help_text="What the service calls it.")
    check_id = models.CharField(
        max_length=200,
        blank=True,
        help_text="The one check that it runs; empty: all of the agent.",
    )
    sent = PersonalJSONField(
        default=dict,
        blank=True,
        help_text="What the service was asked, but for keys and tokens.",
    )
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.QUEUED
    )
    recommendation = models.CharField(max_length=64, blank=True)
    recommendation_reasons = PersonalJSONField(
        default=list,
        blank=True,
        help_text="The service's words: why it does not recommend more.",
    )
    requirements_version = models.CharField(max_length=100, blank=True)
    # What a webhook reported: {"status", "recommendation", "at"}. It has no effect until
    # getJobById confirms it.
    notice = PersonalJSONField(
        default=dict,
        blank=True,
        help_text="How a webhook says that it ended, if unconfirmed.",
    )
    error = PersonalTextField(
        default="", blank=True, help_text="Why it failed, or what it waits for."
    )
    tries = models.PositiveIntegerField(
        default=0, help_text="Calls in a row that failed."
    )
    has_results = models.BooleanField(
        default=False, help_text="The results were fetched after the job ended."
    )
    # The trace context (W3C traceparent) of the span that queued the job: its work joins that
    # trace.
    traceparent = models.CharField(
        max_length=spans.LENGTH, default="", db_default="", blank=True, editable=False
    )
    # The newest job of a case decides on its state, whichever machine created it.
    created_at = CreationTimeField()
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

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()

    def parent_span(self) -> str:
        return self.traceparent

    @property
    def is_under_way(self) -> bool:
        return self.status in {Job.Status.QUEUED, Job.Status.RUNNING}


class CheckResult(models.Model):
    """The result of one check or tool, stored verbatim. reviews.results reads it for the pages."""

    class Source(models.TextChoices):
        TOOL = "tool", _("Tool webhook")
        CHECK = "check", _("Check result of the job")

    class Confirmation(models.TextChoices):
        """Whether the service confirms the result when the desk asks for the job (getJobById)."""

        NOT_ASKED = "", _("Not asked: kept before results were confirmed")
        LIVE = "live", _("Came by webhook while the job runs")
        WAITING = (
            "waiting",
            _("Came by webhook after the job ended; the service is asked"),
        )
        CONFIRMED = "confirmed", _("The service confirms it")
        ABSENT = "absent", _("The service does not confirm it")
        UNAVAILABLE = "unavailable", _("The service's own record cannot tell")

    job = models.ForeignKey(Job, models.CASCADE, related_name="check_results")
    source = models.CharField(max_length=8, choices=Source.choices)
    check_id = models.CharField(max_length=200, help_text="A check's id, or a tool's.")
    # Distinguishes two results of one tool: a keyed hash of the document and the content.
    subject = models.CharField(max_length=255, blank=True)
    status = models.CharField(max_length=40, blank=True)
    passed = models.BooleanField(null=True)
    body = PersonalJSONField(
        help_text="`results` of a tool webhook, or the check result, verbatim."
    )
    confirmation = models.CharField(
        max_length=12,
        choices=Confirmation.choices,
        default=Confirmation.NOT_ASKED,
        blank=True,
    )
    # 0 until somebody has read it: a result that may be bad is never left out of a page.
    rank = models.PositiveSmallIntegerField(
        default=0,
        help_text="Its worst verdict, as a place in results.SEVERITY: 0 is the worst.",
    )
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["job", "source", "check_id", "subject"],
                name="one_result_per_subject",
            )
        ]

    def __str__(self) -> str:
        return self.check_id

    def data_key_id_for_personal(self) -> int:
        return self.job.data_key_id_for_personal()
