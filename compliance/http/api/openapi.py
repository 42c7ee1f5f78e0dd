"""Builds the OpenAPI 3.1 document of an interface from the declared operations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from compliance.http.api.errors import WITH_RETRY_AFTER
from compliance.http.api.operations import FORM, JSON, Operation
from compliance.http.api.schemas import Schema, ref

# Errors that every endpoint may answer, and those added by a request body or by query parameters.
COMMON_ERRORS = frozenset({401, 429, 500, 503, 507})
BODY_ERRORS = frozenset({400, 411, 413, 415})
QUERY_ERRORS = frozenset({400})


class Endpoint(NamedTuple):
    path: str  # as in the description: /cases/{pk}
    method: str  # in lower case
    operation: Operation
    path_parameters: Mapping[str, Schema] = {}


@dataclass(frozen=True)
class Interface:
    """What all endpoints of an interface have in common."""

    title: str
    description: str
    # Authentication: the name of the security scheme, and what callers send as the bearer key.
    security: str
    security_description: str
    # Errors: the name of their schema, their media type, and the meaning of each status.
    error_schema: str
    error_media: str
    error_meanings: Mapping[int, str]
    common_errors: frozenset[int] = COMMON_ERRORS
    body_errors: frozenset[int] = BODY_ERRORS
    # Examples of errors: name of the schema → status → example.
    error_examples: Mapping[str, Mapping[int, object]] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    # Webhooks that the interface sends: name of the event → (summary, name of the body's schema).
    webhooks: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    # Name of the schema → its example.
    webhook_examples: Mapping[str, object] = field(default_factory=dict)


def document(
    interface: Interface,
    endpoints: Iterable[Endpoint],
    schemas: Mapping[str, Schema],
    *,
    server: str,
) -> Schema:
    """The whole OpenAPI document. `server` is the base URL that the paths are relative to."""
    paths: dict[str, Schema] = {}
    for endpoint in endpoints:
        methods = paths.setdefault(endpoint.path, {})
        methods[endpoint.method] = _operation(interface, endpoint)
    security_scheme = {
        "type": "http",
        "scheme": "bearer",
        "description": interface.security_description,
    }
    whole: Schema = {
        "openapi": "3.1.0",
        "info": {
            "title": interface.title,
            "version": "1.0.0",
            "description": interface.description,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": server}],
        "security": [{interface.security: []}],
    }
    if interface.tags:
        whole["tags"] = [{"name": tag} for tag in interface.tags]
    whole["paths"] = paths
    if interface.webhooks:
        whole["webhooks"] = _webhooks(interface)
    whole["components"] = {
        "schemas": dict(schemas),
        "securitySchemes": {interface.security: security_scheme},
    }
    return whole


def _webhooks(interface: Interface) -> Schema:
    webhooks: Schema = {}
    for name, (summary, schema) in interface.webhooks.items():
        example = interface.webhook_examples.get(schema)
        # The empty list: receivers authenticate a webhook by its signature, not by a bearer key.
        operation: Schema = {"operationId": name, "summary": summary, "security": []}
        operation["requestBody"] = {
            "required": True,
            "content": {JSON: _content(ref(schema), example)},
        }
        operation["responses"] = {"2XX": {"description": "It was taken."}}
        webhooks[name] = {"post": operation}
    return webhooks


def statuses_of_errors(interface: Interface, operation: Operation) -> list[int]:
    statuses = {*interface.common_errors, *operation.errors, *operation.error_schemas}
    if operation.query:
        statuses |= QUERY_ERRORS
    if operation.body:
        statuses |= interface.body_errors
    return sorted(statuses)


def _operation(interface: Interface, endpoint: Endpoint) -> Schema:
    operation = endpoint.operation
    responses: Schema = {str(operation.status): _answer(operation)}
    for status, schema in operation.more_answers.items():
        content = {JSON: _content(ref(schema), None)}
        responses[str(status)] = {"description": schema, "content": content}
    for status in statuses_of_errors(interface, operation):
        responses[str(status)] = _error(interface, operation, status)
    described: Schema = {"operationId": operation.name or _name(endpoint)}
    if operation.tag:
        described["tags"] = [operation.tag]
    described["summary"] = operation.summary
    if operation.scope:
        # OpenAPI 3.1 allows role names for a bearer scheme; ours are the scopes.
        described["security"] = [{interface.security: [str(operation.scope)]}]
    described["responses"] = responses
    if operation.description:
        described["description"] = operation.description
    if parameters := list(_parameters(endpoint)):
        described["parameters"] = parameters
    if operation.body:
        described["requestBody"] = _body(operation)
    return described


def _name(endpoint: Endpoint) -> str:
    """A default operationId of the method and the path: `get` and `/cases/{pk}` → `getCasesPk`."""
    words = re.sub(r"\W+(\w?)", lambda match: match[1].upper(), endpoint.path)
    return endpoint.method + words


def _parameters(endpoint: Endpoint) -> Iterator[Schema]:
    for name, schema in endpoint.path_parameters.items():
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    operation = endpoint.operation
    for name, schema in operation.query.items():
        parameter: Schema = {
            "name": name,
            "in": "query",
            "required": name in operation.required,
            "schema": schema,
        }
        if name in operation.examples.query:
            parameter["example"] = operation.examples.query[name]
        yield parameter
    yield from operation.headers


def _body(operation: Operation) -> Schema:
    content: Schema = {JSON: _content(ref(operation.body), operation.examples.body)}
    if operation.form:
        content[FORM] = operation.form
    # The schema "Nothing" has no members, so its body may be omitted.
    is_required = operation.body != "Nothing"
    return {"required": is_required, "content": content}


def _answer(operation: Operation) -> Schema:
    answer: Schema = {"description": operation.summary}
    # No Content: a response without a body.
    if operation.status == 204:
        return answer
    # Without a schema the response is a file.
    schema: Schema = {"contentMediaType": operation.media}
    if operation.answer:
        schema = ref(operation.answer)
    answer["content"] = {operation.media: _content(schema, operation.examples.answer)}
    if operation.answer_headers:
        answer["headers"] = dict(operation.answer_headers)
    return answer


def _error(interface: Interface, operation: Operation, status: int) -> Schema:
    name = operation.error_schemas.get(status, interface.error_schema)
    example = interface.error_examples.get(name, {}).get(status)
    error: Schema = {
        "description": interface.error_meanings[status],
        "content": {interface.error_media: _content(ref(name), example)},
    }
    if status in WITH_RETRY_AFTER:
        retry_after = {"schema": {"type": "integer"}, "description": "Seconds to wait."}
        error["headers"] = {"Retry-After": retry_after}
    return error


def _content(schema: Schema, example: object) -> Schema:
    if example is None:
        return {"schema": schema}
    return {"schema": schema, "example": example}
