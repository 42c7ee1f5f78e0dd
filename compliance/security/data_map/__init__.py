"""The data map: which columns hold personal data.

Apps register their tables when they are ready. Erasure processes the tables of the map, and
docs/privacy.md is generated from it. The map itself reads no rows."""

from __future__ import annotations

from compliance.security.data_map.tables import (
    ERASED,
    Act,
    Table,
    faults,
    is_encrypted,
    markdown,
    of_app,
    protection,
    register,
    table,
)

__all__ = [
    "ERASED",
    "Act",
    "Table",
    "faults",
    "is_encrypted",
    "markdown",
    "of_app",
    "protection",
    "register",
    "table",
]
