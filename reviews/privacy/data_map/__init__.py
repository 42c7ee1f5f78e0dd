"""The data map of the desk: the personal data in each table. See compliance.security.data_map.

`cases`: the case and what a decision is based on. `exchanges`: notes, files, and messages.
`installation`: the trail and the settings. The order of the tables is that of docs/privacy.md.
"""

from __future__ import annotations

from reviews.privacy.data_map import cases, exchanges, installation

TABLES = (*cases.TABLES, *exchanges.TABLES, *installation.TABLES)

__all__ = ["TABLES"]
