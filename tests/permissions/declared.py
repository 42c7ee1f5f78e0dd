"""The tables of docs/permissions.md, read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from tests.docs.pages import read
from tests.permissions.world import ANONYMOUS, NO_ROLE, OTHER_TEAM, ROLES

PAGE = "docs/permissions.md"
EVERYBODY, SIGNED_IN, NOBODY = "everybody", "all who are signed in", "nobody"
# Those who read cases.
READERS = tuple(role for role in ROLES if role != "hub administrator")
GROUPS = {
    EVERYBODY: {ANONYMOUS, NO_ROLE, *ROLES},
    SIGNED_IN: {NO_ROLE, *ROLES},
    "all staff": set(ROLES),
    "readers": set(READERS),
    NOBODY: set(),
}


class Row(NamedTuple):
    """Who may send this request; `other_team` is what an analyst of another team gets."""

    path: str
    method: str
    who: set[str]
    other_team: str

    def may(self, visitor: str) -> bool:
        if visitor == OTHER_TEAM:
            return self.other_team == "yes"
        return visitor in self.who


def who(text: str) -> set[str]:
    return GROUPS.get(text) or set(filter(None, text.replace(NOBODY, "").split(", ")))


def words(visitors: Iterable[str]) -> str:
    visitors = set(visitors) - {OTHER_TEAM}
    for name, members in GROUPS.items():
        if members == visitors:
            return name
    return ", ".join(role for role in (*ROLES, NO_ROLE) if role in visitors)


def rows() -> dict[tuple[str, str], Row]:
    """The requests of pages and of the desk's interface, by route and method."""
    data = {}
    pattern = r"^\| `(/\S*)` \| (\w+) \| ([\w ,]+) \| (yes|no|hidden|login) \|$"
    for path, method, people, other in re.findall(pattern, read(PAGE), re.MULTILINE):
        row = Row(path.removeprefix("/").replace("¦", "|"), method, who(people), other)
        data[row.path, method] = row
    return data


def tables() -> dict[str, list[set[str]]]:
    """Of each table of the admin who may view, add, change and delete its rows."""
    cell = r"([\w ,]+)"
    pattern = rf"^\| `/admin/(\w+/\w+)/` \| {cell} \| {cell} \| {cell} \| {cell} \|$"
    data = {}
    for name, *cells in re.findall(pattern, read(PAGE), re.MULTILINE):
        data[name.replace("/", ".")] = [who(people) for people in cells]
    return data


def endpoints() -> dict[tuple[str, str], str]:
    """The requests of the hub's interface: whose key they take."""
    pattern = r"^\| `/(api/v1/\S*)` \| (\w+) \| (a key|everybody|a link) \|$"
    matches = re.findall(pattern, read(PAGE), re.MULTILINE)
    return {(path, method): key for path, method, key in matches}
