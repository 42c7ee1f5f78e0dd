"""The evidence pack: a ZIP file of one case that can be read and verified without the desk."""

from __future__ import annotations

import contextlib
import hashlib
import json
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, NotRequired, TypedDict

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.fields.files import FieldFile
from django.utils.timezone import now

from compliance.http import signatures, standard_webhooks
from compliance.languages import english
from compliance.security import data_keys
from compliance.storage import file_types, stored_files
from reviews import results
from reviews.access import roles
from reviews.audit import anchors, signing, trail
from reviews.documents import scans
from reviews.findings.review_state import ReviewState
from reviews.models import (
    Attachment,
    Case,
    Decision,
    Dismissal,
    Document,
    Erasure,
    HitLabel,
    InformationRequest,
    LookUp,
    Note,
    RatingOverride,
    RiskBand,
    ValueChoice,
)
from reviews.periodic.view import row_to_wire, rows_of
from reviews.risk import ratings, view
from reviews.service import received_webhooks

VERIFIER = Path(__file__).with_name("evidence_verify.py")
IN_MEMORY = 16 << 20  # larger packs are written to a temporary file on disk
# Bytes that are copied at a time.
CHUNK = 1 << 20
README = """Evidence of the case {reference}, made {at} for {by}.

report.pdf        the case to be read and printed
case.json         what was attested, decided, reviewed, dismissed and noted
documents/        the files as they were handed in, unchanged: open them with care, they may be harmful.
                  Those in quarantine, erased or never received are not here: manifest.json names them
attachments/      files that people attached to their notes, unchanged as well
webhooks/         what the service sent, byte for byte; their headers and who signed: manifest.json
results/          what the checks said, as it was kept
audit.txt         the lines of the audit trail about this case: hash before, hash, line
texts.json        the words and names that belong to these lines, which hold only their HMAC
proof.json        the signed head of the whole trail, and for each line of audit.txt the path to it
manifest.json     every file with its SHA-256, and the head of the chain at that time
manifest.sig      the signature of manifest.json (Ed25519), and the key
verify.py         verifies all that: python verify.py --key {public}

Compare the key with /.well-known/audit-keys.json of the desk, or with a report that you trust.
"""

ERASED = """
The personal data of this case were erased at {at}. case.json says by whom, by which rule, what was
erased, and what remains and why. The lines of the audit trail are whole.
"""


# A JSON object of the pack. `to_json` writes it.
Object = dict[str, object]


class _Entry(TypedDict):
    """A file of the pack as the manifest lists it."""

    path: str
    sha256: str
    size: int
    submitted_sha256: NotRequired[str]  # only for a file that was handed in


class _Pack:
    """A ZIP file that notes the name, hash and size of each entry."""

    def __init__(self, file: IO[bytes], at: datetime) -> None:
        self.zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self.at = at
        self.moment = at.timetuple()[:6]
        self.files: list[_Entry] = []

    def add(self, path: str, content: bytes) -> None:
        self.zip.writestr(self._entry(path), content)
        self._note(path, hashlib.sha256(content).hexdigest(), len(content))

    def copy(self, path: str, file: FieldFile, submitted: str) -> None:
        """Copy a stored file into the pack. Raises StoredError.

        A file that was changed in the store is copied as it is now, because a reader must see
        both hashes. An encrypted file that was changed cannot be decrypted, so it is not in the
        pack.
        """
        digest, size = hashlib.sha256(), 0
        with stored_files.opened(file, "") as source:
            # Read it once to the end first: an error must come before an entry of the ZIP is
            # begun.
            stored_files.read_through(source)
        with (
            stored_files.opened(file, "") as source,
            self.zip.open(self._entry(path), "w") as target,
        ):
            while chunk := source.read(CHUNK):
                target.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        self._note(path, digest.hexdigest(), size)
        if submitted:
            self.files[-1]["submitted_sha256"] = submitted

    def _entry(self, path: str) -> zipfile.ZipInfo:
        entry = zipfile.ZipInfo(path, self.moment)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        return entry

    def _note(self, path: str, sha256: str, size: int) -> None:
        self.files.append({"path": path, "sha256": sha256, "size": size})


@english()
def pack(case: Case, *, actor: User) -> IO[bytes]:
    """Build the pack, and record it in the trail with the hash of its manifest.

    Returns a file positioned at its start. Raises PermissionDenied.
    """
    roles.require(actor, roles.EXPORT, case)
    forget_key(case)
    file, digest = _build(case, actor)
    with transaction.atomic():
        if is_erased_since(case):
            file.close()
            file, digest = _build(case, actor)
        trail.record(case, "evidence_taken", {"manifest_sha256": digest}, user=actor)
    file.seek(0)
    return file


