"""The catalogue of checks. Its texts are the docstrings of the checks and their tools."""

from __future__ import annotations

import inspect
from collections.abc import Collection
from typing import cast, get_args

from django.conf import settings

from agenthub.models import Agent
from agenthub.wire import Wire
from checks import registry
from checks.base import Check, Tool

# Checks whose ids clients of similar services send, but which need the web or a registry's service.
NEEDS_THE_WEB = frozenset(
    {"kyb.adverse_media_check", "kyb.open_corporates_business_check"}
)

Info = Wire  # a check in the JSON of the interface


def available(*, agent: Agent | None = None, kind: str | None = None) -> list[Info]:
    """Checks in the order of their run: all, those for a kind of case, or those of an agent."""
    if agent is None:
        checks = registry.select(kind=cast("registry.CaseKind | None", kind))
    elif kind is not None and kind != agent.kind:
        return []
    else:
        checks = of_agent(agent)
        if not agent.checks:
            # These run only for an agent that names them.
            checks = [
                check for check in checks if not (check.lacks or check.on_request)
            ]
    return [info(check) for check in checks]


def of_agent(agent: Agent) -> list[Check]:
    """The checks of an agent, of which a job may select some: those that it names, or else all.

    A check whose plug-in is no longer installed is left out."""
    checks = registry.select(kind=cast("registry.CaseKind", agent.kind))
    ids = {entry["check_id"] for entry in agent.checks}
    if not ids:
        return list(checks)
    return [check for check in checks if ids & {check.id, *check.aliases}]


def by_default(kind: registry.CaseKind) -> list[Check]:
    """The checks of an agent that names none: all that work here and need no explicit request."""
    checks = []
    for check in registry.select(kind=kind):
        if check.on_request or check.lacks:
            continue
        if check.asks_outside and not settings.WEBSITE_VISITS:
            continue
        checks.append(check)
    return checks


def not_of_agent(agent: Agent, check_ids: Collection[str]) -> list[str]:
    """Those of `check_ids` that the agent does not have."""
    agent_ids = {check.id for check in of_agent(agent)}
    return [check_id for check_id in check_ids if check_id not in agent_ids]


def tool_ids() -> dict[str, str]:
    """Id or alias of a tool → its id, in the order of the checks."""
    ids: dict[str, str] = {}
    for check in registry.all_checks().values():
        for tool in check.tools:
            ids.update(dict.fromkeys((tool.id, *tool.aliases), tool.id))
    return ids


def info(check: Check) -> Info:
    arguments = []
    for argument in check.taken().values():
        arguments.append({"name": argument.name, "description": argument.takes})
    return {
        "check_id": check.id,
        "command_id": check.id,
        "aliases": list(check.aliases),
        "title": check.title,
        "description": _description(check),
        "case_types": _kinds(check),
        "documents": check.documents or None,
        "arguments": arguments,
        "tools": [_tool_info(tool) for tool in check.tools],
    }


def check_id_of(name: str) -> str:
    """The id of the check with this id or alias; `name` itself if there is none."""
    try:
        return registry.get(name).id
    except registry.UnknownCheckError:
        return name


def _tool_info(tool: Tool) -> Info:
    return {
        "tool_id": tool.id,
        "aliases": list(tool.aliases),
        "payload_key": tool.payload_key,
        "description": _description(tool),
    }


def _kinds(check: Check) -> list[str]:
    kinds = get_args(registry.CaseKind)
    return [kind for kind in kinds if check in registry.select([check.id], kind=kind)]


def _description(check_or_tool: Check | Tool) -> str:
    # The class's own docstring, not an inherited one.
    docstring = type(check_or_tool).__doc__ or ""
    return inspect.cleandoc(docstring)
