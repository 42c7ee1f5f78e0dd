"""Pages of one imported file: its columns, its faults, and the progress of its cases."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from compliance.storage.stored_files import StoredError
from reviews.access.decorators import person_of, readers_only
from reviews.imports import columns, imports
from reviews.imports.judging import Fault, Judge, Record
from reviews.imports.tables import Table
from reviews.models import Case, CaseImport, ImportedRow

STOP_POLLING = 286  # htmx: swap this response in, and stop polling
MOST_FAULTS = 100  # on one page; further ones appear when these are corrected
MOST_CASES = 10  # examples of cases that would be opened
MOST_REFUSED = 200
submitters_only = permission_required("reviews.add_case", raise_exception=True)


@dataclass(frozen=True)
class Column:
    """A column of the file. `place` counts from 0, `member` is the chosen member of a case."""

    place: int
    header: str
    example: str
    member: str


@dataclass(frozen=True)
class Preview:
    """What a file would become: `good` records become cases, the others are left out."""

    table: Table
    records: list[Record]
    faults_of_columns: list[str]

    @property
    def good(self) -> list[Record]:
        if self.faults_of_columns:
            return []
        return [record for record in self.records if not record.faults]

    @property
    def faults(self) -> list[Fault]:
        faults = [fault for record in self.records for fault in record.faults]
        return sorted(faults, key=lambda fault: fault.line)


@readers_only
@submitters_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def case_import(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """Before the confirmation: the preview. Afterwards: the progress."""
    row = _row(request, pk)
    if row.status != CaseImport.Status.CHECKED:
        return render(request, "reviews/import.html", _progress(row))
    if request.method == "POST":
        return _act(request, row)
    context = {"nav": "batches", "row": row, "error": ""}
    try:
        preview = _preview(row)
    except StoredError as exc:
        context["error"] = str(exc)
    else:
        context |= _context(row, preview)
    return render(request, "reviews/import_preview.html", context)


@readers_only
@submitters_only
@require_safe
@cache_control(private=True, no_store=True)
def live(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    row = _row(request, pk)
    context = _progress(row)
    status = HTTPStatus.OK if context["is_live"] else STOP_POLLING
    return render(request, "reviews/_import_progress.html", context, status=status)


@readers_only
@submitters_only
@require_safe
def result(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """The outcome of each line as CSV."""
    row = _row(request, pk)
    if row.status == CaseImport.Status.CHECKED:
        raise Http404
    content = imports.result(row)
    response = HttpResponse(content, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="batch-{row.pk}.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _row(request: HttpRequest, pk: uuid.UUID) -> CaseImport:
    return get_object_or_404(imports.of(person_of(request)), pk=pk)


def _preview(row: CaseImport) -> Preview:
    """The validated content of the file. Raises StoredError."""
    table = imports.table_of(row)
    judge = Judge(
        table,
        row.mapping,
        agent=row.agent,
        actor=row.by,
    )
    # Rows cannot be validated with a faulty mapping.
    faults = judge.faults_of_columns()
    records: list[Record] = []
    if not faults:
        records = judge.records(joins_rows=row.joins_rows)
        judge.refuse_taken(records)
    return Preview(table, records, faults)


def _context(row: CaseImport, preview: Preview) -> dict[str, object]:
    shown_columns = []
    table = preview.table
    for place, (header, member) in enumerate(
        zip(table.columns, row.mapping, strict=True)
    ):
        example = table.example(place)[:80]
        shown_columns.append(Column(place, header, example, member))
    good, faults = preview.good, preview.faults
    return {
        "preview": preview,
        "columns": shown_columns,
        "groups": columns.choices(row.agent.kind),
        "good": good[:MOST_CASES],
        "more_good": len(good) - MOST_CASES,
        "good_count": len(good),
        "left_out": len(preview.records) - len(good),
        # Only an id shows that a case was opened by an earlier import.
        "without_id": sum(1 for record in good if not record.reference),
        "faults": faults[:MOST_FAULTS],
        "more_faults": len(faults) - MOST_FAULTS,
        "not_taken": [item.header for item in shown_columns if not item.member],
        "kept": [item.header for item in shown_columns if item.member == columns.KEPT],
    }


def _act(request: HttpRequest, row: CaseImport) -> HttpResponse:
    """A button of the preview. A changed mapping is shown again before any case is opened."""
    act = request.POST.get("act")
    if act == "remove":
        if not imports.remove(row):
            # It was confirmed at the same time: its page shows the cases.
            return _back(row)
        messages.success(request, _("The file was removed. No case was opened."))
        return redirect("batches")
    mapping = []
    for place in range(len(row.mapping)):
        mapping.append(request.POST.get(f"column-{place}", ""))
    # The form may be tampered with, so unknown members are removed.
    mapping = columns.fit(mapping, headers=row.mapping, kind=row.agent.kind)
    joins_rows = "joins_rows" in request.POST
    if act == "open":
        return _confirm(request, row, mapping, joins_rows=joins_rows)
    imports.change(row, mapping=mapping, joins_rows=joins_rows)
    return _back(row)


def _confirm(
    request: HttpRequest, row: CaseImport, mapping: list[str], *, joins_rows: bool
) -> HttpResponse:
    try:
        # Computed again: `total` must be the number of records with the stored mapping.
        preview = _preview(row)
        if not preview.good:
            return _back(row)
        imports.confirm(
            row,
            mapping=mapping,
            joins_rows=joins_rows,
            total=len(preview.records),
            actor=person_of(request),
        )
    except StoredError as exc:
        messages.error(request, str(exc))
    except imports.ChangedError:
        # Store the new mapping, so that the next page shows its result.
        imports.change(row, mapping=mapping, joins_rows=joins_rows)
        words = _(
            "You changed what the columns mean. Look at the result, then open the cases."
        )
        messages.warning(request, words)
    return _back(row)


def _back(row: CaseImport) -> HttpResponse:
    # 303, so that reloading the next page does not send the form again.
    address = reverse("case-import", args=[row.pk])
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)


def _progress(row: CaseImport) -> dict[str, object]:
    refused = row.rows.filter(outcome=ImportedRow.Outcome.REFUSED)
    opened = row.rows.exclude(case=None).select_related("case")[:MOST_REFUSED]
    # The checks of the cases go on after the last row: their states change on the page, too.
    is_live = row.status == CaseImport.Status.RUNNING or any(
        item.case.status == Case.Status.CHECKING for item in opened if item.case
    )
    numbers = imports.counts(row)
    return {
        "nav": "batches",
        "row": row,
        "outcomes": numbers,
        "refused": refused[:MOST_REFUSED],
        "more_refused": numbers[ImportedRow.Outcome.REFUSED] - MOST_REFUSED,
        "is_live": is_live,
        "opened": opened,
        "more_opened": numbers[ImportedRow.Outcome.OPENED]
        + numbers[ImportedRow.Outcome.JOINED]
        - MOST_REFUSED,
    }
