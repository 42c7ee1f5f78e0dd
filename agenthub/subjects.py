"""Whom a case is about, by name."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

LONGEST = 255


def name_of(schema: Mapping[str, Any]) -> str:
    """The name as it was attested, at most 255 characters of it; empty where there is none."""
    data = schema.get("self_attested_data")
    if not isinstance(data, Mapping):
        return ""
    person = (data.get(part) for part in ("first_name", "middle_name", "last_name"))
    names = (
        data.get("business_name"),
        data.get("registered_business_name"),
        " ".join(part.strip() for part in person if isinstance(part, str) and part.strip()),
        data.get("website"),
    )
    found = next((name for name in names if isinstance(name, str) and name.strip()), "")
    return found.strip()[:LONGEST]


def key_of(name: str) -> str:
    """The same for every way to write a name that differs in case, form or blanks only."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())[:LONGEST]
