"""Access to members of a payload, which may have any form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from checks.wire import JsonObject


def mapping(value: object) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def mappings(value: object) -> Iterable[JsonObject]:
    if isinstance(value, list):
        return [item for item in value if isinstance(item, Mapping)]
    return []
