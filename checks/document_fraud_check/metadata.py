"""Indicators from what the file says of its own origin."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from checks.document_fraud_check.rules import Finding, indicator
from checks.evidence import Evidence
from checks.fields.of_document import issue_date_of, type_of

EDITORS = re.compile(
    r"photoshop|illustrator|gimp|inkscape|canva|sejda|ilovepdf|smallpdf|pdfescape|pdffiller|dochub"
    r"|pdf ?element|wondershare|foxit (?:phantom|pdf editor)|nitro pro|pdf-xchange|pdf24|pdf candy"
    r"|pdf2go|soda ?pdf|master pdf|coreldraw|affinity|pixelmator|paint\.net|snapseed|picsart"
    r"|pdf architect|infix|able2extract|fotor|pdfgear",
    re.IGNORECASE,
)
FAMILIES = (
    "quartz",
    "skia",
    "libreoffice",
    "openoffice",
    "microsoft",
    "ghostscript",
    "cairo",
    "pdftex",
    "dvipdfmx",
    "itext",
    "acrobat",
    "distiller",
    "livecycle",
    "adobe pdf library",
    "qpdf",
    "pikepdf",
    "mupdf",
    "pdfium",
    "pdfbox",
    "pdf-lib",
    "aspose",
    "reportlab",
    "openhtmltopdf",
    "wkhtmltopdf",
    "prince",
    "tcpdf",
    "fpdf",
    "apache fop",
    "jasper",
)
VIEWERS = {"quartz", "skia"}
ADOBE = {"acrobat", "distiller", "livecycle", "adobe pdf library"}
# The binary comment in the second line differs from one writing library to another.
WRITERS = {
    b"\xbf\xf7\xa2\xfe": "qpdf",
    b"\xb5\xb6": "mupdf",
    b"\xc2\xb5\xc2\xb6": "mupdf",
    b"\xa1\xb3\xc5\xd7": "pdfium",
    b"\x81\x81\x81\x81": "pdf-lib",
    b"\xf6\xe4\xfc\xdf": "pdfbox",
}
SAME_WRITER = {"qpdf": {"qpdf", "pikepdf"}, "pdfium": {"pdfium", "skia"}}
SECOND_LINE = re.compile(rb"^%PDF-\d\.\d[^\r\n]{0,40}[\r\n]+%([^\r\n]{1,20})")
# Articles and bylaws are written by the company itself, with whatever it writes with.
SELF_MADE = {"articles_of_incorporation", "bylaws"}
LATER, DAY = timedelta(days=30), timedelta(days=1)


def _family(producer: str) -> str:
    lowered = producer.lower()
    return next((name for name in FAMILIES if name in lowered), "")


@indicator("INFO", "metadata")
def metadata_missing(evidence: Evidence) -> Finding | None:
    """The file says nothing about its origin.

    No program, no author and no date are recorded. Some registers leave them out, and some tools
    take them away.
    """
    if evidence.kind != "pdf" or evidence.problem or not evidence.metadata.is_empty:
        return None
    return Finding("No producer, creator or creation date is recorded in the file.")


@indicator("RISK", "metadata")
def producer_conflict(evidence: Evidence) -> Finding | None:
    """Two records of the producing program contradict each other.

    The Info dictionary and the XMP metadata name programs of different families, as after a save
    with a program that updates one of them alone. Where one of them is the print or preview
    program of an operating system, it is an INFO: people save documents with it to keep them.
    """
    metadata = evidence.metadata
    info, xmp = _family(metadata.producer), _family(metadata.xmp_producer)
    if not info or not xmp or info == xmp or {info, xmp} <= ADOBE:
        return None
    raw = f"Info: {metadata.producer}\nXMP: {metadata.xmp_producer}"
    said = f"The file names {info} in one record and {xmp} in the other."
    return Finding(said, raw=raw, type="INFO" if {info, xmp} & VIEWERS else None)


@indicator("RISK", "metadata")
def editing_tool(evidence: Evidence) -> Finding | None:
    """A program for editing documents or pictures made or saved the file.

    Registers do not write their documents with such programs. For articles and bylaws, which the
    company writes itself, it is an INFO.
    """
    metadata = evidence.metadata
    written = (metadata.producer, metadata.creator, metadata.xmp_producer, metadata.xmp_creator)
    named = next((value for value in written if EDITORS.search(value)), None)
    if named is None:
        return None
    kind = evidence.once(type_of)
    own = kind is not None and kind.value.code in SELF_MADE
    return Finding(
        f"The file was made or saved with {named[:80]}.", raw=named, type="INFO" if own else None
    )


@indicator("INFO", "metadata")
def writer_rewritten(evidence: Evidence) -> Finding | None:
    """Another library wrote the file than the program that it names.

    The file carries the mark of a library that rewrites whole files, and names another program
    as its producer. Registers and mail gateways rewrite files too.
    """
    match = SECOND_LINE.match(evidence.file[:200])
    writer = WRITERS.get(match[1].strip()) if match else None
    named = f"{evidence.metadata.producer} {evidence.metadata.creator}".lower()
    if not writer or not named.strip():
        return None
    if any(name in named for name in SAME_WRITER.get(writer, {writer})):
        return None
    return Finding(f"The container was written by {writer}.", raw=named.strip())


@indicator("INFO", "dates")
def modified_long_after_issue(evidence: Evidence) -> Finding | None:
    """The file was modified long after the date of the document.

    Printing to a file or signing does that as well; alone it says little.
    """
    issued, modified = evidence.once(issue_date_of), evidence.metadata.modified
    if not issued or not modified or modified.date() - issued.value <= LATER:
        return None
    said = (
        f"The document is of {issued.value.isoformat()}, the file was modified on {_day(modified)}."
    )
    return Finding(said, evidence.text.boxes(issued.span))


@indicator("INFO", "dates")
def created_before_document_date(evidence: Evidence) -> Finding | None:
    """The file is older than the date of the document.

    Its creation date lies before the day on which the document says it was given, as where a
    template is filled in.
    """
    issued, created = evidence.once(issue_date_of), evidence.metadata.created
    if not issued or not created or issued.value - created.date() <= DAY:
        return None
    said = (
        f"The document is of {issued.value.isoformat()}, the file was created on {_day(created)}."
    )
    return Finding(said, evidence.text.boxes(issued.span))


@indicator("RISK", "dates")
def future_date(evidence: Evidence) -> Finding | None:
    """A date lies in the future.

    The document, or the record of the file's creation or last change, bears a day to come.
    """
    latest = evidence.today + 2 * DAY
    issued = evidence.once(issue_date_of)
    if issued and issued.value > latest:
        said = f"The document bears the date {issued.value.isoformat()}."
        return Finding(said, evidence.text.boxes(issued.span))
    recorded = (evidence.metadata.created, evidence.metadata.modified)
    future = next((moment for moment in recorded if moment and moment.date() > latest), None)
    return Finding(f"The file says it was made on {_day(future)}.") if future else None


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
