"""Holds an answer against the description of the interface."""

from __future__ import annotations

from functools import cache
from typing import Any

import orjson
from jsonschema import Draft202012Validator, FormatChecker

from agenthub.schemas import description
from compliance.http.api.operations import JSON


@cache
def _validator(endpoint: str, method: str, status: int, media: str) -> Any:
    document = description.document()
    answer = document["paths"][endpoint][method]["responses"][str(status)]
    schema = answer["content"][media]["schema"]
    whole = {**schema, "components": document["components"]}
    Draft202012Validator.check_schema(whole)
    return Draft202012Validator(whole, format_checker=FormatChecker())


def holds(method: str, endpoint: str, answer: Any) -> bool:
    """The status is documented, and the body is what the description says of it.

    Methods and endpoints that are not described are not for this to judge.
    """
    methods = description.document()["paths"].get(f"/{endpoint}", {})
    operation = methods.get(method.lower())
    if operation is None:
        return True
    responses = operation["responses"]
    assert str(answer.status_code) in responses, f"{endpoint}: {answer.status_code}"
    media = answer["Content-Type"].partition(";")[0]
    assert media in responses[str(answer.status_code)]["content"], (
        f"{endpoint}: {media}"
    )
    if media != JSON:
        return True
    result = _validator(f"/{endpoint}", method.lower(), answer.status_code, media)
    errors = [
        f"{endpoint} {answer.status_code}: {'.'.join(map(str, error.path))}: {error.message[:200]}"
        for error in result.iter_errors(orjson.loads(answer.content))
    ]
    assert errors == []
    return True
