"""The names of a case's subject."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from agenthub import digests
from agenthub.wire import JsonObject
from checks.screening import same_name

LONGEST = 255
SHORTEST_WORD = 3  # a shorter word says little of a name
# As many digests as fit into the column.
MOST_WORDS = (LONGEST - 1) // (digests.LENGTH + 1)


def name_of(schema: JsonObject) -> str:
    """The attested name, or else the website, cut to 255 characters; empty if there is none."""
    names: list[object] = list(names_of(schema))
    data = schema.get("self_attested_data")
    if isinstance(data, Mapping):
        names.append(data.get("website"))
    for name in names:
        if isinstance(name, str) and name.strip():
            return name.strip()[:LONGEST]
    return ""


def names_of(schema: JsonObject) -> list[str]:
    """All attested names of the subject: both names of a business, the full name of a person."""
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
    """The stored digests of all words of the subject's names, normalised as for comparison.

    A search looks for some of them."""
    words = same_name.words(names_of(schema), person=kind == "kyc")
    return digests.joined(words[:MOST_WORDS])


def plain(text: str) -> str:
    """A normal form of a text: Unicode form, case and whitespace make no difference."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split())[:LONGEST]


def is_named(text: str, name: str, *, least: int) -> bool:
    """Whether a text has so many words of a name, or all where it has fewer."""
    own, others = _long_words(name), _long_words(text)
    return bool(own) and len(own & others) >= min(least, len(own))


def _long_words(text: str) -> set[str]:
    words = re.findall(r"[^\W_]+", plain(text))
    return {word for word in words if len(word) >= SHORTEST_WORD}
