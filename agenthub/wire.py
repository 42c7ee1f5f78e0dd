"""JSON objects of the interface in requests and responses.

A member contains what a client sent or what a check produced, so its type is `Any`.
"""

from __future__ import annotations

from checks.wire import JsonObject, JsonValue, Wire

__all__ = ["JsonObject", "JsonValue", "Wire"]
