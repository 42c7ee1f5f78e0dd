"""JSON objects of the interface, by the two ways they go.

The interface names their members, but what stands in a member is what a client or a service
sent: so a value is `Any`, and each reader says what it makes of it. No other module of the
checks needs to write that down.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# A value as JSON brought it.
JsonValue = Any
# An object that arrived: attested data, a document, arguments, results. It is only read.
JsonObject = Mapping[str, JsonValue]
# An object that leaves: a row, a payload, the results of a webhook.
Wire = dict[str, JsonValue]
