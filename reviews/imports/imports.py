"""The steps of an import: store a file, map its columns, confirm it, open its cases, report the
result.
"""

from __future__ import annotations

import csv
import hashlib
import io
import logging
import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance import languages
from compliance.db import clock
from compliance.http.limits.quotas import QuotaError
from compliance.security.csv_cells import escape
from compliance.storage import stored_files
from compliance.storage.file_types import shown_name
from compliance.work import notify
from compliance.work.rows import LeaseLostError
from reviews.access import roles
from reviews.audit import trail
from reviews.imports import tables
from reviews.intake import cases
from reviews.models import Agent, Case, CaseImport, ImportedRow

if TYPE_CHECKING:
    from reviews.imports.judging import Fault, Record

log = logging.getLogger(__name__)

QUEUE = "reviews.tasks.open_imported_cases"
LIFETIME = timedelta(days=1)  # after this, an unconfirmed file is deleted
MOST_WAITING = 10  # files of one user; the oldest are removed first
HEARTBEAT_EVERY = 20  # cases
HEADER = ("line", "id", "outcome", "case", "address", "error")
Status = CaseImport.Status
Outcome = ImportedRow.Outcome


class ChangedError(Exception):
    """The user confirmed something else than what is stored, so it must be shown again."""


def keep(content: bytes, *, file_name: str, agent: Agent, actor: User) -> CaseImport:
    """Store a file with a proposed mapping of its columns. Opens no case.

    Raises RefusedFileError if it cannot be read as a table, and PermissionDenied.
    """
    # Imported here, so that workers do not load forms.
    from reviews.imports import columns

    roles.require_agent(actor, agent)
    # Refuse an unreadable file before it is stored.
    table = tables.read(content)
    row = CaseImport(
        by=actor,
        agent=agent,
        file_name=shown_name(file_name),
        sha256=hashlib.sha256(content).hexdigest(),
        mapping=columns.propose(table.columns, agent.kind),
        due_at=clock.now() + LIFETIME,
    )
    row.file.save(f"{row.pk}.bin", ContentFile(content), save=False)
    row.save(force_insert=True)
    # Limit the files that a user leaves unconfirmed.
    waiting = CaseImport.objects.filter(by=actor, status=Status.CHECKED)
    for old in waiting[MOST_WAITING:]:
        remove(old)
    return row


def of(actor: User) -> QuerySet[CaseImport]:
    """The user's own imports, the newest first. Nobody else sees them.

    Also those for an agent that was switched off: their page says which cases were opened.
    """
    rows = CaseImport.objects.filter(by=actor).select_related("agent")
    return roles.only_visible(actor, rows, "agent__connection")


def table_of(row: CaseImport) -> tables.Table:
    """The content of the file. Raises StoredError."""
    return tables.read(stored_files.content(row.file, row.sha256))


def change(row: CaseImport, *, mapping: Sequence[str], joins_rows: bool) -> None:
    """Store the mapping. Does nothing if the import was confirmed already."""
    waiting = CaseImport.objects.filter(pk=row.pk, status=Status.CHECKED)
    waiting.update(mapping=list(mapping), joins_rows=joins_rows)
    row.mapping, row.joins_rows = list(mapping), joins_rows


def confirm(
    row: CaseImport,
    *,
    mapping: Sequence[str],
    joins_rows: bool,
    total: int,
    actor: User,
) -> bool:
    """Start to open the cases. Returns False if the import was started already.

    `mapping` and `joins_rows` are what the user saw, `total` is the resulting number of records.
    Raises ChangedError if something else is stored, and PermissionDenied.
    """
    # The user may have lost the permission since the upload.
    roles.require_agent(actor, row.agent)
    with transaction.atomic():
        current = CaseImport.objects.select_for_update().filter(pk=row.pk).first()
        if current is None:
            # It was removed at the same time.
            return False
        row = current
        if (row.mapping, row.joins_rows) != (list(mapping), joins_rows):
            raise ChangedError
        if not row.move(Status.RUNNING, due_at=clock.now(), total=total):
            return False
        data = {"import": str(row.pk), "agent": row.agent.name, "rows": total}
        trail.record(None, "import_started", data, user=actor)
        notify.after_commit(QUEUE)
    return True


def remove(row: CaseImport) -> bool:
    """Delete an import that was not confirmed. Returns False if it was confirmed.

    The file first: after a crash the row remains, and its task deletes it later.
    """
    with transaction.atomic():
        # Locked: the user may confirm it at this moment, and its cases must be opened then.
        rows = CaseImport.objects.select_for_update()
        current = rows.filter(pk=row.pk).first()
        if current is None:
            return True
        if current.status != Status.CHECKED:
            return False
        current.file.delete(save=False)
        current.delete()
    return True


def perform(row: CaseImport) -> None:
    """The task of one import. Deletes it if nobody confirmed it; otherwise opens its cases.

    Each record is opened and counted in one transaction, so a restart never opens it twice.
    """
    if row.status == Status.CHECKED:
        remove(row)
        return
    # After a crash it continues with the next record.
    if row.done < row.total:
        try:
            # Only this person reads the mistakes: in the language of the preview.
            with languages.of(row.by):
                _open_rest(row, table_of(row))
        except (stored_files.MissingError, stored_files.ChangedError) as exc:
            with languages.of(row.by):
                stop(row, str(exc))
            return
    # The file has personal data and is no longer needed.
    row.file.delete(save=False)
    row.move(
        Status.DONE,
        file="",
        sha256="",
        ended_at=now(),
        due_at=None,
        leased_until=None,
    )


