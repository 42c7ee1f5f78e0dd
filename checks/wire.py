"""Types for JSON objects of the interface, one for each direction.

The interface names the members, but their values are what a client or service sent. So a value is
`Any`, and every reader checks what it needs. Other modules of the checks use these types instead of
writing `Any`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# A value from JSON, of any type.
JsonValue = Any
# An object that was received: attested data, a document, arguments, results. It is only read.
JsonObject = Mapping[str, JsonValue]
# An object to be sent: a row, a payload, the results of a webhook.
Wire = dict[str, JsonValue]
