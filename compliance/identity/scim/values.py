"""Parses what a directory sends: strict about types, tolerant about unknown attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from compliance.http.api.errors import Problem

JsonObject = dict[str, Any]
# Names of attributes are case-insensitive (RFC 7643, 2.1).
_FILTER = re.compile(
    r'\s*(?P<name>[A-Za-z.:\d]{1,100})\s+eq\s+"(?P<value>(?:[^"\\]|\\.){0,300})"\s*',
    re.IGNORECASE,
)
_PATH = re.compile(
    r"(?P<name>[A-Za-z.\d:_-]{1,120})(?:\[(?P<filter>[^\]]{1,400})\])?(?:\.(?P<sub>[A-Za-z]{1,40}))?"
)
MOST_OPERATIONS = 1000
MOST_NUMBER = 999_999_999


class Filter(NamedTuple):
    name: str
    value: str


class Change(NamedTuple):
    """One operation of a PATCH.

    `path`: the attribute in lower case. `selected`: a filter on values.
    """

    op: str
    path: str
    selected: Filter | None
    value: object


def bad(detail: str, code: str = "invalidValue") -> Problem:
    return Problem(400, detail, code=code)


def text(body: JsonObject, name: str, *, most: int) -> str | None:
    """A text of the body; None if it is absent. Raises Problem."""
    value = member(body, name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise bad(f"{name} must be a text.")
    if len(value) > most:
        raise bad(f"{name} may have {most} characters.")
    return value


def number(body: JsonObject, name: str, default: int) -> int:
    """A whole number of the body; the default if it is absent. Raises Problem."""
    value = member(body, name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int):
        raise bad(f"{name} must be a number.")
    if abs(value) > MOST_NUMBER:
        raise bad(f"{name} must be a number of up to nine digits.")
    return value


def flag(value: object, name: str) -> bool:
    """A boolean. Some directories send "False" as a text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in {"true", "false"}:
        return value.lower() == "true"
    raise bad(f"{name} must be true or false.")


def member(body: JsonObject, name: str) -> object:
    for key, value in body.items():
        if key.lower() == name.lower():
            return value
    return None


def filter_of(words: str) -> Filter:
    """Parse a filter; only `attribute eq "value"` is supported. Raises Problem."""
    match = _FILTER.fullmatch(words)
    if match is None:
        raise bad('Only filters like userName eq "value" are known.', "invalidFilter")
    value = re.sub(r"\\(.)", r"\1", match["value"])
    # PostgreSQL rejects NUL in a query.
    if "\0" in value:
        raise bad("A filter cannot hold the character NUL.", "invalidFilter")
    return Filter(match["name"].lower(), value)


def changes(body: JsonObject) -> Iterator[Change]:
    """The operations of a PATCH (RFC 7644, 3.5.2). Raises Problem."""
    operations = member(body, "Operations")
    if not isinstance(operations, list) or not operations:
        raise bad("Operations must be a list.", "invalidSyntax")
    if len(operations) > MOST_OPERATIONS:
        raise bad(f"At most {MOST_OPERATIONS} operations.", "tooMany")
    for operation in operations:
        if not isinstance(operation, dict):
            raise bad("An operation must be an object.", "invalidSyntax")
        yield from _changes_of(operation)


def _changes_of(operation: JsonObject) -> Iterator[Change]:
    op = str(member(operation, "op")).lower()
    if op not in {"add", "replace", "remove"}:
        raise bad("op must be add, replace or remove.", "invalidSyntax")
    path, value = member(operation, "path"), member(operation, "value")
    if path is None and isinstance(value, dict) and op != "remove":
        # Without a path, each member of the value is an attribute.
        for name, part in value.items():
            yield _change(op, name, part)
        return
    if not isinstance(path, str):
        raise bad("The operation needs a path.", "noTarget")
    yield _change(op, path, value)


def _change(op: str, path: str, value: object) -> Change:
    match = _PATH.fullmatch(path)
    if match is None:
        raise bad("This path is not known.", "invalidPath")
    name = match["name"].lower().removeprefix("urn:ietf:params:scim:schemas:core:2.0:")
    name = name.removeprefix("user:").removeprefix("group:")
    if match["sub"]:
        name = f"{name}.{match['sub'].lower()}"
    selected = filter_of(match["filter"]) if match["filter"] else None
    return Change(op, name, selected, value)
