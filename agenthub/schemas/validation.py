"""Whether a schema may be started: the rules of the start endpoints, for rows of files too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any

from rest_framework import exceptions
from rest_framework.settings import api_settings

from agenthub.models import Agent
from agenthub.schemas.cases import KybSchema, KycSchema, Shape
from agenthub.schemas.limits import MOST_DETAILS, Problem

Loc = tuple[str | int, ...]


@cache
def shape_of(kind: str) -> Shape:
    """The kyb_schema or the kyc_schema."""
    # Kept: making the fields of a schema takes far longer than judging one.
    return KybSchema() if kind == Agent.Kind.KYB else KycSchema()


def judge(agent: Agent, schema: Mapping[str, Any]) -> Problem | None:
    try:
        shape_of(agent.kind).run_validation(schema)
    except exceptions.ValidationError as exc:
        return Problem(message(exc), details(exc))
    return None


def message(exc: exceptions.APIException) -> str:
    """What is wrong, in one sentence: the first of what a validation found."""
    if not isinstance(exc, exceptions.ValidationError):
        return str(exc.detail)
    loc, first = next(_errors(exc.detail), ((), exceptions.ErrorDetail("")))
    return f"{'.'.join(map(str, loc))}: {first}" if loc else str(first)


def details(exc: exceptions.ValidationError) -> list[dict[str, Any]]:
    """Where it does not fit, in what way, and the short name of that: at most MOST_DETAILS."""
    return [
        {
            "loc": list(loc),
            "msg": str(error),
            "type": "missing" if error.code == "required" else error.code,
        }
        for loc, error in islice(_errors(exc.detail), MOST_DETAILS)
    ]


def _errors(found: Any, loc: Loc = ()) -> Iterator[tuple[Loc, exceptions.ErrorDetail]]:
    """The leaves of the tree that validation leaves behind, with their places."""
    if isinstance(found, exceptions.ErrorDetail):
        yield loc, found
    elif isinstance(found, Mapping):
        for name, inner in found.items():
            of_whole = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from _errors(inner, loc if of_whole else (*loc, name))
    else:
        for inner in found:
            yield from _errors(inner, loc)
