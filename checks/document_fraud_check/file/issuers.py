"""Indicators from what registers and offices publish: their programs, text, signatures and
codes.
"""

from __future__ import annotations

import re

from checks.document_fraud_check import tunables
from checks.document_fraud_check.facts import codes_of, pictures_of, signatures_of
from checks.document_fraud_check.file.metadata import (
    OF_OFFICES,
    rewriting_library_of,
)
from checks.document_fraud_check.file.profiles import (
    Issued,
    is_without_text,
    issued_by,
    programs_of,
)
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence
from checks.fields.general import type_of
from checks.fields.tax_offices import plain

# Programs that lay out text and never wrap pictures of pages. Office programs are left out, because
# people paste scans into them. So are libraries such as iText, FPDF or ReportLab, because they wrap
# pictures.
TEXT_PROGRAMS = re.compile(
    r"\bdvips|\blatex\b|\bpdftex|xetex|luatex|openhtmltopdf|flying saucer|apache fop|\bxep\b|antenna house"
    r"|jasperreports|\bbirt\b|\bprince\b|wkhtmltopdf|weasyprint|crystal reports|streamserve|exstream"
    r"|oracle (?:reports|bi publisher)|reporting services|aspose\.words|adobe xml form|livecycle designer"
    r"|irs ein assistant|docmosis|stimulsoft|windward|smartcomm|papyrus|doc1gen|metro ?ps|gmc inspire|quadient",
    re.IGNORECASE,
)
# Words by which a page says that its file has a digital signature or an electronic seal.
SIGNED_BY_ITS_WORDS = re.compile(
    r"\bdigitally signed\b|\bcertified with a digital signature|\belectronically sealed\b|\bqualified electronic (?:seal|signature)"
    r"|\bdigitale handtekening\b|\bgekwalificeerd elektronisch zegel"
    r"|\bfirmado (?:digital|electronica)mente\b|\bfirma electronica cualificada\b|\bfirmato digitalmente\b"
    r"|\bsigne(?:e)? electroniquement\b|\bassinado (?:digital|eletronica)mente\b|\bqualifizierte[nr]? elektronische[nr]? signatur"
    r"|\bpodpisano elektronicznie\b|\belektronicky podepsa"
)
# Formats of square codes. The verification code may be on a later page than the title.
CODE_FORMATS = ("QR Code", "Micro QR Code", "rMQR Code")


@indicator("TRUST", "metadata")
def issuer_producer_known(evidence: Evidence) -> IndicatorResult:
    """The file was written with a program that its issuer uses.

    The document reads as one of a certain office, and the file names a program with which that
    office is known to write such documents. Of a scan or another picture it is not said: a picture
    of a document tells nothing of the program that wrote it, whatever the file names. Nor is it said
    where the office signs each of its files and this one is not signed, and where a library that
    saves whole files again wrote this one.

    Found: a table of issuers (`checks/data/issuers.csv`), with what each of them publishes and its
    source. A page is known by the name of the issuer and by the title or a phrase of its documents.

    Does not prove: anything against a forger who copies the name, or starts from a genuine file.
    """
    issued = evidence.once(issued_by)
    program = programs_of(evidence)
    if not issued or not issued.profile.programs.search(program):
        return None
    # A scan of a genuine file may keep its metadata, an edited file loses its signature, and a
    # library that saves the whole file again keeps the name: the program then proves nothing.
    if is_without_text(issued.page) or _lacks_signature(issued, evidence):
        return None
    if rewriting_library_of(evidence):
        return None
    return Finding(f"Documents of {issued.profile.issuer} are written so.", raw=program)


@indicator("INFO", "metadata")
def issuer_producer_unexpected(evidence: Evidence) -> IndicatorResult:
    """The file was written with another program than its issuer uses.

    The document reads as one of a certain office, and the file names a program with which that
    office is not known to write such documents.

    Found: as for a program that is known. Of a scan it is not asked: it names the scanner's.

    Innocent explanations: the owner printed, scanned or saved the file again; the office has changed
    its programs since the table was made.
    """
    issued = evidence.once(issued_by)
    program = programs_of(evidence)
    if not issued or not program or is_without_text(issued.page):
        return None
    profile = issued.profile
    # If no program of the issuer is known, none can be unexpected.
    if not profile.has_programs or profile.programs.search(program):
        return None
    return Finding(
        f"Documents of {profile.issuer} are usually written otherwise.", raw=program
    )


