"""Sends requests and reads responses. The methods of the client are built on this class."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, NamedTuple, cast
from urllib.parse import quote

import requests
from requests.auth import AuthBase

from compliance_desk_client import models
from compliance_desk_client.errors import ApiError

PREFIX = "/api/desk/v1"
TIMEOUT = 60.0  # seconds, for each request
PROBLEM = "application/problem+json"


class File(NamedTuple):
    """A file of a new case."""

    name: str
    content: bytes | IO[bytes]
    media_type: str = "application/pdf"


class _Bearer(AuthBase):
    """Signs requests with the token.

    A header alone would be replaced: `requests` prefers a password that a file ~/.netrc has for
    the host.
    """

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class Transport:
    """Sends all requests with one session, so that connections are reused."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        timeout: float = TIMEOUT,
        session: requests.Session | None = None,
    ) -> None:
        self._address = url.rstrip("/") + PREFIX
        self._timeout = timeout
        self._session = session or requests.Session()
        self._auth = _Bearer(token)

    def close(self) -> None:
        self._session.close()

    @staticmethod
    def _part(value: object) -> str:
        """A value quoted as a single segment of a path, whatever characters it contains."""
        return quote(str(value), safe="")

    def _json(
        self,
        method: str,
        path: str,
        *,
        body: object = None,
        query: Mapping[str, object] | None = None,
        files: Mapping[str, File | list[File]] | None = None,
    ) -> models.Json:
        response = self._send(method, path, body=body, query=query, files=files)
        return cast("models.Json", response.json()) if response.content else None

    def _bytes(
        self, method: str, path: str, *, query: Mapping[str, object] | None = None
    ) -> bytes:
        return self._send(method, path, query=query).content

    def _send(
        self,
        method: str,
        path: str,
        *,
        body: object = None,
        query: Mapping[str, object] | None = None,
        files: Mapping[str, File | list[File]] | None = None,
    ) -> requests.Response:
        # Parameters that are None are not sent.
        parameters = {
            name: str(value)
            for name, value in (query or {}).items()
            if value is not None
        }
        parts = _form(body, files) if files else None
        response = self._session.request(
            method,
            self._address + path,
            params=parameters,
            json=body if parts is None else None,
            files=parts,
            auth=self._auth,
            timeout=self._timeout,
            # Redirects are not followed, because the token must not be sent to another host.
            allow_redirects=False,
        )
        if not 200 <= response.status_code < 300:
            raise _error(response)
        return response


def _form(
    body: object, files: Mapping[str, File | list[File]]
) -> list[tuple[str, tuple[str | None, bytes | IO[bytes] | str, str]]]:
    # Multipart: the draft as JSON in `case`, then each file in a field named by its kind.
    parts: list[tuple[str, tuple[str | None, bytes | IO[bytes] | str, str]]] = [
        ("case", (None, json.dumps(body), "application/json"))
    ]
    for kind, given in files.items():
        for file in [given] if isinstance(given, File) else given:
            parts.append((kind, (file.name, file.content, file.media_type)))
    return parts


def _error(response: requests.Response) -> ApiError:
    problem: models.Problem | None = None
    media = response.headers.get("Content-Type", "").partition(";")[0]
    if media == PROBLEM:
        problem = cast("models.Problem", response.json())
    seconds = response.headers.get("Retry-After", "")
    retry_after = int(seconds) if seconds.isdecimal() else None
    return ApiError(response.status_code, problem, retry_after=retry_after)
