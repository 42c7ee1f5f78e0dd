"""The report of a period as a file: CSV for spreadsheets, or PDF."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator

from django.contrib.auth.models import User
from django.utils.timezone import now

from compliance.languages import english
from compliance.security import csv_cells
from reviews.audit import trail
from reviews.records import period_figures
from reviews.records.period_figures import Period, PeriodReport

TITLES = ("section", "figure", "value", "of", "unit")
CSV, PDF = "csv", "pdf"


@english()
def take(period: Period, form: str, *, actor: User) -> bytes:
    """Build the file, and record in the trail who took it, with its hash.

    `form` is CSV or PDF. Raises PermissionDenied and RefusedError.
    """
    report = period_figures.report(period, actor=actor)
    if form == CSV:
        content = as_csv(report)
    else:
        # Imported here: the PDF library takes 10 MiB of memory in every process.
        from reviews.records import period_pdf

        content = period_pdf.pdf(report, by=actor, at=now())
    data = {
        "first": str(period.first),
        "last": str(period.last),
        "form": form,
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    trail.record(None, "period_report_taken", data, user=actor)
    return content


def as_csv(report: PeriodReport) -> bytes:
    file = io.StringIO()
    file.write(csv_cells.BYTE_ORDER_MARK)
    writer = csv.writer(file)
    writer.writerow(TITLES)
    for row in _rows(report):
        writer.writerow([csv_cells.escape(cell) for cell in row])
    return file.getvalue().encode()


def _rows(report: PeriodReport) -> Iterator[list[str]]:
    """The rows of the CSV: plain numbers for programs; minutes with one decimal."""
    yield ["Period", "First day", str(report.period.first), "", "day"]
    yield ["Period", "Last day", str(report.period.last), "", "day"]
    for section in report.sections:
        for figure in section.figures:
            value = ""
            if figure.value is not None:
                number_form = ".1f" if figure.unit else ".10g"
                value = format(figure.value, number_form)
            of = ""
            if figure.of is not None:
                of = str(figure.of)
            yield [section.title, figure.name, value, of, figure.unit]
    for sample in report.samples:
        yield ["Sample", sample.line.case.reference, sample.words, "", ""]
