"""Request shapes of the endpoints of batches, except for those in shapes.py."""

from __future__ import annotations

from typing import Unpack

from rest_framework import serializers

from agenthub.schemas import fields
from agenthub.schemas.cases import KybSchema, Shape, many
from agenthub.schemas.fields import Choice, Name, Text, Uuid
from agenthub.schemas.limits import MOST_COLUMNS, MOST_SCHEMAS
from agenthub.schemas.requests import ToolId
from agenthub.wire import JsonObject, JsonValue


class Schemas(serializers.ListField):
    """A list of cases. The endpoint validates each case separately, so that wrong ones do not block
    the others."""

    def __init__(self, **options: Unpack[fields.Options]) -> None:
        case = KybSchema()
        super().__init__(
            child=case,
            min_length=1,
            max_length=MOST_SCHEMAS,
            **options,
        )

    def run_child_validation(self, data: JsonValue) -> JsonValue:
        return data


class EnqueueKybSchemas(Shape):
    """Cases as start requests give them, up to 1,000.

    Valid ones are started. getBatchJobs lists the others, each with its reason.
    """

    agent_key = Name()
    kyb_schemas = Schemas()
    batch_id = Uuid(required=False, allow_null=True)
    batch_name = fields.text(max_length=255)
    webhook_url = fields.url()
    tool_webhook_url = fields.url()
    tool_webhook_ids = many(ToolId)
    slack_webhook_url = fields.url()
    check_ids = many(Text)


class MapCsvColumns(Shape):
    """The headings of a file of cases: a list in `columns`, or the first line of the text in `csv`
    or of the part `file` of a form. `case_type` or `agent_key` gives the kind of the cases."""

    agent_key = Name(required=False, allow_null=True)
    case_type = Choice(("kyb", "kyc"), allow_null=True)
    columns = serializers.ListField(
        child=Text(allow_blank=True),
        required=False,
        allow_null=True,
        max_length=MOST_COLUMNS,
    )
    csv = Text(required=False, allow_null=True, max_length=None)

    def validate(self, attrs: JsonObject) -> JsonObject:
        if not attrs.get("agent_key") and not attrs.get("case_type"):
            words = "case_type or agent_key is required."
            raise serializers.ValidationError({"case_type": words}, code="required")
        return attrs
