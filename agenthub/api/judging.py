"""Whether a schema may be started: the rules of the start endpoints, for rows of files too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from rest_framework.serializers import ValidationError

from agenthub.api import errors
from agenthub.api.schemas import KybSchema, KycSchema, Shape
from agenthub.csv_cases import Problem
from agenthub.models import Agent


@cache
def shape_of(kind: str) -> Shape:
    """The kyb_schema or the kyc_schema."""
    # Kept: making the fields of a schema takes far longer than judging one.
    return KybSchema() if kind == Agent.Kind.KYB else KycSchema()


def judge(agent: Agent, schema: Mapping[str, Any]) -> Problem | None:
    try:
        shape_of(agent.kind).run_validation(schema)
    except ValidationError as exc:
        return Problem(errors.message(exc), errors.details(exc))
    return None
