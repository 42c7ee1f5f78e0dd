"""JSON objects of the interface, as requests bring them and answers carry them.

What stands in a member is what a client sent, or what a check made: so a value is `Any` here.
"""

from __future__ import annotations

from checks.wire import JsonObject, JsonValue, Wire

__all__ = ["JsonObject", "JsonValue", "Wire"]
