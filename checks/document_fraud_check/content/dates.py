"""Indicators from the dates of the document and of its file."""

from __future__ import annotations

from datetime import datetime

from checks.document_fraud_check import tunables
from checks.document_fraud_check.facts import info_if_by_ocr
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence
from checks.fields.general import issue_date_of


@indicator("INFO", "dates")
def modified_long_after_issue(evidence: Evidence) -> IndicatorResult:
    """The file was modified long after the date of the document.

    The file was changed a month or more after the day that the document bears.

    Found: the date of the last change in the Info dictionary, against the date in the text.

    Innocent explanations: printing to a file, signing, or saving in a reader. One of eight genuine
    files has it, so that alone it says little.
    """
    issued = evidence.once(issue_date_of)
    modified = evidence.metadata.modified
    if not issued or not modified:
        return None
    # Files are often printed or signed some days after the date on the document.
    if modified.date() - issued.value <= tunables.LATER:
        return None
    day = issued.value.isoformat()
    description = (
        f"The document is of {day}, the file was modified on {_day(modified)}."
    )
    return Finding(description, evidence.text.boxes(issued.span))


@indicator("INFO", "dates")
def created_before_document_date(evidence: Evidence) -> IndicatorResult:
    """The file is older than the date of the document.

    Its date of creation lies before the day on which the document says it was given.

    Found: the date of creation in the Info dictionary, against the date in the text.

    Innocent explanations: a register that fills in a template keeps the date of the template, by
    years in one case. A wrong clock.
    """
    issued = evidence.once(issue_date_of)
    created = evidence.metadata.created
    if not issued or not created:
        return None
    # A wrong clock or another time zone explains a difference of a day.
    if issued.value - created.date() <= tunables.CLOCKS:
        return None
    day = issued.value.isoformat()
    description = f"The document is of {day}, the file was created on {_day(created)}."
    return Finding(description, evidence.text.boxes(issued.span))


@indicator("RISK", "dates")
def future_date(evidence: Evidence) -> IndicatorResult:
    """A date is in the future.

    The document, or the record of the file's creation or last change, bears a day to come.

    Found: the date in the text and those in the Info dictionary, against today, with two days of
    grace for the zones of the world.

    Innocent explanations: a wrong clock; a date of effect that was read as the date of issue.
    Where OCR read the date in the text, it is an INFO.
    """
    # Two days of tolerance, because the issuer may be in another time zone.
    latest = evidence.today + 2 * tunables.CLOCKS
    issued = evidence.once(issue_date_of)
    if issued and issued.value > latest:
        return Finding(
            f"The document bears the date {issued.value.isoformat()}.",
            evidence.text.boxes(issued.span),
            type=info_if_by_ocr(evidence, issued.span),
        )
    record = "The record of the file says that it was"
    created = evidence.metadata.created
    if created and created.date() > latest:
        return Finding(f"{record} made on {_day(created)}.")
    modified = evidence.metadata.modified
    if modified and modified.date() > latest:
        return Finding(f"{record} last changed on {_day(modified)}.")
    return None


@indicator("INFO", "dates")
def xmp_date_conflict(evidence: Evidence) -> IndicatorResult:
    """Two records of the last change contradict each other.

    The Info dictionary and the XMP metadata name different days, as where a program changed the
    file and updated one of them alone.

    Found: both dates, compared with a day of grace for zones.

    Innocent explanations: many programs update one of them alone, and so do services that stamp
    or shrink files.
    """
    info = evidence.metadata.modified
    xmp = evidence.metadata.xmp_modified
    if not info or not xmp:
        return None
    if abs(info - xmp) <= tunables.APART:
        return None
    days = f"on {_day(info)} by one record, on {_day(xmp)} by the other"
    return Finding(f"The last change was {days}.")


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
