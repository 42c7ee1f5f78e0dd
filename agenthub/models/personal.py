"""Sends what `values()` and `values_list()` give of an encrypted JSON column."""

from __future__ import annotations

import orjson
from orjson import Fragment

from compliance.security.data_keys import ErasedError
from compliance.security.personal_fields import Sealed


def json_text(value: object) -> Fragment:
    """A JSON column as it goes out: nothing is parsed only to be written again."""
    if not isinstance(value, Sealed):
        return Fragment(orjson.dumps(value))
    try:
        return Fragment(value.stored() or b"{}")
    except ErasedError:
        return Fragment(b"{}")
