"""JSON objects of the interface in requests and responses.

A member contains what a client sent or what a check produced, so its type is `Any`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The same as in checks/wire.py. Models use them, and `checks` would be loaded by every process.
JsonValue = Any
JsonObject = Mapping[str, JsonValue]
Wire = dict[str, JsonValue]
