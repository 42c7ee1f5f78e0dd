"""Validation of cases by the rules of the start endpoints, also for rows of files."""

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
from agenthub.wire import JsonObject, Wire

Loc = tuple[str | int, ...]
# REST framework's errors: texts in nested lists and mappings, as deep as the body.
Tree = Any


@cache
def shape_of(kind: str) -> Shape:
    """The only instance of a kind's schema shape."""
    # Cached: creating the fields of a schema takes far longer than a validation.
    if kind == Agent.Kind.KYB:
        return KybSchema()
    return KycSchema()


def judge(agent: Agent, schema: JsonObject) -> Problem | None:
    try:
        shape_of(agent.kind).run_validation(schema)
    except exceptions.ValidationError as exc:
        return Problem(message(exc), details(exc))
    return None


def message(exc: exceptions.APIException) -> str:
    """The first error of a validation as one sentence, with its place."""
    if not isinstance(exc, exceptions.ValidationError):
        return str(exc.detail)
    nothing: tuple[Loc, exceptions.ErrorDetail] = ((), exceptions.ErrorDetail(""))
    loc, error = next(_errors(exc.detail), nothing)
    if not loc:
        return str(error)
    place = ".".join(map(str, loc))
    return f"{place}: {error}"


def details(exc: exceptions.ValidationError) -> list[Wire]:
    """The errors of a validation as `detail` of a response: place, message, type; at most
    MOST_DETAILS."""
    rows = []
    for loc, error in islice(_errors(exc.detail), MOST_DETAILS):
        kind = error.code
        if kind == "required":
            kind = "missing"
        rows.append({"loc": list(loc), "msg": str(error), "type": kind})
    return rows


def _errors(tree: Tree, loc: Loc = ()) -> Iterator[tuple[Loc, exceptions.ErrorDetail]]:
    """The leaves of REST framework's error tree, with their places."""
    if isinstance(tree, exceptions.ErrorDetail):
        yield loc, tree
    elif isinstance(tree, Mapping):
        for name, inner in tree.items():
            place = (*loc, name)
            # An error of the whole object belongs to no member.
            if name == api_settings.NON_FIELD_ERRORS_KEY:
                place = loc
            yield from _errors(inner, place)
    else:
        for inner in tree:
            yield from _errors(inner, loc)
