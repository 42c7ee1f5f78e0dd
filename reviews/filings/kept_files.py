"""The files of a report, kept as the second person has approved them.

An authority may ask for a report years later, and the data of its case change meanwhile. So a file
is made once, from the data of the approval, and each download gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from compliance.languages import english
from reviews.decisions.decisions import RefusedError
from reviews.filings import goaml
from reviews.filings.fincen import batch
from reviews.models import SuspicionReport

GOAML, FINCEN = "goAML", "FinCEN"
# Name of a form → what makes its file. Raises RefusedError.
_MAKERS: dict[str, Callable[[SuspicionReport], bytes]] = {
    GOAML: goaml.xml,
    FINCEN: batch.xml,
}
Status = SuspicionReport.Status


def all_of(report: SuspicionReport) -> dict[str, str]:
    """The files that can be made of an approved report today, by the name of their form.

    A form that refuses the report is left out: an installation files with one of them.
    """
    contents: dict[str, str] = {}
    for form, make in _MAKERS.items():
        try:
            with english():
                contents[form] = make(report).decode()
        except RefusedError:
            continue
    return contents


def content(report: SuspicionReport, form: str) -> str:
    """The kept file; without one, a file that is made now.

    Raises RefusedError if none was kept of a filed report: a new one could have other data than
    the authority has.
    """
    kept = _kept(report).get(form, "")
    if kept and report.status in {Status.APPROVED, Status.FILED}:
        if report.case.erased_at:
            raise RefusedError(_("The personal data of this case were erased."))
        return kept
    made = _MAKERS[form](report).decode()
    if report.status == Status.FILED:
        raise RefusedError(
            _(
                "No file of this form was kept when the report was filed. A file that is made now"
                " could have other data than the authority has."
            )
        )
    return made


def differs(report: SuspicionReport) -> bool:
    """Whether a file of an approved report would have other data if it was made today."""
    if report.status != Status.APPROVED or report.case.erased_at:
        return False
    kept = _kept(report)
    today = all_of(report)
    return any(today.get(form, "") != text for form, text in kept.items())


def has(report: SuspicionReport, form: str) -> bool:
    """Whether there is a file to download: of a filed report only what was kept."""
    if report.case.erased_at:
        return False
    if report.status == Status.FILED:
        return form in _kept(report)
    return report.status == Status.APPROVED


def _kept(report: SuspicionReport) -> dict[str, str]:
    rows = report.files
    return rows if isinstance(rows, dict) else {}
