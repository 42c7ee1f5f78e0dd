"""Uploaded documents: stored unchanged, and served at signed URLs that expire."""

from __future__ import annotations

import hashlib
import io
import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.signing import BadSignature, TimestampSigner
from django.urls import reverse
from django.utils.timezone import now

from agenthub.documents import quarantine
from agenthub.models import Account, Upload
from compliance.scanning import scanner
from compliance.scanning.connection import ScannerError
from compliance.storage import file_types

QUEUE = "agenthub.tasks.expire_uploads"
# A job may still wait for the file, so it is kept longer than its URL is valid.
GRACE = timedelta(days=1)
# A short limit: the client and a thread of the server wait for the scanner.
SCAN_SECONDS = min(10, settings.FILE_SCANNER_SECONDS)


class RefusedError(ValueError):
    """The content has no accepted type, or contains malware.

    The message ends a sentence about it.
    """


class NotScannedError(Exception):
    """The malware scanner did not answer, so nothing was stored. The client may try again later."""


def keep(account: Account, *, content: bytes, file_name: str) -> Upload:
    """Store a file. Raises RefusedError or NotScannedError."""
    if reason := file_types.refusal(content):
        raise RefusedError(reason)
    _scan(account, content)
    upload = Upload(
        account=account,
        due_at=expires_at() + GRACE,
        file_name=file_types.shown_name(file_name),
        # The type is determined by the first bytes, never by the name.
        content_type=file_types.content_type_of(content),
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )
    # Generate the name in the store: a client's file name is untrusted.
    upload.file.save(f"{upload.pk}.bin", ContentFile(content), save=False)
    upload.save(force_insert=True)
    return upload


def _scan(account: Account, content: bytes) -> None:
    """Raises RefusedError for malware, NotScannedError without an answer.

    Does nothing without scanner.
    """
    row = quarantine.of(account, content)
    if row is not None and row.status != row.Status.RELEASED:
        raise RefusedError(f"holds malware ({row.signature})")
    if row is not None or not scanner.is_on():
        return
    try:
        malware = scanner.scan(io.BytesIO(content), seconds=SCAN_SECONDS)
    except ScannerError as exc:
        if exc.is_refusal:
            raise RefusedError("is larger than the malware scanner takes") from exc
        raise NotScannedError from exc
    if malware:
        quarantine.hold(account, content, signature=malware)
        raise RefusedError(f"holds malware ({malware})")


def expire(upload: Upload) -> None:
    """Delete the file. Its row stays without the name."""
    # Delete the file first: if the worker dies in between, the row is still due.
    upload.file.delete(save=False)
    upload.move(
        Upload.Status.GONE,
        file="",
        file_name="",
        due_at=None,
        leased_until=None,
    )


def url(upload: Upload) -> str:
    """A URL with which anybody can fetch the file for DOCUMENT_URL_SECONDS."""
    signed = _signer().sign(str(upload.pk))
    # The id is part of the path, so the token contains only time and signature.
    _, _, token = signed.partition(":")
    path = reverse("upload", args=[upload.pk, token])
    return f"{settings.CALLBACK_URL}{path}"


def expires_at() -> datetime:
    return now() + timedelta(seconds=settings.DOCUMENT_URL_SECONDS)


def find(upload_id: uuid.UUID, token: str) -> Upload | None:
    """The upload for a URL with a valid, unexpired signature; else None."""
    age = timedelta(seconds=settings.DOCUMENT_URL_SECONDS)
    try:
        _signer().unsign(f"{upload_id}:{token}", max_age=age)
    except BadSignature:
        return None
    uploads = Upload.objects.filter(pk=upload_id, status=Upload.Status.KEPT)
    return uploads.select_related("account").first()


def is_closed(upload: Upload) -> bool:
    """Whether the file is in quarantine: the scanner may have learnt about it after the upload."""
    row = quarantine.of_hash(upload.account, upload.sha256)
    return row is not None and row.status != row.Status.RELEASED


def behind(address: str) -> Upload | None:
    """The upload that a URL of this hub refers to; None for other URLs. It sends no request."""
    prefix = f"{settings.CALLBACK_URL}/api/v1/uploads/"
    if not address.startswith(prefix):
        return None
    upload_id, _, token = address.removeprefix(prefix).partition("/")
    try:
        return find(uuid.UUID(upload_id), token)
    except ValueError:
        return None


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="agenthub.upload")
