"""Gets the files of a job: base64 from the request, or downloads from the URLs in it."""

from __future__ import annotations

import base64
import binascii
import io

from django.conf import settings

from agenthub.documents import quarantine, uploads
from agenthub.models import AgentJob, Upload
from agenthub.wire import JsonObject, Wire
from compliance.http import outbound
from compliance.scanning import scanner
from compliance.scanning.connection import ScannerError
from compliance.storage import file_types, stored_files

# Seconds: the download must end well before the lease of the waiting job.
TIMEOUT = min(30.0, settings.LEASE.total_seconds() * 0.6)
# Seconds for the scanner, with the same condition: both may be slow for one document.
SCAN_SECONDS = min(settings.FILE_SCANNER_SECONDS, settings.LEASE.total_seconds() * 0.3)


class FetchError(Exception):
    """The content of a document could not be obtained; the message says why.

    `permanent`: a retry will not help. `wait`: the seconds that the server asks to wait.
    """

    def __init__(
        self, message: str, *, permanent: bool = True, wait: float = 0.0
    ) -> None:
        super().__init__(message)
        self.permanent = permanent
        self.wait = wait


class NotScannedError(FetchError):
    """The malware scanner did not answer. The document waits until it does."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the malware scanner: {reason}", permanent=False)


def fetch(document: JsonObject, job: AgentJob) -> bytes:
    """The content of a Document of this job: at most MAX_DOCUMENT_BYTES, scanned for malware.

    Raises FetchError, or StoredError if our own document store is away.
    """
    content = _fetch(document)
    row = quarantine.of(job.account, content)
    if row is None:
        if scanner.is_on():
            _scan(content, job)
    elif row.status != row.Status.RELEASED:
        raise FetchError(_words_of_quarantine(row.signature))
    return content


def _words_of_quarantine(signature: str) -> str:
    return f"it holds malware ({signature}), and is in quarantine"


def _scan(content: bytes, job: AgentJob) -> None:
    try:
        malware = scanner.scan(io.BytesIO(content), seconds=SCAN_SECONDS)
    except ScannerError as exc:
        if exc.is_refusal:
            words = "it is larger than the malware scanner takes"
            raise FetchError(words) from exc
        raise NotScannedError(str(exc)) from exc
    if malware:
        quarantine.hold(job.account, content, signature=malware, job=job)
        raise FetchError(_words_of_quarantine(malware))


def _fetch(document: JsonObject) -> bytes:
    content = document.get("b64_document")
    if isinstance(content, str) and content:
        return _decode_accepted(content)
    url = document.get("url")
    if not isinstance(url, str) or not url:
        raise FetchError("it names neither a url nor a b64_document")
    # A URL of the hub's own upload is read from the store, without a request.
    upload = uploads.behind(url)
    if upload is not None:
        return _stored(upload)
    return _download(url)


def _stored(upload: Upload) -> bytes:
    try:
        return stored_files.content(upload.file, upload.sha256)
    except stored_files.StoredError as exc:
        if exc.is_temporary:
            # Our own store is away. That says nothing about the document, so it costs no attempt.
            raise
        raise FetchError(str(exc).rstrip(".")) from exc


def _download(url: str) -> bytes:
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
        raise FetchError(
            f"its URL answered HTTP {status}",
            permanent=not is_temporary,
            wait=outbound.retry_after(response) or 0.0,
        )
    content = response.content
    if not file_types.type_of(content):
        # For example a login page, or an error message with status 200.
        kind = _kind_of_answer(content)
        raise FetchError(f"its URL answered {kind}, not a {file_types.ACCEPTED} file")
    return content


def _decode_accepted(text: str) -> bytes:
    content = decode(text)
    reason = file_types.refusal(content)
    if reason:
        raise FetchError(f"it {reason}")
    return content


def _kind_of_answer(content: bytes) -> str:
    if not content:
        return "nothing"
    start = content[:512].lstrip().lower()
    if start.startswith((b"<!doctype", b"<html")):
        return "a web page"
    return "something else"


def reference(document: JsonObject) -> Wire:
    """The document as payloads refer to it, without its content."""
    return {
        "type": "Document",
        "url": document.get("url"),
        "file_name": document.get("file_name"),
    }


def refusal(content: str) -> str:
    """Why the first bytes of a `b64_document` are refused, as the end of a sentence; or ""."""
    # Decode only the characters that hold the bytes that determine the type. Invalid base64 is
    # refused later, by decode().
    head = content[: 2 * file_types.START]
    text = head.partition("base64,")[2] or head
    start = text[: file_types.START // 3 * 4]
    if not start:
        return ""
    try:
        return file_types.refusal(base64.b64decode(start, validate=True))
    except ValueError:
        return ""


def decode(content: str) -> bytes:
    """The bytes of a `b64_document`. Raises FetchError."""
    # Browsers encode files as data URLs. The part before the comma is not base64.
    text = content.partition("base64,")[2] or content
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as exc:
        raise FetchError("its b64_document is not base64") from exc
    if len(decoded) > settings.MAX_DOCUMENT_BYTES:
        raise FetchError("it is too large")
    return decoded
