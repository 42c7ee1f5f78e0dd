"""The type of a JSON object that a service or a client sends, or that the desk sends.

The interface describes the members, but anybody may have sent the object. So the values are `Any`,
and each reader must check what it uses.
"""

from __future__ import annotations

from typing import Any

JsonObject = dict[str, Any]
