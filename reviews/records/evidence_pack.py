"""The evidence pack: one ZIP of a case that can be read and verified without the desk."""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from django.contrib.auth.models import User
from django.db.models.fields.files import FieldFile
from django.forms.models import model_to_dict
from django.utils.timezone import now

from compliance.http import signatures, standard_webhooks
from compliance.storage import file_types, stored_files
from reviews import results
from reviews.access import roles
from reviews.audit import trail
from reviews.findings.review_state import ReviewState
from reviews.models import Case, Decision
from reviews.service import received_webhooks

VERIFIER = Path(__file__).with_name("evidence_verify.py")
IN_MEMORY = 16 << 20
CHUNK = 1 << 20
README = """Evidence of the case {reference}, made {at} for {by}.

report.pdf        the case to be read and printed
case.json         what was attested, decided, reviewed, dismissed and noted
documents/        the files as they were handed in
attachments/      files that people attached to their notes
webhooks/         what the service sent, byte for byte; their headers and who signed: manifest.json
results/          what the checks said, as it was kept
audit.txt         the lines of the audit trail about this case: hash before, hash, line
manifest.json     every file with its SHA-256, and the head of the chain at that time
verify.py         verifies all that: python verify.py
"""


class _Pack:
    """A ZIP that notes the hash of all that goes into it."""

    def __init__(self, file: IO[bytes], at: datetime) -> None:
        self.zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self.moment = at.timetuple()[:6]
        self.files: list[dict[str, Any]] = []

    def add(self, path: str, content: bytes) -> None:
        self.zip.writestr(self._entry(path), content)
        self._note(path, hashlib.sha256(content).hexdigest(), len(content))

    def copy(self, path: str, file: FieldFile, submitted: str) -> None:
        """Raises StoredError. One that changed is packed as it lies: who reads it must see both."""
        digest, size = hashlib.sha256(), 0
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


def pack(case: Case, *, actor: User) -> IO[bytes]:
    """Make the pack, and say so in the trail, with the hash of its manifest. A file at its start."""
    roles.require(actor, roles.EXPORT, case)
    at, head = now(), trail.seal_all()
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the caller's
    made = _Pack(file, at)
    from reviews.records import (
        report,
    )  # here: what draws PDFs takes 10 MiB of every process

    made.add("report.pdf", report.pdf(case, by=actor, at=at, head=head))
    made.add("case.json", _json(_case(case)))
    missing = _files(made, case)
    webhooks = _webhooks(made, case)
    for number, row in enumerate(_results(case), start=1):
        made.add(f"results/{number:04}.json", _json(row))
    made.add("audit.txt", "".join(trail.export(case)).encode())
    made.add("verify.py", VERIFIER.read_bytes())
    words = README.format(
        reference=case.reference, at=f"{at:%Y-%m-%d %H:%M} UTC", by=actor
    )
    made.add("README.txt", words.encode())
    manifest = _json(
        {
            "case": case.reference,
            "made_at": at.isoformat(),
            "made_by": actor.get_username(),
            "chain": {"seq": head.seq, "hash": head.hash},
            "files": made.files,
            "webhooks": webhooks,
            "missing": missing,
        }
    )
    made.add("manifest.json", manifest)
    made.zip.close()
    digest = hashlib.sha256(manifest).hexdigest()
    trail.record(case, "evidence_taken", {"manifest_sha256": digest}, user=actor)
    file.seek(0)
    return file


def report_of(case: Case, *, actor: User) -> bytes:
    """The report alone, as a PDF; the trail says that it was taken, with its hash."""
    roles.require(actor, roles.EXPORT, case)
    at, head = now(), trail.seal_all()
    from reviews.records import (
        report,
    )  # here: what draws PDFs takes 10 MiB of every process

    made = report.pdf(case, by=actor, at=at, head=head)
    digest = hashlib.sha256(made).hexdigest()
    trail.record(case, "report_taken", {"sha256": digest}, user=actor)
    return made


