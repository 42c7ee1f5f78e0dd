"""Whom a case is about, by name."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from checks.screening import same_name

LONGEST = 255


def name_of(schema: Mapping[str, Any]) -> str:
    """The name as it was attested, at most 255 characters of it; empty where there is none."""
    data = schema.get("self_attested_data")
    website = data.get("website") if isinstance(data, Mapping) else None
    names = [*names_of(schema), website]
    found = next((name for name in names if isinstance(name, str) and name.strip()), "")
    return found.strip()[:LONGEST]


def names_of(schema: Mapping[str, Any]) -> list[str]:
    """Every name of the subject as it was attested: of a business both, of a person the whole."""
    data = schema.get("self_attested_data")
    if not isinstance(data, Mapping):
        return []
    parts = (data.get(part) for part in ("first_name", "middle_name", "last_name"))
    names = (
        data.get("business_name"),
        data.get("registered_business_name"),
        " ".join(part.strip() for part in parts if isinstance(part, str) and part.strip()),
    )
    return [name for name in names if isinstance(name, str) and name.strip()]


def key_of(schema: Mapping[str, Any], *, kind: str) -> str:
    """The words of all names of the subject as names are compared, a blank around each: a case is
    looked for by some of them."""
    words = same_name.words(names_of(schema), person=kind == "kyc")
    return f" {' '.join(words)} "[:LONGEST] if words else ""


def plain(text: str) -> str:
    """The same for every way to write a text that differs in case, form or blanks only."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())[:LONGEST]
