"""The files of a job: in base64 in the request, or downloaded from the URLs in it."""

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

# Seconds: it must end well before the lease of the job that waits for it.
TIMEOUT = min(30.0, settings.LEASE.total_seconds() * 0.6)
# The same of the scanner: both may take their time for one document.
SCAN_SECONDS = min(settings.FILE_SCANNER_SECONDS, settings.LEASE.total_seconds() * 0.3)


class FetchError(Exception):
    """The content of a document could not be had; the text says why.

    `permanent`: asking again will not help.
    """

    def __init__(self, message: str, *, permanent: bool = True) -> None:
        super().__init__(message)
        self.permanent = permanent


class NotScannedError(FetchError):
    """The malware scanner gave no answer. The document waits, however long it is away."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the malware scanner: {reason}", permanent=False)


def fetch(document: JsonObject, job: AgentJob) -> bytes:
    """The content of a wire Document of this job, at most MAX_DOCUMENT_BYTES, without malware.

    Raises FetchError.
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
    upload = uploads.behind(url)
    if upload is not None:
        return _stored(upload)
    return _download(url)


def _stored(upload: Upload) -> bytes:
    try:
        return stored_files.content(upload.file, upload.sha256)
    except stored_files.StoredError as exc:
        # All other errors are of the storage, which may come back.
        is_permanent = isinstance(
            exc, stored_files.MissingError | stored_files.ChangedError
        )
        raise FetchError(str(exc).rstrip("."), permanent=is_permanent) from exc


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
        raise FetchError(f"its URL answered HTTP {status}", permanent=not is_temporary)
    content = response.content
    if not file_types.type_of(content):
        # A page to log in, or one that says in words what went wrong: not what was attested.
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
    """The document as payloads name it, never with its content."""
    return {
        "type": "Document",
        "url": document.get("url"),
        "file_name": document.get("file_name"),
    }


def refusal(content: str) -> str:
    """Why the beginning of a `b64_document` is of no accepted type, as the end of a sentence."""
    # So many characters of base64 hold the bytes that decide the type. What is not base64 is
    # refused when it is decoded.
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
    # Browsers make data URLs of files; the part before the comma is not base64.
    text = content.partition("base64,")[2] or content
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as exc:
        raise FetchError("its b64_document is not base64") from exc
    if len(decoded) > settings.MAX_DOCUMENT_BYTES:
        raise FetchError("it is too large")
    return decoded