def _files(made: _Pack, case: Case) -> list[str]:
    """Documents and attachments. Returns what should be there and cannot be read, or is no file."""
    missing = []
    listed: list[tuple[str, str, FieldFile, str]] = [
        ("documents", row.file_name, row.file, row.sha256)
        for row in case.documents.all()
    ]
    for note in case.notes.prefetch_related("attachments"):
        listed += [
            ("attachments", row.file_name, row.file, row.sha256)
            for row in note.attachments.all()
        ]
    for number, (folder, name, file, submitted) in enumerate(listed, start=1):
        path = f"{folder}/{number:02}-"
        try:
            path += file_types.ascii_name(name, _start(file))
            made.copy(path, file, submitted)
        except stored_files.StoredError:
            missing.append(path + name)
    return missing


def _start(file: FieldFile) -> bytes:
    """The first bytes, which say what the file is. Raises StoredError."""
    with stored_files.opened(file, "") as source:
        start: bytes = source.read(file_types.START)
    return start


_ALGORITHMS = (
    f"{signatures.FULL_HEADER}: base64(HMAC-SHA256(secret, body)); "
    f"{standard_webhooks.SIGNATURE_HEADER}: v1,base64(HMAC-SHA256(key, id.timestamp.body))"
)


def _webhooks(made: _Pack, case: Case) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = []
    for job in case.jobs.order_by("created_at"):
        oldest_first = reversed(received_webhooks.of_jobs([job]))
        for webhook in oldest_first:
            path = f"webhooks/{len(listed) + 1:04}.json"
            made.add(path, webhook.body)
            listed.append(
                {
                    "path": path,
                    "job": job.remote_id,
                    "received_at": webhook.received_at.isoformat(),
                    "headers": signatures.without(webhook.headers),
                    # Their hashes: with the secret they prove as much, and nobody can send them.
                    "signatures": signatures.hashes(webhook.headers),
                    "signed_with": webhook.secret or None,
                    "algorithm": _ALGORITHMS,
                }
            )
    return listed


def _results(case: Case) -> list[dict[str, Any]]:
    return [
        {
            "job": job.remote_id,
            "source": row.source,
            "check_id": row.check_id,
            "status": row.status,
            "passed": results.passed(row),
            "received_at": row.received_at,
            "body": row.body,
        }
        for job in case.jobs.order_by("created_at")
        for row in job.check_results.all()
    ]


def _case(case: Case) -> dict[str, Any]:
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
        "self_attested_data": case.self_attested_data,
        "schema_extra": case.schema_extra,
        "tags": [tag.name for tag in case.tags.all()],
        "documents": [
            {"file_name": row.file_name, "kind": row.kind, "sha256": row.sha256, "size": row.size}
            for row in case.documents.all()
        ],
        "decisions": [decision_to_wire(row) for row in case.decisions.order_by("pk")],
        "reviews": [
            {
                "job": job.remote_id, "check_id": row.check_id, "kind": row.kind,
                "reason": row.reason, "by": row.by.get_username(), "at": row.at,
            }
            for job in case.jobs.order_by("created_at")
            for row in job.reviews.select_related("by")
        ],
        "dismissals": [
            model_to_dict(row, ["title", "reason", "until", "taken_back_at"])
            | {"by": row.by.get_username(), "at": row.at}
            for row in case.dismissals.select_related("by")
        ],
        "notes": [
            {"text": row.text, "by": row.by.get_username(), "at": row.at, "edited_at": row.edited_at}
            for row in case.notes.select_related("by").order_by("pk")
        ],
        "requests": [
            {
                "message": row.message, "kinds": row.kinds, "status": row.status,
                "made_at": row.made_at, "expires_at": row.expires_at,
                "answer": row.answer, "answered_at": row.answered_at,
            }
            for row in case.requests.order_by("pk")
        ],
    }  # fmt: skip


def decision_to_wire(row: Decision) -> dict[str, Any]:
    return {
        "outcome": row.outcome,
        "status": row.status,
        "reasons": [{"code": code, "label": label} for code, label in row.reasons],
        "rationale": row.rationale,
        "recommendation": row.recommendation,
        "made_by": row.made_by.get_username(),
        "made_at": row.made_at,
        "needs_second": row.needs_second,
        "why_second": row.why_second,
        "second_by": row.second_by.get_username() if row.second_by else None,
        "second_at": row.second_at,
        "second_note": row.second_note,
        "reopened_for": row.reopened_for,
    }


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False, default=_plain).encode()


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
