"""The files of a job: sent along in base64, or fetched from where the request says they lie."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from compliance import outbound

# Seconds: it must end well before the lease of the job that waits for it.
DEADLINE = min(30.0, settings.LEASE.total_seconds() * 0.6)


class FetchError(Exception):
    """The content of a document could not be had; the text says why.

    `permanent`: asking again will not help.
    """

    def __init__(self, message: str, *, permanent: bool = True) -> None:
        super().__init__(message)
        self.permanent = permanent


def fetch(document: Mapping[str, Any]) -> bytes:
    """The content of a wire Document, at most MAX_DOCUMENT_BYTES. Raises FetchError."""
    content = document.get("b64_document")
    if isinstance(content, str) and content:
        return _decode(content)
    url = document.get("url")
    if not isinstance(url, str) or not url:
        raise FetchError("it names neither a url nor a b64_document")
    try:
        answer = outbound.request("GET", url, deadline=DEADLINE, cap=settings.MAX_DOCUMENT_BYTES)
    except outbound.OutboundError as exc:
        raise FetchError(str(exc).rstrip("."), permanent=exc.permanent) from exc
    if answer.status != 200:
        passing = answer.status >= 500 or answer.status in {408, 425, 429}
        raise FetchError(f"its URL answered HTTP {answer.status}", permanent=not passing)
    return answer.body


def _decode(content: str) -> bytes:
    # Browsers make data URLs of files; the part before the comma is not base64.
    text = content.partition("base64,")[2] or content
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as exc:
        raise FetchError("its b64_document is not base64") from exc
    if len(decoded) > settings.MAX_DOCUMENT_BYTES:
        raise FetchError("it is too large")
    return decoded