def stop(row: CaseImport, reason: str) -> None:
    """End an import that cannot continue. Cases that were opened remain."""
    row.file.delete(save=False)
    row.move(
        Status.FAILED,
        file="",
        sha256="",
        error=reason[:200],
        ended_at=now(),
        due_at=None,
        leased_until=None,
    )


def leave_out(row: CaseImport, reason: str) -> None:
    """Continue after a record that fails again and again: it does not hold up the others."""
    if row.status == Status.CHECKED or row.done == row.total:
        # No record is at fault: the file could not be removed.
        stop(row, reason)
        return
    with languages.of(row.by):
        words = _("An error prevented it, several times. Try it with this case alone.")
        try:
            record = _records(row, table_of(row))[row.done]
        except Exception:
            # No record of the file can be read.
            log.exception("import %s cannot be read", row.pk)
            stop(row, reason)
            return
    with transaction.atomic():
        _store(row, record, None, words)
        if not row.complete(due_at=clock.now(), done=row.done + 1):
            raise LeaseLostError


def _records(row: CaseImport, table: tables.Table) -> Sequence[Record]:
    """The records that the user confirmed, in the same order: the file is validated again."""
    # Imported here, so that workers do not load forms.
    from reviews.imports.judging import Judge

    judge = Judge(
        table,
        row.mapping,
        agent=row.agent,
        actor=row.by,
    )
    return judge.records(joins_rows=row.joins_rows)


def _open_rest(row: CaseImport, table: tables.Table) -> None:
    records = _records(row, table)
    while row.done < row.total:
        record = records[row.done]
        with transaction.atomic():
            words = " ".join(_with_label(fault) for fault in record.faults)
            case = None
            if not words:
                case, words = _open(row, record)
            _store(row, record, case, words)
            # Another worker holds the lease: roll back the case that was just opened.
            # The failures are those of one record.
            if not row.write({"done": row.done + 1, "failures": 0}):
                raise LeaseLostError
        row.done += 1
        row.failures = 0
        if row.done % HEARTBEAT_EVERY == 0:
            row.heartbeat(settings.LEASE)


def _with_label(fault: Fault) -> str:
    """What is wrong, and with which column where the words do not begin with it."""
    if not fault.label or fault.words.startswith(fault.label):
        return fault.words
    return f"{fault.label}: {fault.words}"


def _open(row: CaseImport, record: Record) -> tuple[Case | None, str]:
    """The new case, or None and the reason."""
    # Read again for each record, as the person is below.
    active = Agent.objects.filter(is_active=True, connection__is_active=True)
    if not active.filter(pk=row.agent_id).exists():
        return None, _("This agent can no longer be chosen.")
    try:
        # The id is derived from the line, so a record that is submitted twice is still one case.
        case = cases.submit(
            # Read again for each record: a file of thousands takes minutes, and the person may lose a
            # role, or be deactivated. `row.by` keeps the permissions that it had for the first one.
            actor=User.objects.get(pk=row.by_id),
            agent=row.agent,
            subject=record.subject,
            country=record.country,
            data=record.data,
            documents=[],
            links=record.links,
            reference=record.reference,
            submission=uuid.uuid5(row.pk, str(record.lines[0])),
            procedure=record.procedure or "live",
            custom_fields=record.custom_fields,
            extra_columns=record.extra,
        )
    except cases.ReferenceTakenError:
        return None, _("There is a case of this id already.")
    except (cases.UnfitReferenceError, PermissionDenied, QuotaError) as exc:
        return None, str(exc)
    return case, ""


def _store(row: CaseImport, record: Record, case: Case | None, words: str) -> None:
    """Store one result row for each line of the record. The first line of a joined record opened
    the case.
    """
    outcome = Outcome.OPENED if case else Outcome.REFUSED
    for line in record.lines:
        ImportedRow.objects.create(
            source=row,
            line=line,
            reference=record.reference[:255],
            outcome=outcome,
            case=case,
            error=words,
        )
        if case:
            outcome = Outcome.JOINED


def counts(row: CaseImport) -> dict[str, int]:
    """Number of lines for each outcome."""
    imported = row.rows.order_by().values("outcome").annotate(count=Count("pk"))
    numbers = dict.fromkeys(Outcome.values, 0)
    for item in imported:
        numbers[item["outcome"]] = item["count"]
    return numbers


@languages.english()
def result(row: CaseImport) -> bytes:
    """The outcome of each line so far as CSV for spreadsheets, with the columns of HEADER."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    # Column names are part of the interface: scripts read this file.
    writer.writerow(HEADER)
    for item in row.rows.select_related("case"):
        reference = address = ""
        if item.case:
            reference = item.case.reference
            address = settings.DESK_URL + item.case.get_absolute_url()
        outcome = item.get_outcome_display()
        cells = (item.reference, outcome, reference, address, item.error)
        # Escaped, because a spreadsheet would run a cell that starts with "=" as a formula.
        writer.writerow([item.line, *(escape(cell) for cell in cells)])
    # Excel needs the byte order mark to read UTF-8.
    return b"\xef\xbb\xbf" + text.getvalue().encode()