@indicator("INFO", "signature")
def issuer_signature_missing(evidence: Evidence) -> IndicatorResult:
    """The digital signature of the issuer is not in the file.

    The document reads as one of an office that signs each of its files, or says itself that it is
    digitally signed, and this file bears no digital signature: it is a copy of the issued file, and
    not that file.

    Found: as for the programs of issuers, or by such words in ten languages, and that the file has no
    digital signature. Pictures count, too.

    Innocent explanations: the owner printed, scanned or saved the file again, which drops the
    signature. The signed file can be asked for.
    """
    if evidence.problem or evidence.structure.signatures:
        return None
    issued = evidence.once(issued_by)
    if issued and _lacks_signature(issued, evidence):
        return Finding(f"{issued.profile.subject} signs its files; {_state(evidence)}.")
    kind = evidence.once(type_of)
    if not kind or kind.value.code not in OF_OFFICES:
        return None
    words = _signed_by_words(evidence)
    if words:
        return Finding(
            f"The page says “{words}”, and the file bears no digital signature.",
            raw=words,
        )
    return None


@indicator("RISK", "signature")
def issuer_signature_removed(evidence: Evidence) -> IndicatorResult:
    """The file names the program of its issuer, and lacks the issuer's signature.

    The office signs each of its files. This one names the program with which the office writes them,
    so that it is meant to be the issued file, and it bears no digital signature: it was saved again
    with a program that keeps the record of the origin and drops the signature, as one has to after
    an edit. It cannot be told what was changed, so that a person has to look.

    Found: as for the programs of issuers, for offices that sign each file. A signature whose signer made
    the certificate does not count: anybody can make one in any name.

    Innocent explanations: a service that merges, shrinks or repairs files and keeps their records.
    The signed file can be asked for.
    """
    issued = evidence.once(issued_by)
    program = programs_of(evidence)
    if not issued or is_without_text(issued.page):
        return None
    # The program must be that of the issuer: any other file without a signature is an ordinary
    # copy.
    if not issued.profile.text_programs.search(program):
        return None
    if not _lacks_signature(issued, evidence):
        return None
    return Finding(
        f"The file names the program of its issuer. {issued.profile.subject} signs its files; {_state(evidence)}.",
        raw=program,
    )


@indicator("INFO", "origin")
def issuer_text_missing(evidence: Evidence) -> IndicatorResult:
    """The text that its issuer writes is not in the file.

    The office gives this document as a file with text. This file has a picture of it, or its letters
    as shapes: it is a copy of the issued file, and not that file.

    Found: as for the programs of issuers, and the page has no text of its own.

    Innocent explanations: the owner printed the file and scanned the print, or photographed it. Some
    offices give the same document on paper, too. The file can be asked for.
    """
    issued = evidence.once(issued_by)
    if not issued or not issued.profile.form or not is_without_text(issued.page):
        return None
    profile = issued.profile
    also = ""
    if profile.form != "text":
        also = ", and on paper, too"
    return Finding(
        f"{profile.subject} gives this document ({profile.document}) as a file with text{also}; this page has no text.",
    )


@indicator("RISK", "metadata")
def issuer_record_without_text(evidence: Evidence) -> IndicatorResult:
    """A page without text names a program that writes text.

    The record of the file names the program of the issuer, or another one that lays out the documents
    of offices, and the page is a picture or drawn shapes. Such programs write text: the record was
    copied from a genuine file, or the file was turned into pictures and kept its record. Whoever
    changes a picture leaves no trace in it, so that a person has to look.

    Found: as for the programs of issuers; and for documents of other offices, banks and suppliers, of
    which no page has text, a list of programs that write text and do not wrap pictures. Scanners and
    programs for pictures name themselves.

    Innocent explanations: a program that prints files as pictures or blackens parts of them, and keeps
    the record.
    """
    program = programs_of(evidence)
    if not program:
        return None
    issued = evidence.once(issued_by)
    if issued:
        if not is_without_text(issued.page):
            return None
        match = issued.profile.text_programs.search(program)
        if match:
            return Finding(
                f"The file names a program of {issued.profile.issuer}, which writes text; this page has none.",
                raw=program,
            )
    kind = evidence.once(type_of)
    if not kind or kind.value.code not in OF_OFFICES:
        return None
    match = TEXT_PROGRAMS.search(program)
    if not match or not all(map(is_without_text, evidence.pages)):
        return None
    return Finding(
        f"The file names {match[0].strip()}, which writes text; no page has any.",
        raw=program,
    )


