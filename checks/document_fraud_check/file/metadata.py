"""Indicators from what the file states about its own origin."""

from __future__ import annotations

import re

from checks.base import IndicatorType
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence
from checks.fields.general import type_of

EDITORS = re.compile(
    r"photoshop|illustrator|gimp|inkscape|canva|sejda|ilovepdf|smallpdf|pdfescape|pdffiller|dochub"
    r"|pdf ?element|wondershare|foxit (?:phantom|pdf editor)|nitro pro|pdf-xchange|pdf24|pdf candy"
    r"|pdf2go|soda ?pdf|master pdf|coreldraw|affinity|pixelmator|paint\.net|snapseed|picsart"
    r"|pdf architect|infix|able2extract|fotor|pdfgear",
    re.IGNORECASE,
)
# Programs that mostly merge, compress or convert files. Their name alone is no sign of editing.
CONVERTERS = re.compile(
    r"ilovepdf|smallpdf|pdf24|pdf candy|pdf2go|soda ?pdf|pdf architect", re.IGNORECASE
)
# Programs with which companies draw papers of their own: certificates of training, invoices, flyers.
# Offices and banks do not write their papers with them.
DRAWING = re.compile(
    r"illustrator|inkscape|canva|coreldraw|affinity (?:designer|publisher)",
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
# The print and preview programs of operating systems, with which people save documents.
VIEWERS = {"quartz", "skia"}
# Products of one vendor, which process each other's files.
ADOBE = {"acrobat", "distiller", "livecycle", "adobe pdf library"}
# The binary comment in the second line is specific to the library that wrote the file. These
# libraries rewrite files of others.
WRITERS = {
    b"\xbf\xf7\xa2\xfe": "qpdf",
    b"\xb5\xb6": "mupdf",
    b"\xc2\xb5\xc2\xb6": "mupdf",
    b"\xa1\xb3\xc5\xd7": "pdfium",
    b"\x81\x81\x81\x81": "pdf-lib",
    b"\xf6\xe4\xfc\xdf": "pdfbox",
}
# These libraries write new files. Each has the names that it gives itself.
ORIGINAL_WRITERS = {
    b"\xc4\xe5\xf2\xe5\xeb\xa7\xf3\xa0\xd0\xc4\xc6": ("Quartz", ("quartz",)),
    b"\xd3\xeb\xe9\xe1": ("Skia", ("skia", "chrome", "pdfium")),
    b"\xc3\xa4\xc3\xbc\xc3\xb6\xc3\x9f": (
        "LibreOffice",
        ("libreoffice", "openoffice", "collabora"),
    ),
    b"\xb5\xed\xae\xfb": ("cairo", ("cairo", "inkscape", "webkitgtk")),
    b"\xd0\xd4\xc5\xd8": ("pdfTeX", ("tex",)),
    b"\xe4\xf0\xed\xf8": ("dvipdfmx", ("dvipdfm", "tex")),
    b"\xc7\xec\x8f\xa2": (
        "Ghostscript",
        ("ghostscript", "gpl ", "pdfcreator", "cutepdf", "pdf24"),
    ),
    b"\xb5\xb5\xb5\xb5": (
        "Microsoft Office",
        ("microsoft", "word", "excel", "powerpoint"),
    ),
}
SAME_WRITER = {"qpdf": {"qpdf", "pikepdf"}, "pdfium": {"pdfium", "skia"}}
HISTORY = re.compile(rb'softwareAgent(?:="|>)([^"<]{2,80})')
SECOND_LINE = re.compile(rb"^%PDF-\d\.\d[^\r\n]{0,40}[\r\n]+%([^\r\n]{1,20})")
# The company writes articles and bylaws itself, with any program.
SELF_MADE = {"articles_of_incorporation", "bylaws"}
# Types of document that an office, a bank or a supplier writes. The company writes the others
# itself.
OF_OFFICES = frozenset(
    [
        "certificate_of_incorporation",
        "register_extract",
        "tax_registration",
        "ein_letter",
        "irs_determination_letter",
        "bank_statement",
        "credit_card_statement",
        "mortgage_statement",
        "utility_bill",
        "business_licence",
        "tax_document",
        "insurance_policy",
        "payslip",
    ]
)


def _family(producer: str) -> str:
    lowered = producer.lower()
    for name in FAMILIES:
        if name in lowered:
            return name
    return ""


@indicator("INFO", "metadata")
def metadata_missing(evidence: Evidence) -> IndicatorResult:
    """The file says nothing about its origin.

    No program and no date are recorded in it.

    Found: neither the Info dictionary nor the XMP metadata names a producer, a creator or a date
    of creation.

    Innocent explanations: some registers leave them out, and so do mail gateways that clean files.
    Programs for hiding where a file comes from take them away, too.
    """
    if evidence.kind != "pdf" or evidence.problem or not evidence.metadata.is_empty:
        return None
    return Finding("No producer, creator or creation date is recorded in the file.")


@indicator("RISK", "metadata")
def producer_conflict(evidence: Evidence) -> IndicatorResult:
    """Two records of the producing program contradict each other.

    The Info dictionary and the XMP metadata name programs of different families, as after a save
    with a program that updates one of them alone.

    Found: both names are brought to a family (all versions and products of one maker) and compared.

    Innocent explanations: a save with the print or preview program of an operating system, which
    people do to keep a document; it is an INFO then.
    """
    metadata = evidence.metadata
    info = _family(metadata.producer)
    xmp = _family(metadata.xmp_producer)
    # Only two known, different families are a conflict. Adobe products process each other's files.
    if not info or not xmp or info == xmp or {info, xmp} <= ADOBE:
        return None
    raw = f"Info: {metadata.producer}\nXMP: {metadata.xmp_producer}"
    description = f"The file names {info} in one record and {xmp} in the other."
    if {info, xmp} & VIEWERS:
        return Finding(description, raw=raw, type="INFO")
    return Finding(description, raw=raw)


@indicator("RISK", "metadata")
def editing_tool(evidence: Evidence) -> IndicatorResult:
    """A program for editing documents or pictures made or saved the file.

    The file names a program that is made for changing documents or pictures. Registers do not
    write their documents with such programs.

    Found: a list of such programs, looked for in the Info dictionary, in the XMP metadata and in
    the history that XMP keeps of saves. A program that is not on the list, or leaves no name, is
    not found in this way; the indicators for content do not depend on it.

    Innocent explanations: the owner merged, turned or shrank the file with it. It is an INFO for
    articles and bylaws, which the company writes itself, for services that mostly merge, shrink
    and convert files, and for programs for drawing, with which companies make papers of their own, unless
    the document reads as one of a register, an office, a bank or a supplier.
    """
    if evidence.kind != "pdf":
        return None  # for pictures, see `exif_editor`
    editors = list(filter(EDITORS.search, _programs(evidence)))
    if not editors:
        return None
    # The gravest program counts: a converter alone is the mildest.
    editors.sort(
        key=lambda program: (
            bool(CONVERTERS.search(program)),
            bool(DRAWING.search(program)),
        )
    )
    editor = editors[0]
    if CONVERTERS.search(editor):
        description = f"The file was saved with {editor[:80]}, which merges, shrinks and converts files."
        return Finding(description, raw=editor, type="INFO")
    description = f"The file was made or saved with {editor[:80]}."
    milder: IndicatorType | None = None
    if _may_be_of_the_company(evidence, editor):
        milder = "INFO"
    return Finding(description, raw=editor, type=milder)


def _may_be_of_the_company(evidence: Evidence, program: str) -> bool:
    """Whether companies write documents of this type themselves with such a program."""
    kind = evidence.once(type_of)
    code = kind.value.code if kind else ""
    if DRAWING.search(program):
        return code not in OF_OFFICES
    return code in SELF_MADE


def _programs(evidence: Evidence) -> list[str]:
    """Return the programs that the file names, in its records and in the history of its saves."""
    metadata = evidence.metadata
    programs = [
        metadata.producer,
        metadata.creator,
        metadata.xmp_producer,
        metadata.xmp_creator,
    ]
    for match in HISTORY.finditer(evidence.file):
        programs.append(match[1].decode("utf-8", "replace"))
    return programs


@indicator("INFO", "metadata")
def writer_rewritten(evidence: Evidence) -> IndicatorResult:
    """Another library wrote the file than the program that it names.

    The file carries the mark of a library that rewrites whole files, and names another program
    as its producer. Whoever edits a file with such a library keeps the name of the first program.

    Found: the bytes of the comment in the second line of a PDF, by which such libraries differ.

    Innocent explanations: registers, archives and mail gateways rewrite files too: one of eight
    court files was. The mark can be copied, so that its lack proves nothing.
    """
    writer = rewriting_library_of(evidence)
    if not writer:
        return None
    program = f"{evidence.metadata.producer} {evidence.metadata.creator}".lower()
    return Finding(f"The container was written by {writer}.", raw=program.strip())


def rewriting_library_of(evidence: Evidence) -> str:
    """Return the library that saved the whole file again, if the file names another program; else ""."""
    writer = WRITERS.get(_mark(evidence))
    program = f"{evidence.metadata.producer} {evidence.metadata.creator}".lower()
    if not writer or not program.strip():
        return ""
    # Some libraries are used under the name of another product.
    names = SAME_WRITER.get(writer, {writer})
    if any(name in program for name in names):
        return ""
    return writer


@indicator("INFO", "metadata")
def writer_mismatch(evidence: Evidence) -> IndicatorResult:
    """The file does not look like one of the program that it names.

    It carries the mark of one program and names another as its producer, as where the metadata of
    a genuine file were copied to one that was made otherwise.

    Found: the bytes of the comment in the second line of a PDF, which some programs always write
    in a way of their own, against the names in the Info dictionary.

    Innocent explanations: a program that uses another one's library and has its own name.
    """
    program, names = ORIGINAL_WRITERS.get(_mark(evidence), ("", ()))
    declared = f"{evidence.metadata.producer} {evidence.metadata.creator}".lower()
    if not program or not declared.strip():
        return None
    if any(name in declared for name in names):
        return None
    return Finding(f"The file is written as {program} writes it.", raw=declared.strip())


def _mark(evidence: Evidence) -> bytes:
    match = SECOND_LINE.match(evidence.file[:200])
    if match:
        return match[1].strip()
    return b""
