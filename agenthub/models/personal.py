"""Renders values of encrypted JSON columns, as `values()` and `values_list()` return them."""

from __future__ import annotations

import orjson
from orjson import Fragment

from compliance.security.data_keys import ErasedError
from compliance.security.personal_fields import Sealed


def json_text(value: object) -> Fragment:
    """A JSON column as response text, without parsing it. An erased value becomes {}."""
    if not isinstance(value, Sealed):
        return Fragment(orjson.dumps(value))
    try:
        return Fragment(value.stored() or b"{}")
    except ErasedError:
        return Fragment(b"{}")