@indicator("RISK", "image")
def issuer_page_redrawn(evidence: Evidence) -> IndicatorResult:
    """A program drew the picture of a page that its issuer gives as a file.

    The office gives this document as a file with text. Here it is a picture, and not one that was taken
    from paper: its letters are alike to the dot, as a program draws them. Somebody turned the file
    into pictures, which takes away its text and its signature, and hides what was changed before. A
    person has to look, and can ask for the file.

    Found: as for the programs of issuers; and the letters of the picture are compared dot by dot. On
    paper each has a grain of its own. It is not found after strong compression, below 120 dots per
    inch, or in black and white alone.

    Innocent explanations: a screenshot, or a program that prints files as pictures.
    """
    issued = evidence.once(issued_by)
    if not issued or not issued.profile.form or not is_without_text(issued.page):
        return None
    from checks.readers.pictures.forensics import is_drawn

    for picture in evidence.once(pictures_of):
        if picture.page == issued.page.number and is_drawn(picture):
            return Finding(
                f"Page {picture.page}: its letters are alike to the dot, and not as a scanner takes them from paper. "
                f"{issued.profile.subject} gives a file with text."
            )
    return None


@indicator("INFO", "cross-check")
def issuer_code_missing(evidence: Evidence) -> IndicatorResult:
    """The code by which its issuer lets one verify the document is not on it.

    The office prints a code of verification or a QR code on each of these documents, and neither was
    found.

    Found: as for the programs of issuers; the words beside the code are looked for in the text, and
    the QR codes are decoded. Of a picture it is said only where the office gives no paper.

    Innocent explanations: a page of the document that was not sent; a code that could not be read.
    """
    issued = evidence.once(issued_by)
    if not issued:
        return None
    profile = issued.profile
    is_picture = is_without_text(issued.page)
    if not profile.code and not profile.qr:
        return None
    # A picture may have a QR code that is too small or blurred to be read, and a paper form may
    # have none. So on a picture nothing is reported, unless the office issues files only and prints
    # words beside the code.
    if is_picture and (profile.form != "text" or not profile.code):
        return None
    if profile.code and profile.code.is_on(
        plain(evidence.text.value), by_ocr=is_picture
    ):
        return None
    if profile.qr and _has_square_code(evidence):
        return None
    return Finding(
        f"{profile.subject} prints a code of verification on this document; none was found."
    )


def _has_square_code(evidence: Evidence) -> bool:
    for code in evidence.once(codes_of):
        if code.format in CODE_FORMATS:
            return True
    return False


def _lacks_signature(issued: Issued, evidence: Evidence) -> bool:
    if issued.profile.signature != "always":
        return False
    return not evidence.structure.signatures or _is_self_signed(evidence)


def _state(evidence: Evidence) -> str:
    """Return why the file does not count as signed by its issuer."""
    if evidence.structure.signatures:
        return "the certificate of this signature was made by its signer"
    # After a save with other offsets the signature is still in the file, and covers nothing of it.
    if evidence.once(signatures_of):
        return "its signature fits this file no longer"
    return "this one is not signed"


def _is_self_signed(evidence: Evidence) -> bool:
    """Whether every signature has a certificate that its signer made, as anybody can in any name."""
    signatures = evidence.once(signatures_of)
    return bool(signatures) and all(
        signature.self_signed and not signature.trusted for signature in signatures
    )


def _signed_by_words(evidence: Evidence) -> str:
    """Return the words by which the document says that it is digitally signed; empty if there are
    none.
    """
    head = plain(evidence.text.value[: tunables.MAX_TEXT])
    match = SIGNED_BY_ITS_WORDS.search(" ".join(head.split()))
    return match[0] if match else ""