def is_erased_since(case: Case) -> bool:
    """Whether the case was erased since it was read. Reads it again, and locks it.

    What was exported meanwhile is partly from before the erasure and partly from after it: it must be
    made again.
    """
    erased_at = case.erased_at
    case.refresh_from_db(from_queryset=Case.objects.select_for_update())
    forget_key(case)
    return case.erased_at != erased_at


def forget_key(case: Case) -> None:
    """Read the data key again. If another process has erased it, this one may still have it in memory
    for a minute, and an export leaves the desk for good.
    """
    data_keys.forget(case.data_key_id_for_personal())


def _build(case: Case, actor: User) -> tuple[IO[bytes], str]:
    """The file of the pack, and the SHA-256 of its manifest. Raises StoredError."""
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the caller's
    with closed_on_failure(file):
        parts = _Pack(file, now())
        with parts.zip:
            digest = _fill(parts, case, actor)
    return file, digest


@contextlib.contextmanager
def closed_on_failure(file: IO[bytes]) -> Iterator[None]:
    """Close the file if the block fails, because nobody gets it then."""
    try:
        yield
    except BaseException:
        file.close()
        raise


def _fill(parts: _Pack, case: Case, actor: User) -> str:
    """Add everything about the case. Returns the SHA-256 of the manifest."""
    at = parts.at
    # Seal first, so that the pack contains all lines up to now.
    head = trail.seal_all()
    signed_head = anchors.signed_head(head)
    key = signing.current()
    # Imported here: the PDF library takes 10 MiB of memory in every process.
    from reviews.records import report

    parts.add("report.pdf", report.pdf(case, by=actor, at=at, head=head))
    parts.add("case.json", to_json(case_to_wire(case)))
    missing, closed = _add_files(parts, case)
    webhooks = _add_webhooks(parts, case)
    for number, row in enumerate(_results(case), start=1):
        parts.add(f"results/{number:04}.json", to_json(row))
    _add_lines(parts, case, signed_head, size=head.seq)
    parts.add("verify.py", VERIFIER.read_bytes())
    time = f"{at:%Y-%m-%d %H:%M} UTC"
    readme = README.format(
        reference=case.reference, at=time, by=actor, public=key.public
    )
    if case.erased_at is not None:
        readme += ERASED.format(at=f"{case.erased_at:%Y-%m-%d %H:%M} UTC")
    parts.add("README.txt", readme.encode())
    # The manifest comes last: it lists the hashes of all other files.
    manifest = to_json(
        {
            "case": case.reference,
            "made_at": at.isoformat(),
            "made_by": actor.get_username(),
            "chain": {"seq": head.seq, "hash": head.hash},
            "files": parts.files,
            "webhooks": webhooks,
            "missing": missing,
            "closed": closed,
        }
    )
    parts.add("manifest.json", manifest)
    parts.add("manifest.sig", _signature(manifest, key))
    return hashlib.sha256(manifest).hexdigest()


def _add_lines(
    parts: _Pack, case: Case, signed_head: anchors.Entry, *, size: int
) -> None:
    """Add the lines about the case, and the proof that they are in the chain with this head."""
    lines = "".join(trail.export(case, until=size))
    proof = {"head": signed_head, "lines": trail.proofs(case, size)}
    texts = trail.texts(case, until=size)
    parts.add("audit.txt", lines.encode())
    parts.add("proof.json", to_json(proof))
    parts.add("texts.json", to_json(texts))


def _signature(manifest: bytes, key: signing.SigningKey) -> bytes:
    members = {"algorithm": "Ed25519", "key": key.id, "public": key.public}
    return to_json({**members, "signature": key.sign(manifest.decode())})


def report_of(case: Case, *, actor: User) -> bytes:
    """The report alone, as a PDF. The trail records who took it, with its hash.

    Raises PermissionDenied.
    """
    roles.require(actor, roles.EXPORT, case)
    forget_key(case)
    content = _report(case, actor)
    with transaction.atomic():
        if is_erased_since(case):
            content = _report(case, actor)
        digest = hashlib.sha256(content).hexdigest()
        trail.record(case, "report_taken", {"sha256": digest}, user=actor)
    return content


def _report(case: Case, actor: User) -> bytes:
    head = trail.seal_all()
    # Imported here: the PDF library takes 10 MiB of memory in every process.
    from reviews.records import report

    return report.pdf(case, by=actor, at=now(), head=head)


def _files(case: Case) -> Iterator[tuple[str, Document | Attachment]]:
    """The documents and the attachments of a case, each with its folder in the pack."""
    for document in case.documents.select_related("scan"):
        yield "documents", document
    for note in case.notes.prefetch_related("attachments__scan"):
        for attachment in note.attachments.all():
            yield "attachments", attachment


