"""Stores the documents of a case with their hash, and offers them to the service by signed,
expiring URLs.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.base import ContentFile, File
from django.core.signing import BadSignature, TimestampSigner, b62_decode
from django.db import transaction
from django.utils.timezone import now

from compliance.db import clock
from compliance.http import outbound
from compliance.languages import english
from compliance.security.personal_fields import save_files
from compliance.storage import file_types, stored_files
from compliance.work import notify
from compliance.work.rows import next_fetch
from reviews.access import roles
from reviews.audit import trail
from reviews.documents import page_images, scans
from reviews.models import ID_PICTURES, OF_ID, Case, Document, Kind

QUEUE = page_images.QUEUE

SCAN_PAUSE = timedelta(seconds=30)

_signer = TimestampSigner(salt="reviews.document")


class FetchError(Exception):
    """The file of a document cannot be fetched. `permanent`: another attempt will not help.

    `wait`: the seconds that the server asks to wait.
    """

    def __init__(
        self, reason: str, *, permanent: bool = True, wait: float = 0.0
    ) -> None:
        super().__init__(reason)
        self.permanent = permanent
        self.wait = wait


def add(case: Case, *, kind: str, file: File[bytes], file_name: str) -> Document:
    """Store a file with a case. Its pages are drawn after the commit."""
    [document] = write(case, [(kind, file, file_name)])
    insert(document)
    return document


def write(case: Case, files: Iterable[tuple[str, File[bytes], str]]) -> list[Document]:
    """Write files into the store: all, or none. Returns their documents, whose rows insert() adds.

    `files`: for each its Document.Kind, the content, and the name that it was sent with. The case
    may have no row yet. Call it before a transaction that writes: a slow store would hold its
    locks, and on SQLite nobody else could write meanwhile.
    """
    documents = []
    new = []
    for kind, file, file_name in files:
        document = Document(
            case=case,
            kind=kind,
            file_name=file_types.shown_name(file_name),
            size=file.size,
            sha256=digest(file),
        )
        documents.append(document)
        # The desk chooses the name on disk, because an uploaded file name is untrusted input.
        new.append((document.file, f"{document.pk}.bin", file))
    save_files(new)
    return documents


def insert(document: Document) -> None:
    """Add the row of a document that write() returned."""
    # The case may have got its row, and with it its key, after write().
    document.case = document.case
    document.save(force_insert=True)
    scans.queue(document)
    notify.after_commit(QUEUE)


def digest(file: File[bytes]) -> str:
    """The SHA-256 of the content in hexadecimal."""
    content = hashlib.sha256()
    for chunk in file.chunks():
        content.update(chunk)
    file.seek(0)
    return content.hexdigest()


def import_document(case: Case, *, kind: str, wire: Mapping[str, object]) -> Document:
    """Store a document that came with a job of another system.

    `wire` is a Document object of the interface. Its content is base64, or is fetched from its URL
    in the background. If there is no content, or its type is not accepted, the row is UNREADABLE
    with a reason.
    """
    name = file_types.shown_name(str(wire.get("file_name") or "document"))
    encoded = wire.get("b64_document")
    url = wire.get("url")
    if isinstance(encoded, str):
        content = _decode(encoded)
    else:
        content = None
    # Accept only types that can be drawn and examined.
    if content is not None and file_types.type_of(content):
        return add(
            case,
            kind=kind,
            file=ContentFile(content),
            file_name=name,
        )
    # Without usable content: fetch it later, or record why there is none.
    document = Document(case=case, kind=kind, file_name=name)
    if content is None and isinstance(url, str):
        document.source_url = url
    else:
        document.status = Document.Status.UNREADABLE
        document.due_at = None
        document.reason = "Its content is not base64, or too large."
        if content is not None:
            document.reason = (
                f"The file {file_types.refusal(content)}. It was not kept."
            )
    document.save(force_insert=True)
    notify.after_commit(QUEUE)
    return document


@english()
def import_id_pictures(case: Case) -> list[Document]:
    """Store copies of the ID card pictures that were attested as URLs, so that the page can show
    them.
    """
    documents: list[Document] = []
    if case.kind != Kind.KYC:
        return documents
    # Only cases on persons have an ID card.
    card = _id_data(case.self_attested_data)
    for kind in ID_PICTURES:
        url = card.get(kind.value)
        if isinstance(url, str) and url:
            wire = {"url": url, "file_name": kind.label}
            document = import_document(case, kind=kind.value, wire=wire)
            documents.append(document)
    return documents


def _id_data(data: object) -> Mapping[str, object]:
    """The members of the self-attested data that describe a government ID."""
    for member in OF_ID:
        if isinstance(data, Mapping):
            data = data.get(member)
        else:
            data = None
    return data if isinstance(data, Mapping) else {}


def _decode(encoded: str) -> bytes | None:
    """The decoded content; None if it is not base64 or too large."""
    # Browsers send data URLs. The part before the comma is not base64.
    text = encoded.partition("base64,")[2] or encoded
    if len(text) > settings.MAX_DOCUMENT_BYTES * 4 // 3 + 4:
        return None
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None


def prepare(document: Document) -> None:
    """Fetch the file of an imported document if it is missing, then draw its pages."""
    if not document.file:
        try:
            _fetch(document)
        except FetchError as exc:
            _fetch_later(document, exc)
            return
    try:
        scans.require_open(document)
    except scans.WaitsForScanError:
        # The end of the scan makes the row due at once. This time is only a fallback.
        document.complete(due_at=clock.now() + SCAN_PAUSE)
        return
    except stored_files.StoredError as exc:
        mark_unreadable(document, str(exc))
        return
    page_images.draw(document)


def _fetch_later(document: Document, error: FetchError) -> None:
    """Plan the next attempt to fetch the file; UNREADABLE if none will help, or after the last."""
    next_at = None
    tries = document.tries + 1
    if not error.permanent:
        next_at = next_fetch(tries, at_least=error.wait)
    if next_at is None:
        mark_unreadable(document, str(error))
    else:
        document.complete(due_at=next_at, tries=tries)


def _fetch(document: Document) -> None:
    """Fetch the document from its URL and store it. Raises FetchError."""
    try:
        response = outbound.request(
            "GET", document.source_url, max_bytes=settings.MAX_DOCUMENT_BYTES
        )
    except outbound.OutboundError as exc:
        reason = f"It could not be fetched: {exc}."
        raise FetchError(reason, permanent=exc.permanent) from exc
    status = response.status_code
    if status != 200:
        # The server is busy or broken now, and may answer later.
        is_temporary = status >= 500 or status in {408, 425, 429}
        reason = f"It could not be fetched: HTTP {status}."
        wait = outbound.retry_after(response) or 0.0
        raise FetchError(reason, permanent=not is_temporary, wait=wait)
    content = response.content
    # The server may respond with anything, e.g. an HTML page for an expired link.
    if refusal := file_types.refusal(content):
        raise FetchError(f"What its URL answered {refusal}. It was not kept.")
    document.sha256 = hashlib.sha256(content).hexdigest()
    document.size = len(content)
    document.file.save(f"{document.pk}.bin", ContentFile(content), save=False)
    with transaction.atomic():
        # After the file: a crash in between leaves an orphaned file, never a row without one.
        document.save(update_fields=["file", "sha256", "size"])
        data = {"file": document.file_name, "sha256": document.sha256}
        trail.record(document.case, "document_fetched", data, about=[document])
        scans.queue(document)


def mark_unreadable(document: Document, reason: str) -> None:
    """Move the document to UNREADABLE with a reason that the page shows."""
    document.move(
        Document.Status.UNREADABLE,
        reason=reason[:200],
        due_at=None,
        leased_until=None,
    )


def add_to_data(document: Document, data: Mapping[str, object]) -> dict[str, object]:
    """The self-attested data with the document added where the interface expects it.

    The interface has one place for each picture of an ID, so a later picture replaces an earlier
    one.
    """
    wire = to_wire(document)
    kind = document.kind
    # Documents are lists; pictures of an ID are single URLs in nested objects.
    if kind not in ID_PICTURES:
        documents = data.get(kind)
        earlier = documents if isinstance(documents, list) else []
        return {**data, kind: [*earlier, wire]}
    outer_name, inner_name = OF_ID
    outer = data.get(outer_name)
    if isinstance(outer, Mapping):
        members = dict(outer)
    else:
        members = {}
    pictures = _id_data(data)
    members[inner_name] = {**pictures, kind: wire["url"]}
    return {**data, outer_name: members}


def to_wire(document: Document) -> dict[str, str]:
    """The interface's Document object. Its URL works for DOCUMENT_URL_SECONDS."""
    # The original URL of an imported document may have expired. The desk's copy has not.
    if document.file:
        url = service_url(document)
    else:
        url = document.source_url
    return {
        "type": "Document",
        "url": url,
        "file_name": document.file_name,
    }


