"""A caller of the desk's interface that holds every answer against the description."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import orjson
from django.contrib.auth.models import User
from django.test import Client
from django.urls import resolve
from jsonschema import Draft202012Validator, FormatChecker

from compliance.security import bearer_keys
from reviews.access.api_tokens import MARK
from reviews.api import description
from reviews.models import ApiToken, Scope

PREFIX = description.PREFIX


@cache
def _validator(path: str, method: str, status: int, media: str) -> Any:
    document = description.document()
    answer = document["paths"][path][method]["responses"][str(status)]
    whole = {**answer["content"][media]["schema"], "components": document["components"]}
    Draft202012Validator.check_schema(whole)
    return Draft202012Validator(whole, format_checker=FormatChecker())


def holds(method: str, path: str, answer: Any) -> None:
    """The status is described, and the body is what the description says of it."""
    route = resolve(path.partition("?")[0]).route.removeprefix("api/desk/v1/")
    template = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{route}")
    operation = description.document()["paths"].get(template, {}).get(method)
    if operation is None:
        assert answer.status_code in {401, 404, 405}
        return
    responses, status = operation["responses"], answer.status_code
    assert str(status) in responses, f"{method} {template}: {status}"
    if status == 204:
        assert not answer.content
        return
    media = answer["Content-Type"].partition(";")[0]
    assert media in responses[str(status)]["content"], (
        f"{method} {template} {status}: {media}"
    )
    if not media.endswith("json"):
        return
    result = _validator(template, method, status, media).iter_errors(
        orjson.loads(answer.content)
    )
    assert [f"{list(e.absolute_path)}: {e.message[:200]}" for e in result] == []


def make_token(user: User, *scopes: str, **values: Any) -> str:
    """A token, whoever may make one."""
    raw = f"{MARK}{user.pk}-{ApiToken.objects.count()}"
    ApiToken.objects.create(
        user=user,
        made_by=user,
        name="test",
        prefix=raw,
        digest=bearer_keys.digest(raw),
        scopes=list(scopes or Scope.values),
        **values,
    )
    return raw


class Caller:
    def __init__(self, user: User, *scopes: str) -> None:
        self.user, self.client = user, Client(raise_request_exception=False)
        self.token = make_token(user, *scopes)

    def call(self, method: str, path: str, sent: Any = None, **values: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", **values.pop("headers", {})}
        if not isinstance(sent, bytes | None):
            sent = orjson.dumps(sent)
        values.setdefault("content_type", "application/json")
        answer: Any = self.client.generic(
            method.upper(), f"{PREFIX}{path}", sent or b"", headers=headers, **values
        )
        if answer.streaming:
            # At its end the client of Django closes the answer.
            answer.sent = b"".join(answer.streaming_content)
        holds(method.lower(), f"{PREFIX}{path}", answer)
        assert answer["Cache-Control"] == "no-store"
        return answer

    def get(self, path: str, **values: Any) -> Any:
        return self.call("get", path, **values)

    def post(self, path: str, sent: Any = None, **values: Any) -> Any:
        return self.call("post", path, {} if sent is None else sent, **values)
