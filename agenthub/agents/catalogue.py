"""What can be checked: the catalogue, written by the docstrings of the checks and their tools."""

from __future__ import annotations

import inspect
from collections.abc import Collection
from typing import Any, cast, get_args

from django.conf import settings

from agenthub.models import Agent
from checks import registry
from checks.base import Check, Tool

# Ids that clients of such services send, of checks that need the open web or a registry's service.
NEEDS_THE_WEB = frozenset({"kyb.adverse_media_check", "kyb.open_corporates_business_check"})

Info = dict[str, Any]


def available(*, agent: Agent | None = None, kind: str | None = None) -> list[Info]:
    """Every check in the order of its run: all, those for a kind of case, or those of an agent."""
    if agent is None:
        found = registry.select(kind=cast("registry.CaseKind | None", kind))
    elif kind is not None and kind != agent.kind:
        return []
    else:
        # Those are run only where they are named.
        found = [
            check
            for check in of_agent(agent)
            if agent.checks or not (check.lacks or check.on_request)
        ]
    return [info(check) for check in found]


def of_agent(agent: Agent) -> list[Check]:
    """The checks of an agent, of which a job may select some: those that it names, or all. One
    that is gone, because its plug-in is not installed any more, is none of them."""
    found = registry.select(kind=cast("registry.CaseKind", agent.kind))
    named = {entry["check_id"] for entry in agent.checks}
    return [check for check in found if not named or named & {check.id, *check.aliases}]


def by_default(kind: registry.CaseKind) -> list[Check]:
    """What an agent runs that names no checks: all but those that could say little here, and those
    that are run on request."""
    every = (check for check in registry.select(kind=kind) if not check.on_request)
    able = (check for check in every if not check.lacks)
    return [check for check in able if settings.WEBSITE_VISITS or not check.asks_outside]


def not_of_agent(agent: Agent, check_ids: Collection[str]) -> list[str]:
    """Those of the ids that the agent does not know."""
    known = {check.id for check in of_agent(agent)}
    return [check_id for check_id in check_ids if check_id not in known]


def tool_ids() -> dict[str, str]:
    """The id of every tool by its id and by each of its aliases, in the order of the checks."""
    return {
        name: tool.id
        for check in registry.all_checks().values()
        for tool in check.tools
        for name in (tool.id, *tool.aliases)
    }


def info(check: Check) -> Info:
    return {
        "check_id": check.id,
        "command_id": check.id,
        "aliases": list(check.aliases),
        "title": check.title,
        "description": _words(check),
        "case_types": _kinds(check),
        "documents": check.documents or None,
        "arguments": [
            {"name": one.name, "description": one.takes} for one in check.taken().values()
        ],
        "tools": [
            {
                "tool_id": tool.id,
                "aliases": list(tool.aliases),
                "payload_key": tool.payload_key,
                "description": _words(tool),
            }
            for tool in check.tools
        ],
    }


def _kinds(check: Check) -> list[str]:
    kinds = get_args(registry.CaseKind)
    return [kind for kind in kinds if check in registry.select([check.id], kind=kind)]


def _words(documented: Check | Tool) -> str:
    # Its own docstring: that of the base class says nothing of this one.
    return inspect.cleandoc(type(documented).__doc__ or "")
