"""Request shapes of the interface. Errors name the place, the reason and a type.

The docstring of a shape becomes the description of its operation in the OpenAPI document.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Unpack, cast

from rest_framework import serializers

from agenthub.agents import catalogue
from agenthub.models import Agent
from agenthub.schemas import fields
from agenthub.schemas.cases import KybSchema, KycSchema, Shape, case_id, many, optional
from agenthub.schemas.fields import (
    Choice,
    Choices,
    Flag,
    JobId,
    Name,
    QueryFlag,
    QueryNumber,
    Text,
    Uuid,
)
from agenthub.wire import JsonObject
from checks import registry

# Statuses of jobs as lists spell them, and the word for a row that did not become a job.
STATUSES = ("pending", "running", "completed", "failed", "retried")
REJECTED = "rejected"
# Other accepted spellings of statuses → the listed word.
SPELLINGS = {
    "complete": "completed",
    "done": "completed",
    "in_progress": "running",
    "in-progress": "running",
    "processing": "running",
    "queued": "pending",
    "error": "failed",
}
LONGEST_FEEDBACK = 10_000
LONGEST_LOOK_UP = 200


def says(attrs: JsonObject, name: str) -> bool:
    return bool((attrs.get(name) or "").strip())


class CheckId(Text):
    """The id or an alias of a check for this kind of case. The value is the id."""

    default_error_messages = {
        "unknown_check": "There is no check {check_id}.",
        "needs_the_web": "The check {check_id} needs the open web or a registry's service: this "
        "installation does not have it.",
        "wrong_kind": "The check {check_id} is not for a {kind} case.",
    }

    def __init__(self, kind: str, **options: Unpack[fields.TextOptions]) -> None:
        super().__init__(**options)
        self.kind = cast("registry.CaseKind", kind)

    def to_internal_value(self, data: object) -> str:
        name = super().to_internal_value(data)
        try:
            check = registry.get(name)
        except registry.UnknownCheckError:
            reason = "unknown_check"
            if name in catalogue.NEEDS_THE_WEB:
                reason = "needs_the_web"
            self.fail(reason, check_id=name[:200])
        if not registry.select([check.id], kind=self.kind):
            self.fail("wrong_kind", check_id=name, kind=self.kind)
        return check.id


class ToolId(Text):
    """The id or an alias of a tool. The value is the id."""

    default_error_messages = {"unknown_tool": "There is no tool {tool_id}."}

    def to_internal_value(self, data: object) -> str:
        name = super().to_internal_value(data)
        tool_id = catalogue.tool_ids().get(name)
        if tool_id is None:
            self.fail("unknown_tool", tool_id=name[:200])
        return tool_id


class StartJob(Shape):
    """The members that both start requests share. Those of no effect are kept with the body."""

    kind: ClassVar[Agent.Kind]

    agent_key = Name()
    webhook_url = fields.url()
    tool_webhook_url = fields.url()
    tool_webhook_ids = many(ToolId)
    slack_webhook_url = fields.url()
    job_id = Uuid(required=False, allow_null=True)
    batch_id = Uuid(required=False, allow_null=True)


class StartKybJob(StartJob):
    kind = Agent.Kind.KYB
    kyb_schema = KybSchema()
    check_ids = many(partial(CheckId, "kyb"))


class StartKycJob(StartJob):
    kind = Agent.Kind.KYC
    kyc_schema = KycSchema()
    check_ids = many(partial(CheckId, "kyc"))


class RunCheck(Shape):
    """One check of a case, as a job of its own. The case comes as its schema, under the member of
    its kind (or `payload`, an older name), or by `case_id`: then its latest job lends it."""

    agent_key = Name()
    check_id = Name()
    kyb_schema = optional(KybSchema)
    kyc_schema = optional(KycSchema)
    payload = serializers.DictField(required=False, allow_null=True)
    case_id = case_id(required=False, allow_null=True)
    check_args = serializers.DictField(required=False, allow_null=True)
    webhook_url = fields.url()
    tool_webhook_url = fields.url()
    tool_webhook_ids = many(ToolId)
    slack_webhook_url = fields.url()
    job_id = Uuid(required=False, allow_null=True)
    batch_id = Uuid(required=False, allow_null=True)


class RetryJob(Shape):
    """`new_job_id` makes it safe to repeat, as `job_id` does a start."""

    job_id = JobId()
    new_job_id = Uuid(required=False, allow_null=True)


class EnqueueCsv(Shape):
    """A file of cases: the part `file` of a form, or its text as the member `csv`. `column_mapping`
    says what its columns are called here, as mapCsvColumns proposes it; null: not taken."""

    agent_key = Name(required=False, allow_null=True)
    agent_id = Name(required=False, allow_null=True)
    csv = Text(required=False, allow_null=True, max_length=None)
    file_name = fields.text()
    batch_id = Uuid(required=False, allow_null=True)
    batch_name = fields.text(max_length=255)
    column_mapping = serializers.DictField(
        child=Name(allow_null=True), required=False, allow_null=True
    )
    webhook_url = fields.url()
    tool_webhook_url = fields.url()
    tool_webhook_ids = many(ToolId)
    slack_webhook_url = fields.url()
    check_ids = many(Text)

    def validate(self, attrs: JsonObject) -> JsonObject:
        if not attrs.get("agent_key") and not attrs.get("agent_id"):
            raise serializers.ValidationError(
                {"agent_key": "This field is required."}, code="required"
            )
        return attrs


class UploadDocument(Shape):
    """`document_name` is another name of `file_name`, which counts where both are given."""

    b64_document = Name(max_length=None)
    file_name = fields.text(max_length=255)
    document_name = fields.text(max_length=255)


class EnrichPerson(Shape):
    """At least one of full_name, first_name with last_name, email, phone or profile."""

    email = fields.Email(required=False, allow_null=True, allow_blank=True)
    full_name = fields.text()
    first_name = fields.text()
    last_name = fields.text()
    company = fields.text()
    location = fields.text()
    phone = fields.text()
    profile = fields.text()

    def validate(self, attrs: JsonObject) -> JsonObject:
        has_names = says(attrs, "first_name") and says(attrs, "last_name")
        others = ("full_name", "email", "phone", "profile")
        if not has_names and not any(says(attrs, name) for name in others):
            words = "full_name, first_name and last_name, email, phone or profile is required."
            raise serializers.ValidationError({"full_name": words}, code="required")
        return attrs


class EnrichCompany(Shape):
    """At least one of the four."""

    name = fields.text()
    website = fields.text()
    ticker = fields.text()
    profile = fields.text()

    def validate(self, attrs: JsonObject) -> JsonObject:
        members = ("name", "website", "ticker", "profile")
        if not any(says(attrs, name) for name in members):
            words = "name, website, ticker or profile is required."
            raise serializers.ValidationError({"name": words}, code="required")
        return attrs


class TryWebhook(Shape):
    """At least one of the two URLs."""

    webhook_url = fields.url()
    tool_webhook_url = fields.url()
    tool_webhook_ids = many(ToolId)

    def validate(self, attrs: JsonObject) -> JsonObject:
        if not attrs.get("webhook_url") and not attrs.get("tool_webhook_url"):
            words = "webhook_url or tool_webhook_url is required."
            raise serializers.ValidationError({"webhook_url": words}, code="required")
        return attrs


class SendFeedback(Shape):
    """What was right or wrong about a job, or about one of its checks: in words (`feedback`, also
    taken as `comment`), as a `value` for what `key` names, or both. The job's id is also taken as
    `jobId`. A `key` that is the id of a check of the job says of which; any other is kept."""

    job_id = JobId(required=False, allow_null=True)
    jobId = JobId(required=False, allow_null=True)  # noqa: N815 - the name on the wire
    feedback = fields.text(max_length=LONGEST_FEEDBACK)
    comment = fields.text(max_length=LONGEST_FEEDBACK)
    key = fields.text(max_length=200)
    value = serializers.JSONField(required=False, allow_null=True)
    check_id = Name(required=False, allow_null=True)

    def validate(self, attrs: JsonObject) -> JsonObject:
        missing = {}
        if not attrs.get("job_id") and not attrs.get("jobId"):
            missing["job_id"] = "This field is required."
        has_words = says(attrs, "feedback") or says(attrs, "comment")
        if not has_words and attrs.get("value") is None:
            missing["feedback"] = "feedback, comment or value is required."
        if missing:
            raise serializers.ValidationError(missing, code="required")
        return attrs


class EraseCase(Shape):
    """The case whose personal data are erased, in all jobs of the account: an extension. Ids,
    statuses and times stay. A second call finds nothing more."""

    case_id = case_id()


class LookUpName(Shape):
    """A name, a part of one, or a number, in any script, to be found in the active lists: an
    extension. `lists` names those to search, by their slugs; without it all are. The hub keeps
    nothing of it."""

    name = Name(max_length=LONGEST_LOOK_UP)
    date_of_birth = fields.day()
    lists = many(Text)


class DownloadReport(Shape):
    """The report of a case's latest job, or of the job that `job_id` names; with
    `download_test_report` a test report, which tells of no case. The other members are taken, and
    have no effect: a report is always drawn afresh."""

    agent_key = Name()
    case_id = case_id(required=False, allow_null=True)
    job_id = JobId(required=False, allow_null=True)
    force_refresh_report = Flag(required=False, allow_null=True)
    download_test_report = Flag(required=False, allow_null=True)
    report_version = fields.text()

    def validate(self, attrs: JsonObject) -> JsonObject:
        is_test = attrs.get("download_test_report")
        if not is_test and not attrs.get("case_id") and not attrs.get("job_id"):
            raise serializers.ValidationError(
                {"case_id": "case_id or job_id is required."}, code="required"
            )
        return attrs


class ReportQuery(DownloadReport):
    # In a query the flag may be any word. It has no effect.
    force_refresh_report = fields.text()  # type: ignore[assignment]
    download_test_report = QueryFlag()  # type: ignore[assignment]


class ApplicationQuery(Shape):
    agent_key = Name()
    application_id = case_id()


class BatchQuery(Shape):
    batch_id = Uuid()
    agent_key = Name()


class BatchesQuery(Shape):
    agent_key = Name()
    limit = QueryNumber(least=1, most=1000, default=100)
    cursor = Uuid(required=False)
    include_signed_urls = QueryFlag()


class BatchJobsQuery(Shape):
    """`status` is that of the jobs, or `rejected` for the rows that could not be started. It may
    come several times, or with commas; `rejected` comes alone, for its rows are a list of their
    own.
    """

    batch_id = Uuid()
    agent_key = Name(required=False)
    limit = QueryNumber(least=1, most=1000, default=100)
    cursor = Name(required=False, max_length=64)
    status = Choices((*STATUSES, REJECTED), SPELLINGS)

    def validate(self, attrs: JsonObject) -> JsonObject:
        statuses = attrs.get("status", ())
        if REJECTED in statuses and len(statuses) > 1:
            error = "rejected is asked for alone: these rows are not jobs."
            raise serializers.ValidationError({"status": error}, code="exclusive")
        return attrs


class ChecksQuery(Shape):
    agent_key = Name(required=False)
    case_type = Choice(("kyb", "kyc"))


class CheckQuery(Shape):
    check_id = Name()


class JobQuery(Shape):
    job_id = JobId()
    include_check_results = QueryFlag()
    include_check_result_ids = QueryFlag()
    include_status_messages = QueryFlag()
    include_feedback = QueryFlag()

    def validate(self, attrs: JsonObject) -> JsonObject:
        if attrs["include_check_results"] and attrs["include_check_result_ids"]:
            words = "Not together with include_check_results."
            raise serializers.ValidationError(
                {"include_check_result_ids": words}, code="exclusive"
            )
        return attrs


class CaseQuery(Shape):
    case_id = case_id()
    agent_key = Name()
    include_check_results = QueryFlag()
    include_status_messages = QueryFlag()
    limit = QueryNumber(least=1, most=1000)
    cursor = Uuid(required=False)


class ResultsQuery(Shape):
    job_id = JobId()
