"""Documents that clients upload: stored as they came, served at signed, expiring URLs."""

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
# A job may be waiting for it: an upload is stored so much longer than its URL works.
GRACE = timedelta(days=1)
# A client waits for the scanner, and a thread of the server with it.
SCAN_SECONDS = min(10, settings.FILE_SCANNER_SECONDS)


class RefusedError(ValueError):
    """The content is of no accepted type, or holds malware: the end of a sentence about it."""


class NotScannedError(Exception):
    """The malware scanner gave no answer, so nothing was kept: try again later."""


def keep(account: Account, *, content: bytes, file_name: str) -> Upload:
    """Keep a file. Raises RefusedError, and NotScannedError."""
    if reason := file_types.refusal(content):
        raise RefusedError(reason)
    _scan(account, content)
    upload = Upload(
        account=account,
        due_at=expires_at() + GRACE,
        file_name=file_types.shown_name(file_name),
        # The first bytes decide what a file is, never its name.
        content_type=file_types.content_type_of(content),
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )
    # The name on disk is ours: a file name is input like any other.
    upload.file.save(f"{upload.pk}.bin", ContentFile(content), save=False)
    upload.save(force_insert=True)
    return upload


def _scan(account: Account, content: bytes) -> None:
    """Nothing that holds malware is kept. Without a scanner nothing is looked for."""
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
    """Delete the file. Nobody can fetch it any more; its row stays without its name."""
    # The file first: a worker that dies in between finds the row due again.
    upload.file.delete(save=False)
    upload.move(
        Upload.Status.GONE,
        file="",
        file_name="",
        due_at=None,
        leased_until=None,
    )


def url(upload: Upload) -> str:
    """Where it can be fetched for DOCUMENT_URL_SECONDS by whoever has the URL."""
    signed = _signer().sign(str(upload.pk))
    # The id stands in the path already.
    _, _, token = signed.partition(":")
    path = reverse("upload", args=[upload.pk, token])
    return f"{settings.CALLBACK_URL}{path}"


def expires_at() -> datetime:
    return now() + timedelta(seconds=settings.DOCUMENT_URL_SECONDS)


def find(upload_id: uuid.UUID, token: str) -> Upload | None:
    """The upload of a URL whose signature is good and has not expired."""
    age = timedelta(seconds=settings.DOCUMENT_URL_SECONDS)
    try:
        _signer().unsign(f"{upload_id}:{token}", max_age=age)
    except BadSignature:
        return None
    uploads = Upload.objects.filter(pk=upload_id, status=Upload.Status.KEPT)
    return uploads.select_related("account").first()


def is_closed(upload: Upload) -> bool:
    """Whether its file is in quarantine: newer signatures may name what was clean when it came."""
    row = quarantine.of_hash(upload.account, upload.sha256)
    return row is not None and row.status != row.Status.RELEASED


def behind(address: str) -> Upload | None:
    """The upload that a URL of this hub leads to. It needs no request over the network."""
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
