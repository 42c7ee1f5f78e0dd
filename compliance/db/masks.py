"""Hides personal values from one request: of a person whose roles need no names.

While `hidden()` holds, personal columns read as MASK, and stored files cannot be opened. It holds
where a value is decrypted or read from the database, so nothing that is made meanwhile can have the
value, whatever makes it. What is hidden cannot be stored again: HiddenError.

`stored()` of a sealed value stays whole: hashes of the trail are made of it, and no page is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.core.exceptions import PermissionDenied

MASK = "•••"
# Members of JSON that say what a thing is, and not who somebody is. They are shown where they look
# like a code: a sentence or a name with a blank never does.
CODES = frozenset(
    [
        "agent_id",
        "band",
        "batch_id",
        "case_id",
        "document_id",
        "job_id",
        "check_id",
        "code",
        "condition",
        "document_type",
        "field",
        "indicator_id",
        "kind",
        "list_id",
        "outcome",
        "policy",
        "recommendation",
        "schema",
        "stand",
        "risk",
        "severity",
        "state",
        "status",
        "tone",
        "tool_id",
        "type",
        "verdict",
        "verification_result",
        "version",
    ]
)
CODE = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._:-][A-Za-z0-9]+)*", re.ASCII)
LONGEST_CODE = 60
COUNTRY = re.compile(r"[A-Z]{2,3}", re.ASCII)
UUID = re.compile(r"[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}", re.ASCII)
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.+Z-]{5,20}", re.ASCII)
# Numbers that say where something is, how sure it is, or how much of it there is.
NUMBERS = frozenset(
    [
        "boxes",
        "confidence",
        "count",
        "height",
        "page",
        "score",
        "version",
        "weight",
        "width",
        "x",
        "x0",
        "x1",
        "y",
        "y0",
        "y1",
    ]
)
_is_hidden: ContextVar[bool] = ContextVar("personal values are hidden", default=False)


class HiddenError(PermissionDenied):
    """What is hidden from a person was to be opened, or stored again."""


@contextmanager
def hidden(*, hides: bool = True) -> Iterator[None]:
    """Hide personal values, or with `hides=False` show them, in what runs inside."""
    token = _is_hidden.set(hides)
    try:
        yield
    finally:
        _is_hidden.reset(token)


def show() -> None:
    """Show personal values until the `hidden()` ends in which this is called."""
    _is_hidden.set(False)


def is_hidden() -> bool:
    return _is_hidden.get()


def apply(value: object, *, codes: bool = False) -> Any:
    """The value, or its mask where values are hidden. `codes`: what it says of things is shown."""
    return masked(value, codes=codes) if is_hidden() else value


def refuse() -> None:
    """Raises HiddenError where personal values are hidden."""
    if is_hidden():
        raise HiddenError("Personal values are hidden from this request.")


def masked(value: object, name: str = "", *, codes: bool = False) -> Any:
    """A value in the same shape, without what it says of anybody. `name`: the member that it is of.
    `codes`: its members in CODES and NUMBERS are as the interface describes them, and are shown."""
    if isinstance(value, dict):
        members = value.items()
        return {key: masked(item, str(key), codes=codes) for key, item in members}
    if isinstance(value, list | tuple):
        return [masked(item, name, codes=codes) for item in value]
    if isinstance(value, bytes):
        return MASK.encode() if value else value
    if isinstance(value, str):
        is_shown = not value or (codes and _is_code(name, value))
        return value if is_shown else MASK
    is_shown = value is None or isinstance(value, bool)
    return value if is_shown or (codes and name in NUMBERS) else MASK


def _is_code(name: str, value: str) -> bool:
    if name.endswith("_at"):
        return MOMENT.fullmatch(value) is not None
    if name == "id":
        return UUID.fullmatch(value) is not None
    if name == "country":
        return COUNTRY.fullmatch(value) is not None
    if name not in CODES or len(value) > LONGEST_CODE:
        return False
    return CODE.fullmatch(value) is not None or UUID.fullmatch(value) is not None
