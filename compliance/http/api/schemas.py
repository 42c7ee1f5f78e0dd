"""Building blocks of schemas: JSON Schema as in OpenAPI 3.1."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

Schema = dict[str, Any]

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer", "minimum": 0}
BOOLEAN: Schema = {"type": "boolean"}
ANY_OBJECT: Schema = {"type": "object"}
UUID: Schema = {"type": "string", "format": "uuid"}
MOMENT: Schema = {
    "type": "string",
    "format": "date-time",
    "pattern": "Z$",
    "description": "ISO 8601 in UTC.",
}


def record(members: Schema, *, but: Iterable[str] = (), words: str = "") -> Schema:
    """An object with these members. All are required except those in `but`; others may occur."""
    optional = set(but)
    made: Schema = {
        "type": "object",
        "properties": members,
        "required": [name for name in members if name not in optional],
    }
    return {**made, "description": words} if words else made


def listed(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def one_of(words: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(words)}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def name_of(schema: Mapping[str, Any]) -> str:
    """The name of the referenced schema; empty if `schema` is not a reference."""
    match = re.fullmatch(r"#/components/schemas/(\w+)", str(schema.get("$ref", "")))
    return match[1] if match else ""


def or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}