def _add_files(parts: _Pack, case: Case) -> tuple[list[str], list[Object]]:
    """Add the files of the case. Returns the missing ones and the closed ones.

    Raises StoredError while the store is away. Missing files were lost or changed in the store. Closed files wait for the malware scanner, are in
    quarantine, or were removed from it; nobody gets them. Nor are there files that were erased with the
    case, or never received.
    """
    missing = []
    closed = []
    for number, (folder, row) in enumerate(_files(case), start=1):
        path = f"{folder}/{number:02}-"
        if not row.file and not scans.is_closed(row):
            why = "erased with the case" if case.erased_at else "never received"
            closed.append(_closed_file(folder, row, why))
            continue
        try:
            scans.require_open(row)
            path += file_types.ascii_name(row.file_name, _start(row.file))
            parts.copy(path, row.file, row.sha256)
        except (scans.QuarantinedError, scans.RemovedError, scans.WaitsForScanError):
            closed.append(_closed_file(folder, row, scans.words(row)))
        except stored_files.StoredError as exc:
            # The store is away: its files are not lost, and a pack without them would say so.
            if exc.is_temporary:
                raise
            missing.append(path + row.file_name)
    return missing, closed


def _closed_file(folder: str, row: Document | Attachment, why: str) -> Object:
    return {
        "folder": folder,
        "file_name": row.file_name,
        "sha256": row.sha256,
        "why": why,
    }


def _start(file: FieldFile) -> bytes:
    """The first bytes, which show the type of the file. Raises StoredError."""
    with stored_files.opened(file, "") as source:
        start: bytes = source.read(file_types.START)
    return start


_ALGORITHMS = (
    f"{signatures.FULL_HEADER}: base64(HMAC-SHA256(secret, body)); "
    f"{standard_webhooks.SIGNATURE_HEADER}: v1,base64(HMAC-SHA256(key, id.timestamp.body))"
)


def _add_webhooks(parts: _Pack, case: Case) -> list[Object]:
    """Add the bodies of the webhooks. Returns their entries for the manifest."""
    entries: list[Object] = []
    for job in case.jobs.order_by("created_at"):
        oldest_first = reversed(received_webhooks.of_jobs([job]))
        for webhook in oldest_first:
            path = f"webhooks/{len(entries) + 1:04}.json"
            parts.add(path, webhook.body)
            entries.append(
                {
                    "path": path,
                    "job": job.remote_id,
                    "received_at": webhook.received_at.isoformat(),
                    "headers": signatures.without(webhook.headers),
                    # Hashes of the signatures: with the secret they prove as much, and nobody
                    # can replay them.
                    "signatures": signatures.hashes(webhook.headers),
                    "signed_with": webhook.secret or None,
                    "algorithm": _ALGORITHMS,
                }
            )
    return entries


def _results(case: Case) -> Iterator[Object]:
    for job in case.jobs.order_by("created_at"):
        for row in job.check_results.all():
            yield {
                "job": job.remote_id,
                "source": row.source,
                "check_id": row.check_id,
                "status": row.status,
                "passed": results.effective_pass(row),
                "received_at": row.received_at,
                "body": row.body,
            }


def case_to_wire(case: Case) -> Object:
    """Everything that people attested, decided, reviewed and wrote, as JSON."""
    notes = case.notes.select_related("by").order_by("pk")
    return {
        "reference": case.reference,
        "kind": case.kind,
        "subject": case.subject,
        "status": case.status,
        "connection": case.connection.slug,
        "recommendation": case.recommendation,
        "recommendation_reasons": case.recommendation_reasons,
        "agent_reasons": ReviewState.of(case).agent_reasons,
        "requirements_version": case.requirements_version,
        "created_at": case.created_at,
        "erased_at": case.erased_at,
        "erasures": list(map(_erasure, _erasures(case))),
        "self_attested_data": case.self_attested_data,
        "schema_extra": case.schema_extra,
        "procedure": _procedure(case),
        "custom_fields": case.custom_fields,
        "extra_columns": case.extra_columns,
        "checklist": list(_checklist(case)),
        "tags": [tag.name for tag in case.tags.all()],
        "documents": list(map(_document, case.documents.all())),
        "decisions": list(map(decision_to_wire, case.decisions.order_by("pk"))),
        "reviews": list(_reviews(case)),
        "dismissals": list(map(_dismissal, case.dismissals.select_related("by"))),
        "value_choices": list(
            map(_value_choice, case.value_choices.select_related("by"))
        ),
        "hit_labels": list(map(_hit_label, case.hit_labels.select_related("by"))),
        "look_ups": list(_look_ups(case)),
        "ratings": list(map(view.rating_to_wire, ratings.history(case))),
        "rating_overrides": list(_rating_overrides(case)),
        "risk_band": RiskBand(case.risk_band).word,
        "periodic_reviews": list(map(row_to_wire, rows_of(case))),
        "notes": list(map(_note, notes)),
        "requests": list(map(_request, case.requests.order_by("pk"))),
    }


