"""What the tables of the desk hold of people: see compliance.security.data_map.

One module for the case and what it rests on, one for what people write, ask and send about it, and
one for what belongs to the installation. The order of the tables is that of docs/privacy.md.
"""

from __future__ import annotations

from reviews.privacy.data_map import cases, exchanges, installation

TABLES = (*cases.TABLES, *exchanges.TABLES, *installation.TABLES)

__all__ = ["TABLES"]
