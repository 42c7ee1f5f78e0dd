"""Every route of the installation, as Django's resolver has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
# The pages that Django's admin gives to each table.
ADMIN_PAGE = re.compile(
    r"admin/(?!password_change)(\w+)/(\w+)/(add/|<path:object_id>/(history|delete|change)/)?"
)


class Route(NamedTuple):
    path: str
    name: str

    @property
    def table(self) -> str:
        """Of a page of the admin: its table, as "app.model"; "" for all other routes."""
        match = ADMIN_PAGE.fullmatch(self.path)
        return f"{match[1]}.{match[2]}" if match else ""

    @property
    def page(self) -> str:
        return self.name.rpartition("_")[2]


def routes() -> list[Route]:
    """All of them, each once."""
    rows = {}
    for path, entry in _patterns(get_resolver()):
        # After each form of a row Django has an older address, which leads to the same page.
        if path.startswith("admin/") and path.endswith("<path:object_id>/"):
            continue
        if path.startswith("admin/^(?P<app_label>"):
            # Django names all installed apps here.
            path = "admin/<str:app_label>/"
        rows[path] = Route(path, str(entry.name or ""))
    return list(rows.values())


def _patterns(
    resolver: URLResolver, prefix: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        path = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _patterns(entry, path)
        else:
            yield path, entry


def address(path: str, values: dict[str, object]) -> str:
    """The address of a route: `values` has each of its parameters by name."""

    def value(match: re.Match[str]) -> str:
        return str(values[match[1]])

    plain = path.replace("^", "").replace("$", "").replace(r"\.", ".")
    plain = re.sub(r"\(\?P<(\w+)>[^)]*\)", value, plain)
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", value, plain)
