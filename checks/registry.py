"""Which checks exist: the built-in ones and those of installed plug-ins."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib.metadata import entry_points
from typing import Literal

from checks.base import Check

GROUP = "compliance.checks"
CaseKind = Literal["kyb", "kyc"]


class UnknownCheckError(LookupError):
    """There is no check with this id or alias."""

    def __init__(self, check_id: str) -> None:
        super().__init__(f"unknown check: {check_id}")
        self.check_id = check_id


@cache
def all_checks() -> dict[str, Check]:
    """Return every check by its id: the built-in ones, then those of installed plug-ins."""
    # Imported here because it takes half a second, which a process without checks (such as a
    # migration) should not spend.
    from checks.builtin import BUILTIN

    plugins: list[type[Check]] = [entry.load() for entry in entry_points(group=GROUP)]
    return {check.id: check() for check in (*BUILTIN, *plugins)}


def get(id_or_alias: str) -> Check:
    try:
        return _by_name()[id_or_alias]
    except KeyError as exc:
        raise UnknownCheckError(id_or_alias) from exc


@cache
def _by_name() -> dict[str, Check]:
    """Return every check by its id and its aliases.

    If two checks share a name, the first has it.
    """
    matches = []
    for check in all_checks().values():
        for name in (check.id, *check.aliases):
            matches.append((name, check))
    # Later entries of a dict replace earlier ones, so the reversed order lets the first win.
    return dict(reversed(matches))


def select(
    check_ids: Collection[str] = (), kind: CaseKind | None = None
) -> list[Check]:
    """Return the requested checks (all if none is named) that apply to a kind of case.

    The kind stands before the dot in the id of a check. A check without a dot applies to both.
    """
    requested = {get(check_id).id for check_id in check_ids} or set(all_checks())
    checks: list[Check] = []
    for check in all_checks().values():
        if check.id in requested and (kind is None or _applies(check, kind)):
            checks.append(check)
    return checks


def _applies(check: Check, kind: CaseKind) -> bool:
    prefix, dot, _ = check.id.partition(".")
    return not dot or prefix == kind
