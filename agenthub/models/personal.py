"""Renders values of encrypted JSON columns, as `values()` and `values_list()` return them."""

from __future__ import annotations

import orjson
from orjson import Fragment

from compliance.security.data_keys import ErasedError
from compliance.security.personal_fields import Sealed


def json_text(value: object, *, erased: bytes = b"{}") -> Fragment:
    """A JSON column as response text, without parsing it. An erased value becomes `erased`."""
    if not isinstance(value, Sealed):
        return Fragment(orjson.dumps(value))
    try:
        return Fragment(value.stored() or erased)
    except ErasedError:
        return Fragment(erased)
