"""The request serializers of the hub as JSON Schema, one kind of field after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from agenthub.schemas import fields
from agenthub.schemas.cases import Shape
from compliance.http import references
from compliance.http.api.schemas import Schema, ref


def add(shape: type[Shape], schemas: dict[str, Schema]) -> str:
    """Describe this shape among `schemas`, and all that it holds. Returns its name there."""
    _shape(shape(), schemas)
    return shape.__name__


def query(shape: type[Shape]) -> dict[str, Schema]:
    """The members of a query, each with its schema."""
    return {name: _kind(one) for name, one in shape().get_fields().items()}


def required(shape: type[Shape]) -> list[str]:
    """The names of the members that must be there."""
    return [name for name, one in shape().get_fields().items() if _is_required(one)]


def words(shape: type[Shape]) -> str:
    """What a shape's docstring says, in one line; empty: it has none of its own."""
    text = shape.__doc__ or ""
    return "" if text == Shape.__doc__ else " ".join(text.split())


def _is_required(one: Any) -> bool:
    return bool(one.required) and one.default is serializers.empty


def _shape(shape: Shape, schemas: dict[str, Schema]) -> Schema:
    """A reference to the schema of this shape, which is added where it is new."""
    name = type(shape).__name__
    if name not in schemas:
        schemas[name] = {}  # known from here on, to shapes that hold themselves
        members: dict[str, Schema] = {}
        required = []
        for member, one in shape.get_fields().items():
            members[member] = _member(one, schemas)
            if _is_required(one):
                required.append(member)
        schemas[name] = {"type": "object", "properties": members}
        if required:
            schemas[name]["required"] = required
    return ref(name)


def _member(one: Any, schemas: dict[str, Schema]) -> Schema:
    if isinstance(one, Shape):
        schema = _shape(one, schemas)
    elif isinstance(one, serializers.ListField):
        schema = {"type": "array", "items": _member(one.child, schemas)}
    else:
        schema = _kind(one)
    if not one.allow_null:
        return schema
    if isinstance(schema.get("type"), str) and "const" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def _kind(one: Any) -> Schema:
    """The schema of a single value, by the kind of its field."""
    for kind, schema in _KINDS.items():
        if isinstance(one, kind):
            return dict(schema)
    if isinstance(one, fields.QueryNumber):
        return _number(one)
    if isinstance(one, fields.Choices):
        return {"type": "array", "items": {"type": "string", "enum": one.taken}}
    if isinstance(one, fields.Choice):
        return {"type": "string", "enum": list(one.choices)}
    if isinstance(one, fields.Constant):
        return {"const": one.value}
    return _text(one)


_KINDS: Mapping[type, Schema] = {
    fields.QueryFlag: {"type": "boolean", "default": False},
    fields.Uuid: {"type": "string", "format": "uuid"},
    fields.JobId: {"type": "string", "minLength": 1},
    fields.Date: {"type": "string", "format": "date"},
    fields.Email: {
        "type": "string",
        "format": "email",
        "pattern": r"^([^@\s]+@[^@\s]+)?$",
    },
    fields.Country: {"type": "string", "pattern": "^[A-Za-z]{2}$"},
    fields.Flag: {"type": "boolean"},
    fields.TextOrTexts: {
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
    },
    serializers.DictField: {"type": "object"},
    serializers.JSONField: {},
    serializers.IntegerField: {"type": "integer", "minimum": 0},
}


def _number(one: fields.QueryNumber) -> Schema:
    made: Schema = {"type": "integer", "minimum": one.least, "maximum": one.most}
    default: Any = one.default
    return made if default is serializers.empty else {**made, "default": default}


def _text(one: fields.Text) -> Schema:
    made: Schema = {"type": "string"}
    if isinstance(one, fields.Url):
        made |= {"format": "uri", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^/@\\s]+"}
    if isinstance(one, fields.Name):
        made["pattern"] = r"\S"
    if isinstance(one, fields.CaseId):
        made |= {"pattern": references.PATTERN, "description": references.REFUSAL}
    if not one.allow_blank:
        made["minLength"] = 1
    if one.max_length:
        made["maxLength"] = one.max_length
    return made