def service_url(document: Document) -> str:
    """The signed URL where the service downloads the file."""
    signed = _signer.sign(str(document.pk))
    # The path contains the id already, so the signed value is shortened to timestamp and signature.
    _, _, token = signed.partition(":")
    # Not reverse(): it would load all pages of the site into the worker process.
    return f"{settings.CALLBACK_URL}/documents/{document.pk}/file/{token}/"


def document_of(document_id: UUID, token: str) -> Document | None:
    """The document of a link. None if the link has expired, was revoked, or has no valid
    signature.
    """
    longest = timedelta(seconds=settings.DOCUMENT_URL_SECONDS)
    text = f"{document_id}:{token}"
    try:
        signed_id = _signer.unsign(text, max_age=longest)
    except BadSignature:
        return None
    document = Document.objects.select_related("case").filter(pk=signed_id).first()
    if document is None or document.links_after is None:
        return document
    # The signature contains its time. Links from before `links_after` were revoked.
    seconds = b62_decode(text.rsplit(":", 2)[1])
    if seconds <= document.links_after.timestamp():
        return None
    return document


@transaction.atomic
def end_links(document: Document, *, actor: User) -> None:
    """Revoke all links to the document that exist now. Raises PermissionDenied."""
    roles.require(actor, roles.REVIEW, document.case)
    Document.objects.filter(pk=document.pk).update(links_after=now())
    data = {"document": str(document.pk)}
    trail.record(document.case, "document_links_ended", data, user=actor)


def note_link_use(document: Document) -> None:
    """Record each download by a link in the audit trail, because nobody knows who holds the
    link.
    """
    data = {"document": str(document.pk), "sha256": document.sha256}
    trail.record(document.case, "document_link_used", data)
