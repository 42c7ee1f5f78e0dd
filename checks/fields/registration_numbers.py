"""Registration numbers of companies, found by their labels or formats and checked by their check
digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from stdnum.au import acn
from stdnum.cn import uscc
from stdnum.exceptions import ValidationError
from stdnum.fr import siren
from stdnum.in_ import gstin
from stdnum.nz import ird
from stdnum.sg import uen
from stdnum.us import ein

from checks.fields.extracted import ExtractedValue
from checks.fields.state_numbers import find_state_numbers
from checks.text.characters import count_digits
from checks.text.phrases import Pattern, Phrase
from checks.text.words import (
    Span,
    Text,
)


@dataclass(frozen=True, slots=True)
class RegistrationNumber:
    """A number. `valid` is the result of its check digits; None if it has none that are known."""

    kind: str
    number: str
    valid: bool | None = None


@dataclass(frozen=True, slots=True)
class NumberKind:
    kind: str
    pattern: Pattern
    confidence: float
    validate: Callable[[str], str] | None = None
    least_digits: int = 4


def _kind(
    kind: str,
    pattern: str,
    confidence: float,
    validate: Callable[[str], str] | None = None,
    *,
    exact: bool = False,
    least_digits: int = 4,
) -> NumberKind:
    # Formats with capitals are matched exactly: “che-123” in running text is no Swiss UID.
    if exact:
        flags = re.MULTILINE
    else:
        flags = re.MULTILINE | re.IGNORECASE
    return NumberKind(kind, Phrase(pattern, flags), confidence, validate, least_digits)


# What may stand between a label and its number: a remark in brackets, “of this company”, a
# translation, marks, a line break.
GAP = r"(?: ?\([^)\n]{1,20}\))?(?: of (?:the|this|said) [a-z ]{3,40}?)?(?: ?/[^\n]{3,40})?\s*(?:is|:|\.|#|-|—)*\s*[:#]?\s*"
VALUE = r"(?P<number>[A-Z]{0,4}[-/]?\d[\dA-Z]*(?:[-/.]\d[\dA-Z]*)*)(?![\w/-])"
# The words before “identification number” say that it is one of a tax office.
GENERIC = (
    r"(?<!\btax\s)(?<!\btaxpayer\s)(?<!\btaxpayer['\u2019]s\s)(?<!\bemployer\s)(?<!\bvat\s)(?<!\bgst\s)"
    r"\b(?:company|corporation|corporate|entity|business|registration|registered|file|filing|charter|control|"
    r"document|register|incorporation|identification|enterprise|organi[sz]ation|ubi|nzbn|dos|sos|rc|bn|llc)"
    r"(?:\s+(?:registration|reg\.?|identification|identity|id|file|control))?\s*(?:numbers?|no\b\.?|nr\b\.?|num\b\.?|#|id\b)"
)

KINDS = (
    _kind("NZBN", r"\bNZBN[\s.:]*(?P<number>94\d{11})\b", 0.95),
    _kind(
        "Kenyan company number",
        r"\b(?P<number>(?:PVT|CPR|LLP|PLC)[-/](?=[A-Z/]{0,11}\d)[A-Z0-9/]{5,12})\b",
        0.9,
        exact=True,
        least_digits=1,
    ),
    # Formats that only one register uses need no label.
    _kind("UID", r"\b(?P<number>CHE[- ]?\d{3}\.?\d{3}\.?\d{3})\b", 0.95, exact=True),
    _kind(
        "Unified Social Credit Code",
        r"\b(?P<number>9[1-3]\d{6}[0-9A-HJ-NP-RT-UW-Y]{10})\b",
        0.95,
        uscc.validate,
        exact=True,
    ),
    _kind("cégjegyzékszám", r"\b(?P<number>\d{2}-\d{2}-\d{6})\b", 0.93, exact=True),
    _kind(
        "number in the Registrul Comerțului",
        r"\b(?P<number>[JFC]\d{1,2}/\d{1,6}/(?:19|20)\d{2})\b",
        0.95,
        exact=True,
    ),
    _kind(
        "number in the register",
        r"\b(?:partida(?: electr[óo]nica| registral)?|matr[íi]cula(?: mercantil)?|folio (?:mercantil|real)(?: electr[óo]nico)?)"
        r"\s*(?:n[.°ºo]{0,2}|no\.|n[úu]m(?:ero)?\.?)?\s*[:.]?\s*(?P<number>\d[\d.-]{4,14})\b",
        0.9,
    ),
    _kind(
        "NIF",
        r"\b(?:N\.?I\.?F|C\.?I\.?F)\.?[\s:.nº°]{0,6}(?P<number>[A-HJ-NP-SUVW]-?\d{7}[\dA-J])\b",
        0.93,
        exact=True,
    ),
    _kind(
        "Vereinsregister", r"\b(?P<number>(?:VR|GnR|PR) ?\d{2,6})\b", 0.93, exact=True
    ),
    _kind("RNA number", r"\b(?P<number>W\d{9})\b", 0.93, exact=True),
    _kind(
        "RCCM number",
        r"\b(?P<number>[A-Z]{2}[-.][A-Z]{2,4}[-.][A-Z\d.-]{0,8}(?:19|20)\d{2}[-.][A-Z]\d{0,2}[-.]\d{2,6})\b",
        0.94,
        exact=True,
    ),
    _kind(
        "number in the register",
        # Not “registered for VAT”, and not an act or a trade mark.
        r"(?<!act.was.)(?<!act.is.)(?<!mark.was.)(?<!mark.is.)\bregist(?:er|ry|ered|rada|rado)\b(?:(?!\b(?:for|vat|tax|gst)\b)[^.;\n]){0,40}?\b(?:under|with|bajo|con|sob)(?: the| el)? (?:registration |company )?(?:number|no\.?|n[úu]mero)\s*(?P<number>[A-Z]{0,4}[-/ ]?\d[\d/-]{3,14})\b",
        0.93,
    ),
    _kind("Firmenbuch number", r"\b(?P<number>FN ?\d{5,6} ?[a-z])\b", 0.95, exact=True),
    _kind("CNPJ", r"\b(?P<number>\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2})\b", 0.95, exact=True),
    _kind(
        "enterprise number",
        r"(?<![\d.])(?P<number>[01]\d{3}\.\d{3}\.\d{3})(?![\d.])",
        0.92,
        exact=True,
    ),
    _kind("KRS number", r"\bKRS:? ?(?:nr\.?|numer)? ?:? ?(?P<number>0\d{9})\b", 0.95),
    _kind("CVR number", r"\bCVR[-. ]*(?:nr\.?|nummer)?[ .:]*(?P<number>\d{8})\b", 0.95),
    _kind(
        "codice fiscale",
        r"\b(?:codice fiscale|partita iva|p\. ?iva|numero di iscrizione|n\. ?iscr)[^\n\d]{0,50}(?P<number>\d{11})\b",
        0.93,
    ),
    _kind(
        "organisation number",
        r"\borg(?:anisations?)?\.?[- ]?(?:nr|nummer)\.?[ .:]*(?P<number>\d{6}-\d{4}|\d{3} ?\d{3} ?\d{3})\b",
        0.94,
    ),
    _kind(
        "company number",
        r"^(?:(?:uimhir|rhif|[^\x00-\x7f\n]{1,10}) )?(?:number|company no|no|id)\b[\s.:#]*(?P<number>[A-Z]{0,3}[- ]?\d[\d-]{4,14})$",
        0.85,
    ),
    _kind(
        "corporation number",
        r"^(?P<number>\d{6,10})\n(?:ontario )?corporation number\b",
        0.9,
    ),
    _kind(
        "company number",
        r", (?:number|no\.?) (?P<number>[A-Z]{0,2}\d{5,8}),? (?:is|was) (?:this day |duly )?(?:incorporated|registered|formed)\b",
        0.94,
    ),
    _kind("registry code", r"\bregistry code[\s.:]*(?P<number>\d{8})\b", 0.95),
    _kind(
        "register number",
        r"\b(?:CCI|CUI) (?:number|no\.?)[\s.:]*(?P<number>\d{6,10})\b",
        0.92,
    ),
    _kind(
        "Corporate Identity Number",
        r"\b(?P<number>[LUF]\d{5}[A-Z]{2}\d{4}[A-Z]{3}\d{6})\b",
        0.97,
        exact=True,
    ),
    _kind(
        "LLP Identification Number",
        r"LLP identification number[^\n]{0,10}?\s+(?P<number>[A-Z]{3}-\d{4})\b",
        0.96,
    ),
    _kind(
        "GSTIN",
        r"\b(?P<number>\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d])\b",
        0.96,
        gstin.validate,
        exact=True,
    ),
    _kind("Udyam", r"\b(?P<number>UDYAM-[A-Z]{2}-\d{2}-\d{7})\b", 0.96, exact=True),
    _kind(
        "EIN",
        r"(?:employer id(?:entification)?(?: number)?|\bEIN\b|federal tax id(?:entification)?(?: number)?|taxpayer identification number)[^\d\n]{0,24}\s?[^\d\n]{0,12}(?P<number>\d{2}-\d{7}|\d{9})\b",
        0.95,
        ein.validate,
    ),
    _kind(
        "company number",
        r"\bcompany (?:registration )?(?:number|no\.?)[\s.:]*(?P<number>(?:SC|NI|OC|SO|NC|R)?\d{5,8})\b",
        0.96,
    ),
    _kind(
        "UEN",
        r"\b(?:UEN|unique entity number|company no\.?|registration no\.?)[\s.:]*(?P<number>\d{8,9}[A-Z]|[TSR]\d{2}[A-Z]{2}\d{4}[A-Z])\b",
        0.95,
        uen.validate,
    ),
    _kind(
        "ACN",
        r"(?:australian company number|\bA\.?C\.?N\.?)[\s.:]*(?P<number>\d{3} ?\d{3} ?\d{3})\b",
        0.96,
        acn.validate,
    ),
    _kind(
        "SIREN",
        r"(?:\bSIREN\b|\bRCS\b[^\n\d]{0,30}|immatriculation[^\n\d]{0,40})[\s.:]*(?P<number>\d{3} ?\d{3} ?\d{3})\b",
        0.94,
        siren.validate,
    ),
    _kind(
        "IRD",
        r"\bIRD(?: number)?[\s.:]*(?P<number>\d{2,3}-?\d{3}-?\d{3})\b",
        0.9,
        ird.validate,
    ),
    _kind(
        "Handelsregister",
        r"\b(?P<number>HR[AB]\s?\d{2,6}(?:\s?[A-Z])?)\b",
        0.95,
        exact=True,
    ),
    _kind(
        "KvK number", r"\bkvk[- ]?(?:nummer|number)?[\s.:]*(?P<number>\d{8})\b", 0.95
    ),
    _kind(
        "RC number",
        r"\bRC[\s.:]*(?:number|no\.?)?[\s.:]*(?P<number>\d{5,8})\b",
        0.9,
        exact=True,
    ),
    _kind(
        "CIPC number",
        r"\b(?P<number>(?:19|20)\d{2} ?/ ?\d{6} ?/ ?\d{2})\b",
        0.96,
        exact=True,
    ),
    _kind(
        "VAT number",
        r"\bVAT (?:registration )?(?:number|no\.?)[^\d\n]{0,12}(?P<number>(?:GB)?\d{9})\b",
        0.94,
    ),
    _kind(
        "UBI number",
        r"\bUBI(?: number| no\.?)?[\s.:]*(?P<number>\d{3} ?-?\d{3} ?-?\d{3})\b",
        0.95,
    ),
    _kind("file number", rf"{GENERIC}{GAP}{VALUE}", 0.9),
    _kind(
        "company number",
        rf"\bnumber of (?:the|this|said) (?:company|corporation|entity|society|partnership) is:? {VALUE}",
        0.93,
    ),
    _kind("Y-tunnus", r"\b[\w-]*tunnus[ .:]*(?P<number>\d{7}-\d)\b", 0.95),
    _kind(
        "identification number",
        r"under the (?:identification|registration) number\s+(?P<number>\d{6,14})\b",
        0.95,
    ),
    _kind(
        "charter number",
        r"\bcharter (?:number|no\.?)[\s.:]*(?P<number>[A-Z]{0,3}\d{5,10})\b",
        0.94,
    ),
)
DELAWARE = re.compile(r"^(?P<number>\d{5,8})[ \t]+8\d{3}[A-Z]?\b", re.MULTILINE)
# “2018. gada 15. marts”, “DE 2026”: the beginning or the end of a date in words.
A_YEAR = re.compile(r"(?:DEL? ?)?(?:1[789]|20)\d\d", re.IGNORECASE)
LOOKS_LIKE_DATE = re.compile(
    r"^(?:\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2})$"
)


def is_year(number: str) -> bool:
    return bool(A_YEAR.fullmatch(number))


def find_registration_numbers(text: Text) -> list[ExtractedValue[RegistrationNumber]]:
    """Return all numbers, each once, the most trusted first.

    A number with wrong check digits is included, with `valid` False, so that the fraud check can
    report it.
    """
    numbers: dict[str, ExtractedValue[RegistrationNumber]] = {}
    for kind in KINDS:
        for match in kind.pattern.finditer(text.value):
            _keep(numbers, kind, match)
    # Delaware prints its file number at the start of a line in front of a form code, without a
    # label. The format alone would match too much, so the text must name the state.
    if "delaware" in text.folded:
        delaware = NumberKind("Delaware file number", DELAWARE, 0.93)
        for match in DELAWARE.finditer(text.value):
            _keep(numbers, delaware, match)
    for candidate in find_state_numbers(text):
        how = f"a line of its own, in the form of {candidate.state}: {candidate.form}"
        confidence = 0.9
        if candidate.read:
            how = f"read as “{candidate.read}”, which is not a number of {candidate.state}: those are {candidate.form}"
            confidence = 0.7
        number = RegistrationNumber(f"{candidate.state} number", candidate.number)
        numbers.setdefault(
            compact(candidate.number),
            ExtractedValue(number, candidate.span, how, confidence),
        )
    return sorted(numbers.values(), key=lambda item: -item.confidence)


def _keep(
    numbers: dict[str, ExtractedValue[RegistrationNumber]],
    kind: NumberKind,
    match: re.Match[str],
) -> None:
    number = re.sub(r"\s+", "", match["number"]).upper().rstrip("./-")
    digits = count_digits(number)
    # Too few digits are row numbers, and too many characters are several numbers that run together.
    if (
        digits < kind.least_digits
        or len(number) > 22
        or LOOKS_LIKE_DATE.match(number)
        or is_year(number)
    ):
        return
    key = compact(number)
    # The first kind that matched is kept. KINDS lists specific kinds before general ones of the
    # same format.
    if key in numbers:
        return
    # Zeros alone are a placeholder of a form.
    if not key:
        return
    how = f"labelled as {kind.kind}"
    valid: bool | None = None
    if kind.validate is not None:
        try:
            kind.validate(number)
            valid = True
            how += ", check digits right"
        except ValidationError:
            valid = False
    value = RegistrationNumber(kind.kind, number, valid)
    start, end = match.span("number")
    numbers[key] = ExtractedValue(value, Span(start, end), how, kind.confidence)


def compact(number: str) -> str:
    """Return the number without separators and leading zeros, for comparison.

    Registers print leading zeros, and people leave them out.
    """
    return re.sub(r"[^0-9A-Z]", "", number.upper()).lstrip("0")
