"""Reads what `values()` and `values_list()` give of an encrypted column."""

from __future__ import annotations

from typing import Any

import orjson
from orjson import Fragment

from compliance.security.data_keys import ErasedError
from compliance.security.personal_fields import Sealed


def opened(value: object) -> Any:
    """The value of a column, whose row may be of a version that did not encrypt."""
    return value.open() if isinstance(value, Sealed) else value


def json_text(value: object) -> Fragment:
    """A JSON column as it goes out: nothing is parsed only to be written again."""
    if not isinstance(value, Sealed):
        return Fragment(orjson.dumps(value))
    try:
        return Fragment(value.stored() or b"{}")
    except ErasedError:
        return Fragment(b"{}")
