"""Masks personal values for one request: for a person whose roles do not need names.

Inside `hidden()`, personal columns read as MASK, and stored files cannot be opened. The mask is
applied where a value is decrypted or read from the database, so no later code can obtain the value.
Storing a masked value raises HiddenError.

`stored()` of a sealed value stays unmasked: hashes of the audit trail need it, and no page shows
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.core.exceptions import PermissionDenied

MASK = "•••"
# Members of JSON that describe a thing and not a person. They are shown if the value looks like a
# code: a sentence, or a name with a blank, never does.
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
# Numbers that describe a position, a confidence or an amount.
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
    """An attempt to open, or to store again, what is hidden from this person."""


@contextmanager
def hidden(*, hides: bool = True) -> Iterator[None]:
    """Hide personal values inside this context; with `hides=False` show them."""
    token = _is_hidden.set(hides)
    try:
        yield
    finally:
        _is_hidden.reset(token)


def show() -> None:
    """Show personal values until the end of the surrounding `hidden()`."""
    _is_hidden.set(False)


def is_hidden() -> bool:
    return _is_hidden.get()


def apply(value: object, *, codes: bool = False) -> Any:
    """The value, masked if values are hidden. `codes`: its codes and numbers stay visible."""
    return masked(value, codes=codes) if is_hidden() else value


def refuse() -> None:
    """Raises HiddenError if personal values are hidden."""
    if is_hidden():
        raise HiddenError("Personal values are hidden from this request.")


def masked(value: object, name: str = "", *, codes: bool = False) -> Any:
    """A value of the same shape without personal content. `name`: the member that holds it.

    `codes`: the members in CODES and NUMBERS have the meaning of the interface, and stay
    visible."""
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
