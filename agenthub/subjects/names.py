"""Whom a case is about, by name."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from agenthub.subjects import digests
from agenthub.wire import JsonObject
from checks.screening import same_name

LONGEST = 255
# The digests of so many words fit into the column.
MOST_WORDS = (LONGEST - 1) // (digests.LENGTH + 1)


def name_of(schema: JsonObject) -> str:
    """The name as it was attested, at most 255 characters of it; empty where there is none."""
    names: list[object] = list(names_of(schema))
    data = schema.get("self_attested_data")
    if isinstance(data, Mapping):
        names.append(data.get("website"))
    for name in names:
        if isinstance(name, str) and name.strip():
            return name.strip()[:LONGEST]
    return ""


def names_of(schema: JsonObject) -> list[str]:
    """Every name of the subject as it was attested: of a business both, of a person the whole."""
    data = schema.get("self_attested_data")
    if not isinstance(data, Mapping):
        return []
    parts = _texts(data, "first_name", "middle_name", "last_name")
    names = _texts(data, "business_name", "registered_business_name")
    if parts:
        names.append(" ".join(part.strip() for part in parts))
    return names


def _texts(data: JsonObject, *members: str) -> list[str]:
    values = [data.get(member) for member in members]
    texts: list[str] = []
    for value in values:
        if isinstance(value, str) and value.strip():
            texts.append(value)
    return texts


def key_of(schema: JsonObject, *, kind: str) -> str:
    """The words of all names of the subject as names are compared, each as a digest with a blank
    around it: a search looks for some of them."""
    words = same_name.words(names_of(schema), person=kind == "kyc")
    return digests.joined(words[:MOST_WORDS])


def plain(text: str) -> str:
    """The same for every way to write a text that differs in case, form or blanks only."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split())[:LONGEST]
