"""The data map: which columns hold what of people. Apps register their tables when they are ready, the
verbs of erasure walk them, and the documentation is written from them. It never reads a row by itself."""

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
