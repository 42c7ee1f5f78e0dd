"""The files of a job: sent along in base64, or fetched from where the request says they lie."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from agenthub.documents import uploads
from compliance.http import outbound
from compliance.storage import file_types, stored_files

# Seconds: it must end well before the lease of the job that waits for it.
TIMEOUT = min(30.0, settings.LEASE.total_seconds() * 0.6)


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
        return _accepted(decode(content))
    url = document.get("url")
    if not isinstance(url, str) or not url:
        raise FetchError("it names neither a url nor a b64_document")
    if (upload := uploads.behind(url)) is not None:
        try:
            return stored_files.content(upload.file, upload.sha256)
        except stored_files.StoredError as exc:
            away = not isinstance(exc, stored_files.MissingError | stored_files.ChangedError)
            raise FetchError(str(exc).rstrip("."), permanent=not away) from exc
    try:
        response = outbound.request(
            "GET",
            url,
            headers={"User-Agent": outbound.HUB_USER_AGENT},
            timeout=TIMEOUT,
            max_bytes=settings.MAX_DOCUMENT_BYTES,
        )
    except outbound.OutboundError as exc:
        raise FetchError(str(exc).rstrip("."), permanent=exc.permanent) from exc
    status = response.status_code
    if status != 200:
        is_temporary = status >= 500 or status in {408, 425, 429}
        raise FetchError(f"its URL answered HTTP {status}", permanent=not is_temporary)
    if not file_types.type_of(response.content):
        # A page to log in, or one that says in words what went wrong: not what was attested.
        raise FetchError(
            f"its URL answered {_named(response.content)}, not a {file_types.ACCEPTED} file"
        )
    return response.content


def _accepted(content: bytes) -> bytes:
    if reason := file_types.refusal(content):
        raise FetchError(f"it {reason}")
    return content


def _named(content: bytes) -> str:
    looks = content[:512].lstrip().lower()
    is_page = looks.startswith((b"<!doctype", b"<html"))
    return "a web page" if is_page else "something else" if content else "nothing"


def reference(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document as payloads name it, never with its content."""
    return {
        "type": "Document",
        "url": document.get("url"),
        "file_name": document.get("file_name"),
    }


def refusal(content: str) -> str:
    """Why the beginning of a `b64_document` is of no accepted type, as the end of a sentence."""
    # So many characters of base64 hold the bytes that are looked at; what is not base64 is told
    # of when it is decoded.
    head = content[: 2 * file_types.START]
    text = (head.partition("base64,")[2] or head)[: file_types.START // 3 * 4]
    try:
        return file_types.refusal(base64.b64decode(text, validate=True)) if text else ""
    except ValueError:
        return ""


def decode(content: str) -> bytes:
    """The bytes of a `b64_document`. Raises FetchError."""
    # Browsers make data URLs of files; the part before the comma is not base64.
    text = content.partition("base64,")[2] or content
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as exc:
        raise FetchError("its b64_document is not base64") from exc
    if len(decoded) > settings.MAX_DOCUMENT_BYTES:
        raise FetchError("it is too large")
    return decoded
