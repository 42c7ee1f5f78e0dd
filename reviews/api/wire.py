"""The one name for a JSON object of the desk's REST interface."""

from __future__ import annotations

from typing import Any

# Its members are what the schemas describe; a body is checked by them before it is read.
Wire = dict[str, Any]
