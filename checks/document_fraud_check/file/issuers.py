"""Indicators from the programs with which registers and offices write their documents."""

from __future__ import annotations

import re
from dataclasses import dataclass

from checks.document_fraud_check import tunables
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence
from checks.fields.general import type_of
from checks.text.words import Page, phrase


@dataclass(frozen=True, slots=True)
class Issuer:
    """An office, the words by which its documents are known, and the programs it writes with.

    `signs`: each of its documents bears its digital signature.
    """

    name: str
    kinds: frozenset[str]
    words: re.Pattern[str]
    programs: re.Pattern[str]
    signs: bool = False


def _issuer(
    name: str, kinds: str, words: str, programs: str, *, signs: bool = False
) -> Issuer:
    return Issuer(
        name,
        frozenset(kinds.split()),
        phrase(words),
        re.compile(programs, re.IGNORECASE),
        signs=signs,
    )


ISSUERS = (
    _issuer(
        "Companies House (UK)",
        "certificate_of_incorporation",
        r"\bregistrar of companies\b[\s\S]{0,400}\b(?:england|wales|scotland|northern ireland|companies house)\b",
        r"dvips.*ghostscript|openhtmltopdf|itext",
    ),
    _issuer(
        "the Internal Revenue Service (EIN letter)",
        "ein_letter",
        r"\bdepartment of the treasury\b[\s\S]{0,300}\binternal revenue service\b",
        r"irs ein assistant|itext|openhtmltopdf|livecycle|distiller",
    ),
    _issuer(
        "the Internal Revenue Service (determination letter)",
        "irs_determination_letter",
        r"\binternal revenue service\b",
        r"livecycle|distiller",
    ),
    _issuer(
        "the Division of Corporations of Delaware",
        "certificate_of_incorporation",
        r"\bdelaware\b[\s\S]{0,2000}\bsecretary of state\b[\s\S]{0,600}\bauthentication\b",
        r"aspose",
    ),
    _issuer(
        "the Ministry of Corporate Affairs of India",
        "certificate_of_incorporation tax_registration",
        r"\bministry of corporate affairs\b",
        r"itext|adobe xml form|livecycle",
        signs=True,
    ),
)


@indicator("TRUST", "metadata")
def issuer_producer_known(evidence: Evidence) -> IndicatorResult:
    """The file was written with a program that its issuer uses.

    The document reads as one of a certain office, and the file names a program with which that
    office is known to write such documents. Of a scan or another picture it is not said: a picture
    of a document tells nothing of the program that wrote it, whatever the file names.

    Found: a short table of offices, made from documents that they issued.

    Does not prove: anything against a forger who copies the name, or starts from a genuine file.
    """
    issuer, program = _match(evidence)
    if not issuer or not issuer.programs.search(program) or _is_picture(evidence):
        return None
    return Finding(f"Documents of {issuer.name} are written so.", raw=program)


@indicator("INFO", "metadata")
def issuer_producer_unexpected(evidence: Evidence) -> IndicatorResult:
    """The file was written with another program than its issuer uses.

    The document reads as one of a certain office, and the file names a program with which that
    office is not known to write such documents.

    Found: as for a program that is known. Of a scan it is not asked: it names the scanner's.

    Innocent explanations: the owner printed, scanned or saved the file again; the office has changed
    its programs since the table was made.
    """
    issuer, program = _match(evidence)
    if not issuer or not program or issuer.programs.search(program):
        return None
    if _is_picture(evidence):
        return None
    return Finding(
        f"Documents of {issuer.name} are usually written otherwise.", raw=program
    )


@indicator("INFO", "signature")
def issuer_signature_missing(evidence: Evidence) -> IndicatorResult:
    """The digital signature of the issuer is not in the file.

    The document reads as one of an office that signs each of its files, and this file bears no
    digital signature: it is a copy of the issued file, and not that file.

    Found: as for the programs of issuers, and that the file has no digital signature. Pictures
    count, too.

    Innocent explanations: the owner printed, scanned or saved the file again, which drops the
    signature. The signed file can be asked for.
    """
    issuer, _ = _match(evidence)
    if not issuer or not issuer.signs or evidence.structure.signatures:
        return None
    return Finding(
        f"{issuer.name[0].upper()}{issuer.name[1:]} signs its files; this one is not signed."
    )


def _is_picture(evidence: Evidence) -> bool:
    """Is the whole document a picture, with or without the text of OCR behind it?"""
    for page in evidence.pages:
        if not (page.is_blank or page.is_picture or _is_scan(page)):
            return False
    return True


def _is_scan(page: Page) -> bool:
    if page.ground < tunables.SCAN:
        return False
    for word in page.words:
        if word.source != "OCR" and not word.hidden:
            return False
    return True


def _match(evidence: Evidence) -> tuple[Issuer | None, str]:
    kind = evidence.once(type_of)
    metadata = evidence.metadata
    names = (
        metadata.producer,
        metadata.creator,
        metadata.xmp_producer,
        metadata.xmp_creator,
    )
    program = "\n".join(dict.fromkeys(filter(None, names)))
    if not kind:
        return None, program
    head = evidence.text.value[: tunables.OFFICE_HEAD]
    for issuer in ISSUERS:
        if kind.value.code in issuer.kinds and issuer.words.search(head):
            return issuer, program
    return None, program
