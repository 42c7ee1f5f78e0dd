"""The one name for an object of JSON, as a service or a client sent it, or as one leaves.

Its members are what the interface describes, but anybody may have sent them: so a value is
`Any`, and each reader decides what it makes of it.
"""

from __future__ import annotations

from typing import Any

JsonObject = dict[str, Any]
