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
from agenthub.wire import JsonObject, Wire

Loc = tuple[str | int, ...]
# What REST framework leaves behind: texts, in lists and by member, as deep as the body.
Tree = Any


@cache
def shape_of(kind: str) -> Shape:
    """The kyb_schema or the kyc_schema."""
    # Kept: making the fields of a schema takes far longer than judging one.
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
    """What is wrong, in one sentence: the first of what a validation found."""
    if not isinstance(exc, exceptions.ValidationError):
        return str(exc.detail)
    nothing: tuple[Loc, exceptions.ErrorDetail] = ((), exceptions.ErrorDetail(""))
    loc, error = next(_errors(exc.detail), nothing)
    if not loc:
        return str(error)
    place = ".".join(map(str, loc))
    return f"{place}: {error}"


def details(exc: exceptions.ValidationError) -> list[Wire]:
    """Where it does not fit, in what way, and the short name of that: at most MOST_DETAILS."""
    rows = []
    for loc, error in islice(_errors(exc.detail), MOST_DETAILS):
        kind = error.code
        if kind == "required":
            kind = "missing"
        rows.append({"loc": list(loc), "msg": str(error), "type": kind})
    return rows


def _errors(tree: Tree, loc: Loc = ()) -> Iterator[tuple[Loc, exceptions.ErrorDetail]]:
    """The leaves of the tree that validation leaves behind, with their places."""
    if isinstance(tree, exceptions.ErrorDetail):
        yield loc, tree
    elif isinstance(tree, Mapping):
        for name, inner in tree.items():
            place = (*loc, name)
            # What is wrong with the whole has no member of its own to blame.
            if name == api_settings.NON_FIELD_ERRORS_KEY:
                place = loc
            yield from _errors(inner, place)
    else:
        for inner in tree:
            yield from _errors(inner, loc)
