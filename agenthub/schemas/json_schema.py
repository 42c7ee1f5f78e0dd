"""JSON Schema of the hub's request shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from rest_framework import serializers

from agenthub.schemas import fields
from agenthub.schemas.cases import AnyField, Shape
from compliance.http import references
from compliance.http.api.schemas import Schema, ref


def add(shape: type[Shape], schemas: dict[str, Schema]) -> str:
    """Add this shape, and all shapes that it contains, to `schemas`. Returns its name there."""
    _shape(shape(), schemas)
    return shape.__name__


def query(shape: type[Shape]) -> dict[str, Schema]:
    """The members of a query: name → schema."""
    return {name: _kind(field) for name, field in shape().get_fields().items()}


def required(shape: type[Shape]) -> list[str]:
    """The names of the mandatory members."""
    return [name for name, field in shape().get_fields().items() if _is_required(field)]


def words(shape: type[Shape]) -> str:
    """A shape's docstring as one line; empty if it has none of its own."""
    text = shape.__doc__ or ""
    # A class without a docstring has that of its base class.
    if text == Shape.__doc__:
        return ""
    return " ".join(text.split())


def _is_required(field: AnyField) -> bool:
    return bool(field.required) and field.default is serializers.empty


def _shape(shape: Shape, schemas: dict[str, Schema]) -> Schema:
    """A reference to the schema of this shape, which is added to `schemas` if it is new."""
    name = type(shape).__name__
    if name not in schemas:
        # A placeholder ends the recursion of shapes that contain themselves.
        schemas[name] = {}
        members: dict[str, Schema] = {}
        mandatory = []
        for member, field in shape.get_fields().items():
            members[member] = _member(field, schemas)
            if _is_required(field):
                mandatory.append(member)
        schemas[name] = {"type": "object", "properties": members}
        if mandatory:
            schemas[name]["required"] = mandatory
    return ref(name)


def _member(field: AnyField, schemas: dict[str, Schema]) -> Schema:
    if isinstance(field, Shape):
        schema = _shape(field, schemas)
    elif isinstance(field, serializers.ListField):
        schema = {"type": "array", "items": _member(field.child, schemas)}
        if isinstance(field, fields.List):
            schema["maxItems"] = fields.MOST_ENTRIES
    else:
        schema = _kind(field)
    if not field.allow_null:
        return schema
    if isinstance(schema.get("type"), str) and "const" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def _kind(field: AnyField) -> Schema:
    """The schema of a single value, by the type of its field."""
    for kind, schema in _KINDS.items():
        if isinstance(field, kind):
            return dict(schema)
    if isinstance(field, fields.QueryNumber):
        return _number(field)
    if isinstance(field, fields.Choices):
        return {"type": "array", "items": {"type": "string", "enum": field.words}}
    if isinstance(field, fields.Choice):
        return {"type": "string", "enum": list(field.choices)}
    if isinstance(field, fields.Constant):
        return {"const": field.value}
    # All other fields of shapes are texts.
    return _text(cast(fields.Text, field))


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


def _number(field: fields.QueryNumber) -> Schema:
    schema: Schema = {"type": "integer", "minimum": field.least, "maximum": field.most}
    default: object = field.default
    if default is not serializers.empty:
        schema["default"] = default
    return schema


def _text(field: fields.Text) -> Schema:
    schema: Schema = {"type": "string"}
    if isinstance(field, fields.Url):
        schema |= {"format": "uri", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^/@\\s]+"}
    if isinstance(field, fields.Name):
        schema["pattern"] = r"\S"
    if isinstance(field, fields.CaseId):
        schema |= {"pattern": references.PATTERN, "description": references.REFUSAL}
    if not field.allow_blank:
        schema["minLength"] = 1
    if field.max_length:
        schema["maxLength"] = field.max_length
    return schema