def _procedure(case: Case) -> Object | None:
    """The version of the procedure of the case. It defines the keys of the fields and items."""
    if case.procedure is None:
        return None
    content: Object = case.procedure.content
    return {"kind": case.procedure.kind, "number": case.procedure.number, **content}


def _look_ups(case: Case) -> Iterator[Object]:
    for row in LookUp.objects.filter(case=case).select_related("by").order_by("pk"):
        yield {
            "by": row.by.get_username(),
            "at": row.at,
            "query": row.query,
            "answer": row.answer,
        }


def _checklist(case: Case) -> Iterator[Object]:
    for row in case.checklist_marks.select_related("by"):
        yield {
            "item": row.item,
            "kind": row.kind,
            "note": row.note,
            "by": row.by.get_username(),
            "at": row.at,
        }


def _rating_overrides(case: Case) -> Iterator[Object]:
    rows = RatingOverride.objects.filter(case=case)
    rows = rows.select_related("made_by", "second_by")
    for row in rows.order_by("pk"):
        yield view.override_to_wire(row)


def _erasures(case: Case) -> QuerySet[Erasure]:
    rows = case.erasures.exclude(erased_at=None)
    return rows.select_related("by", "second_by")


def _erasure(row: Erasure) -> Object:
    """What was erased, by whom, by which rule, and what remains and why."""
    return {
        "erased_at": row.erased_at,
        "by": row.by.get_username() if row.by else "",
        "second_by": row.second_by.get_username() if row.second_by else "",
        "rule": row.rule_name,
        "reason": row.reason,
        "erased": row.counts,
        "remains": row.remains,
        "service": row.service,
    }


def _document(row: Document) -> Object:
    return {
        "file_name": row.file_name,
        "kind": row.kind,
        "sha256": row.sha256,
        "size": row.size,
    }


def _reviews(case: Case) -> Iterator[Object]:
    for job in case.jobs.order_by("created_at"):
        for row in job.reviews.select_related("by"):
            yield {
                "job": job.remote_id,
                "check_id": row.check_id,
                "kind": row.kind,
                "reason": row.reason,
                "by": row.by.get_username(),
                "at": row.at,
            }


def _dismissal(row: Dismissal) -> Object:
    return {
        "title": row.title,
        "reason": row.reason,
        "until": row.until,
        "taken_back_at": row.taken_back_at,
        "by": row.by.get_username(),
        "at": row.at,
    }


def _value_choice(row: ValueChoice) -> Object:
    return {
        "document": str(row.document_id or ""),
        "tool": row.tool_id,
        "field": row.field,
        "kind": row.kind,
        "offered": row.offered,
        "value": row.value,
        "ended_at": row.ended_at,
        "by": row.by.get_username(),
        "at": row.at,
    }


def _hit_label(row: HitLabel) -> Object:
    return {
        "kind": row.kind,
        "source": row.source,
        "name": row.asked,
        "listed_name": row.title,
        "entry": row.entry_id,
        "list": row.list_slug,
        "band": row.band,
        "score": row.score,
        "taken_back_at": row.taken_back_at,
        "by": row.by.get_username(),
        "at": row.at,
    }


def _note(row: Note) -> Object:
    return {
        "text": row.text,
        "by": row.by.get_username(),
        "at": row.at,
        "edited_at": row.edited_at,
    }


def _request(row: InformationRequest) -> Object:
    return {
        "message": row.message,
        "kinds": row.kinds,
        "status": row.status,
        "made_at": row.made_at,
        "expires_at": row.expires_at,
        "answer": row.answer,
        "answered_at": row.answered_at,
    }


def decision_to_wire(row: Decision) -> Object:
    second_by = None
    if row.second_by:
        second_by = row.second_by.get_username()
    return {
        "outcome": row.outcome,
        "status": row.status,
        "reasons": [{"code": code, "label": label} for code, label in row.reasons],
        "rationale": row.rationale,
        "recommendation": row.recommendation,
        "made_by": row.made_by.get_username() if row.made_by else "",
        "decision_policy": row.policy.number if row.policy else None,
        "made_at": row.made_at,
        "needs_second": row.needs_second,
        "why_second": row.why_second,
        "second_by": second_by,
        "second_at": row.second_at,
        "second_note": row.second_note,
        "reopened_for": row.reopened_for,
    }


def to_json(value: object) -> bytes:
    text = json.dumps(value, indent=1, ensure_ascii=False, default=_plain)
    # A service may send half of a surrogate pair, which UTF-8 cannot encode. It stays the escape
    # \ud800, as JSON writes it.
    return text.encode(errors="backslashreplace")


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value)
