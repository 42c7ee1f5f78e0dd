"""What requests ask for. What is wrong is told with its place, its reason and its type."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework import serializers

from agenthub.api import fields
from agenthub.api.fields import Name, QueryFlag, Text, Uuid
from agenthub.api.schemas import KybSchema, KycSchema, Shape, case_id
from agenthub.models import Agent
from checks import registry


class CheckId(Text):
    """The id or an alias of a check for this kind of case; becomes the id."""

    default_error_messages = {
        "unknown_check": "There is no check {check_id}.",
        "wrong_kind": "The check {check_id} is not for a {kind} case.",
    }

    def __init__(self, kind: registry.CaseKind, **options: Any) -> None:
        super().__init__(**options)
        self.kind = kind

    def to_internal_value(self, data: Any) -> str:
        asked = super().to_internal_value(data)
        try:
            check = registry.get(asked)
        except registry.UnknownCheckError:
            self.fail("unknown_check", check_id=asked)
        if not registry.select([check.id], kind=self.kind):
            self.fail("wrong_kind", check_id=asked, kind=self.kind)
        return check.id


class StartJob(Shape):
    """The members that both start requests share. Those of no effect are kept with the body."""

    kind: ClassVar[Agent.Kind]

    agent_key = Name()
    webhook_url = fields.url()
    tool_webhook_url = fields.url()
    slack_webhook_url = fields.url()
    job_id = Uuid(required=False, allow_null=True)
    batch_id = Uuid(required=False, allow_null=True)


class StartKybJob(StartJob):
    kind = Agent.Kind.KYB
    kyb_schema = KybSchema()
    check_ids = serializers.ListField(child=CheckId("kyb"), required=False, allow_null=True)


class StartKycJob(StartJob):
    kind = Agent.Kind.KYC
    kyc_schema = KycSchema()
    check_ids = serializers.ListField(child=CheckId("kyc"), required=False, allow_null=True)


class JobQuery(Shape):
    job_id = Uuid()
    include_check_results = QueryFlag()
    include_check_result_ids = QueryFlag()
    include_status_messages = QueryFlag()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["include_check_results"] and attrs["include_check_result_ids"]:
            words = "Not together with include_check_results."
            raise serializers.ValidationError({"include_check_result_ids": words}, code="exclusive")
        return attrs


class CaseQuery(Shape):
    case_id = case_id()
    agent_key = Name()
    include_check_results = QueryFlag()
    include_status_messages = QueryFlag()


class ResultsQuery(Shape):
    job_id = Uuid()
