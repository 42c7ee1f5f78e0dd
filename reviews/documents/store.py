"""Documents of a case: kept with their hash, and lent to the service by signed, expiring URLs."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.signing import BadSignature, TimestampSigner

from compliance.http import outbound
from compliance.storage import file_types
from compliance.work import notify
from compliance.work.rows import backoff
from reviews.documents import page_images
from reviews.models import ID_PICTURES, OF_ID, Case, Document, Kind

QUEUE = page_images.QUEUE

FETCH_TRIES = 4

_signer = TimestampSigner(salt="reviews.document")


def add(case: Case, *, kind: str, file: File[bytes], file_name: str) -> Document:
    """Keep a file with a case; its pages are drawn once this transaction has committed."""
    digest, size = hashlib.sha256(), 0
    for chunk in file.chunks():
        digest.update(chunk)
        size += len(chunk)
    file.seek(0)
    document = Document(
        case=case,
        kind=kind,
        file_name=file_types.shown_name(file_name),
        size=size,
        sha256=digest.hexdigest(),
    )
    # The name on disk is ours: a file name is input like any other.
    document.file.save(f"{document.pk}.bin", file, save=False)
    document.save(force_insert=True)
    notify.after_commit(QUEUE)
    return document


def adopt(case: Case, *, kind: str, wire: dict[str, Any]) -> Document:
    """Keep a document that came with a job which was started elsewhere.

    Its content comes in base64, or is fetched from its URL in the background. Of what cannot be had,
    or is of no accepted type, the row is kept, and says why there is no file.
    """
    name = file_types.shown_name(str(wire.get("file_name") or "document"))
    content, url = wire.get("b64_document"), wire.get("url")
    decoded = _decoded(content) if isinstance(content, str) else None
    if decoded is not None and file_types.type_of(decoded):
        return add(case, kind=kind, file=ContentFile(decoded), file_name=name)
    document = Document(case=case, kind=kind, file_name=name)
    if decoded is None and isinstance(url, str):
        document.source_url = url
    else:
        document.status, document.due_at = Document.Status.UNREADABLE, None
        document.reason = "Its content is not base64, or too large."
    if decoded is not None:
        document.reason = f"The file {file_types.refusal(decoded)}. It was not kept."
    document.save(force_insert=True)
    notify.after_commit(QUEUE)
    return document


def adopt_id(case: Case) -> None:
    """Keep copies of the pictures of a government ID that were attested as URLs, to be shown."""
    card = _card(case.self_attested_data) if case.kind == Kind.KYC else {}
    for one in ID_PICTURES:
        url = card.get(one.value)
        if isinstance(url, str) and url:
            adopt(case, kind=one.value, wire={"url": url, "file_name": one.label})


def _card(data: Any) -> Mapping[str, Any]:
    """What self-attested data hold of a government ID."""
    for step in OF_ID:
        data = data.get(step) if isinstance(data, Mapping) else None
    return data if isinstance(data, Mapping) else {}


def _decoded(content: str) -> bytes | None:
    # Browsers make data URLs of files; the part before the comma is not base64.
    text = content.partition("base64,")[2] or content
    if len(text) > settings.MAX_DOCUMENT_BYTES * 4 // 3 + 4:
        return None
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None


def prepare(document: Document) -> None:
    """Fetch the file of an adopted document where needed, and draw its pages."""
    if not document.file:
        try:
            response = outbound.request(
                "GET", document.source_url, max_bytes=settings.MAX_DOCUMENT_BYTES
            )
        except outbound.OutboundError as exc:
            if not exc.permanent and document.claims < FETCH_TRIES:
                document.complete(due_at=backoff(document.claims))
                return None
            return unreadable(document, f"It could not be fetched: {exc}.")
        if response.status_code != 200:
            return unreadable(document, f"It could not be fetched: HTTP {response.status_code}.")
        content = response.content
        if reason := file_types.refusal(content):
            return unreadable(document, f"What its URL answered {reason}. It was not kept.")
        document.sha256 = hashlib.sha256(content).hexdigest()
        document.size = len(content)
        document.file.save(f"{document.pk}.bin", ContentFile(content), save=False)
        document.save(update_fields=["file", "sha256", "size"])
    page_images.draw(document)
    return None


def unreadable(document: Document, reason: str) -> None:
    """Say on the page why the document cannot be shown."""
    document.move(Document.Status.UNREADABLE, reason=reason[:200], due_at=None, leased_until=None)


def add_to_data(document: Document, data: Mapping[str, Any]) -> dict[str, Any]:
    """Self-attested data with the document where the interface has it; of two files of one picture of
    an ID it has room for the later one."""
    wire = to_wire(document)
    if document.kind not in ID_PICTURES:
        return {**data, document.kind: [*data.get(document.kind, []), wire]}
    outer, inner = OF_ID
    holder = data.get(outer)
    card = {**_card(data), document.kind: wire["url"]}
    return {**data, outer: {**(holder if isinstance(holder, Mapping) else {}), inner: card}}


def to_wire(document: Document) -> dict[str, Any]:
    """The interface's Document, with a URL that works for DOCUMENT_URL_SECONDS."""
    # An adopted document may have gone from where it came from: ours is the copy that stays.
    url = service_url(document) if document.file else document.source_url
    return {"type": "Document", "url": url, "file_name": document.file_name}


def service_url(document: Document) -> str:
    token = _signer.sign(str(document.pk)).partition(":")[2]
    # As reverse() says, which would load every page of the site into the worker.
    return f"{settings.CALLBACK_URL}/documents/{document.pk}/file/{token}/"


def is_valid_token(document_id: Any, token: str) -> bool:
    age = timedelta(seconds=settings.DOCUMENT_URL_SECONDS)
    try:
        return _signer.unsign(f"{document_id}:{token}", max_age=age) == str(document_id)
    except BadSignature:
        return False
