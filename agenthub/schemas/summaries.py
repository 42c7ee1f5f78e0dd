"""Request shapes of the endpoints for summaries and single results."""

from __future__ import annotations

from rest_framework import serializers

from agenthub.schemas.cases import Shape, case_id
from agenthub.schemas.fields import Choice, JobId, Name, QueryFlag, QueryNumber, Uuid
from agenthub.wire import JsonObject


class StatusSummaryQuery(Shape):
    """The state of one job (`job_id`), or how many jobs of an agent are in which state
    (`agent_key`, narrowed by `case_id` or `batch_id`)."""

    job_id = JobId(required=False)
    agent_key = Name(required=False)
    case_id = case_id(required=False)
    batch_id = Uuid(required=False)

    def validate(self, attrs: JsonObject) -> JsonObject:
        if "job_id" not in attrs and "agent_key" not in attrs:
            words = "job_id or agent_key is required."
            raise serializers.ValidationError({"job_id": words}, code="required")
        return attrs


class OneResultQuery(Shape):
    """`check_id` is the id of a check or an alias. `agent_instance_id` and `case_type` may be left
    out: given, they must be those of the job."""

    job_id = JobId()
    check_id = Name()
    agent_instance_id = Name(required=False)
    case_type = Choice(("kyb", "kyc"))
    include_status_messages = QueryFlag(default=True)


class FeedbackInputsQuery(Shape):
    """The feedback that was kept under a key, or about the check that the key names: of one job
    (`job_id`), or of all jobs of the account, newest first."""

    key = Name(max_length=200)
    job_id = JobId(required=False)
    limit = QueryNumber(least=1, most=1000, default=100)
    cursor = QueryNumber(least=1, most=10**18 - 1)
