"""Indicators that compare facts of a document that must agree."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from rapidfuzz import fuzz

from checks.base import Change
from checks.data import table
from checks.document_fraud_check import tunables
from checks.document_fraud_check.alterations import bare
from checks.document_fraud_check.facts import codes_of, info_if_by_ocr
from checks.document_fraud_check.rules import (
    Finding,
    IndicatorResult,
    indicator,
    quoted,
)
from checks.evidence import Evidence
from checks.fields.document_types import OF_REGISTER
from checks.fields.general import dates_of, numbers_of, type_of
from checks.text.characters import count_digits
from checks.text.folding import folded
from checks.text.words import Span

if TYPE_CHECKING:
    from checks.vision.codes import Code

# Where a number contains the year in which it was issued.
YEARS = {
    "Corporate Identity Number": re.compile(r"^[LUF]\d{5}[A-Z]{2}(\d{4})"),
    "CIPC number": re.compile(r"^(\d{4})/"),
    "UEN": re.compile(r"^((?:19|20)\d{2})\d{5}[A-Z]$"),
}
# Only the first two digits of an EIN follow a rule, which most invented numbers keep.
WITHOUT_CHECK_DIGITS = frozenset({"EIN"})
# English words within the keys of programs. Whole keys of other languages are in checks/data/form_words.csv.
NAMED = re.compile(r"name|company|business|entity|legal", re.IGNORECASE)
# Only these members of a URL or a JSON object must be in the text. Others need not be: a token for
# looking the document up, or the name of a signing service.
COMPANY_NAME = re.compile(
    r"(?:company|business|entity|legal|firm|corporate|registered)[\W_]*name",
    re.IGNORECASE,
)
COMPANY_NUMBER = re.compile(
    r"(?:^|[^a-z])(?:rc|cin|bn|crn|ein)(?:[\W_]*(?:no|nr|num|number))?$"
    r"|(?:reg(?:istration)?|company)[\W_]*(?:no|nr|num|number)$",
    re.IGNORECASE,
)
# “razonSocial” is two words.
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
PLAIN = re.compile(r"[A-Z0-9]{6,24}")
# A number behind the word IBAN on its line, in groups or in one piece, perhaps with words behind it.
# The longest has 34 characters.
IBAN = re.compile(r"\bIBAN\b[^A-Z0-9]{0,12}([A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){1,40})")


@indicator("TRUST", "cross-check")
def number_checksum_ok(evidence: Evidence) -> IndicatorResult:
    """The check digits of a registration number are right.

    The number keeps the rule by which its issuer gives numbers, so that a slip of the pen or an
    invented number would most likely show.

    Found: the published rule of the kind of number that its label names.

    Does not prove: that the number was given to this company, or to anybody.
    """
    for fact in evidence.once(numbers_of):
        number = fact.value
        if number.kind in WITHOUT_CHECK_DIGITS:
            continue
        if number.valid:
            description = f"{number.kind} {number.number} keeps the rule of its issuer."
            return Finding(description, evidence.text.boxes(fact.span), number.number)
    return None


@indicator("RISK", "cross-check")
def number_checksum_bad(evidence: Evidence) -> IndicatorResult:
    """The check digits of a registration number are wrong.

    A number with a clear label breaks the rule by which its issuer gives numbers.

    Found: the published rule of the kind of number that its label names.

    Innocent explanations: another kind of number under the same label. Where OCR read the number,
    it is an INFO: a digit may have been read wrongly.
    """
    for fact in evidence.once(numbers_of):
        number = fact.value
        # None means that no rule is known for this kind of number.
        if number.valid is False:
            return Finding(
                f"{number.kind} {number.number} breaks the rule of its issuer.",
                evidence.text.boxes(fact.span),
                number.number,
                type=info_if_by_ocr(evidence, fact.span),
            )
    return None


@indicator("RISK", "cross-check")
def iban_checksum_bad(evidence: Evidence) -> IndicatorResult:
    """The check digits of a bank account number are wrong.

    A number behind the word IBAN has the form of its country, and its two check digits do not
    follow from the others. No bank has such an account: a digit was changed, or the number was
    invented.

    Found: the published form of the numbers of each country, and the rule of ISO 13616.

    Innocent explanations: a slip of whoever typed the number. Where OCR read it, it is an INFO: a
    digit may have been read wrongly.
    """
    for line, line_span in evidence.text.lines():
        for match in IBAN.finditer(line):
            length = _length_of_wrong(match[1])
            if not length:
                continue
            start = line_span.start + match.start(1)
            span = Span(start, start + length)
            number = match[1][:length]
            return Finding(
                f"The check digits of IBAN {number} do not follow from its other digits.",
                evidence.text.boxes(span),
                number,
                type=info_if_by_ocr(evidence, span),
            )
    return None


def _length_of_wrong(text: str) -> int:
    """Return where a number ends that would be an IBAN with other check digits; 0 if none begins the
    text.

    Each country has numbers of one length and form. So a number that was cut off is no fault.
    """
    from stdnum import iban

    for word in re.finditer(r"\S+", text):
        number = text[: word.end()].replace(" ", "")
        right = number[:2] + iban.calc_check_digits(number) + number[4:]
        if right != number and iban.is_valid(right, check_country=False):
            return word.end()
    return 0


@indicator("RISK", "cross-check")
def number_encodes_conflict(evidence: Evidence) -> IndicatorResult:
    """A registration number contradicts the dates of the document.

    The number states the year in which the company was registered, and no date of the certificate
    is of that year.

    Found: for kinds of numbers that carry a year (India's CIN, South Africa's, Singapore's), the
    year, against every date of the text. Certificates of incorporation and extracts only.

    Innocent explanations: a company that was registered elsewhere before, or a date that could
    not be read. Where OCR read the number, it is an INFO.
    """
    kind = evidence.once(type_of)
    # A year in the number can only contradict a document that states the date of registration.
    if not kind or kind.value.code not in OF_REGISTER:
        return None
    # Any date of the text may be that of the registration, so one equal year is enough.
    years = set()
    for day in evidence.once(dates_of):
        if day.value:
            years.add(day.value.year)
    if not years:
        return None
    for fact in evidence.once(numbers_of):
        number = fact.value
        year = _year_in(number.kind, number.number)
        if year and int(year) not in years:
            return Finding(
                f"{number.kind} {number.number} is of {year}; the dates are not.",
                evidence.text.boxes(fact.span),
                number.number,
                type=info_if_by_ocr(evidence, fact.span),
            )
    return None


def _year_in(kind: str, number: str) -> str:
    """Return the year that a number of this kind contains; empty if it has none."""
    pattern = YEARS.get(kind)
    match = pattern.match(number) if pattern else None
    return match[1] if match else ""


@indicator("TRUST", "cross-check")
def qr_matches_text(evidence: Evidence) -> IndicatorResult:
    """A code on the page says what the text says.

    A bar code or QR code holds a number or a name that the text has, too. Who edits the text
    tends to leave the code.

    Found: the codes are decoded, and what they hold is looked for in the text.

    Does not prove: that the issuer made the code. Anybody can; open the address that it holds only
    if it is that of the register.
    """
    text = bare(evidence.text.value)
    for code in evidence.once(codes_of):
        for fact in _facts(code):
            if bare(fact) in text:
                description = f"The {code.format} holds {quoted(fact)}, as the text."
                return Finding(description, [code.box], code.text)
    return None


@indicator("RISK", "cross-check", strong=True)
def qr_conflicts(evidence: Evidence) -> IndicatorResult:
    """A code on the page contradicts the text.

    A bar code or QR code holds another number or name than the text: the one of the two was
    changed and the other was not.

    Found: the codes are decoded. A number in one that differs from a registration number of the
    text in one or two places contradicts it; so does a value that the code itself calls the name
    of the company, where the text has no name like it, or the number of the company, where the text
    has another one of that length. Other names and numbers of a code, such as the token under which
    a document is looked up, need not stand in the text. What OCR read is never held against a code
    with certainty: the sign is weak then.

    Innocent explanations: a code for another purpose (a tracking number, a form's number) that
    happens to be alike; a company that has changed its name since.
    """
    text = bare(evidence.text.value)
    if not text:
        return None
    for code in evidence.once(codes_of):
        change = _contradiction(evidence, code, text)
        if change:
            code_part = quoted(change.before)
            return Finding(
                f"The {code.format} holds {code_part}, the text {quoted(change.after)}.",
                [code.box, *change.boxes],
                code.text,
                strong=not _uses_ocr(evidence),
                changes=[change],
            )
    return None


def _uses_ocr(evidence: Evidence) -> bool:
    for page in evidence.pages:
        if any(word.source == "OCR" for word in page.words):
            return True
    return False


def _contradiction(evidence: Evidence, code: Code, text: str) -> Change | None:
    """Return what a code has and what the text has instead; None if they agree."""
    change = next(_other_names(code, text), None)
    if change:
        return change
    # If one fact agrees, the code belongs to this document, and its other numbers may mean
    # anything.
    for fact in _facts(code):
        if bare(fact) in text:
            return None
    return next(_other_numbers(evidence, code), None)


def _other_names(code: Code, text: str) -> Iterator[Change]:
    for key, value in _members(code.text):
        name = bare(value)
        # Short values are codes and abbreviations, which the text need not contain.
        if not COMPANY_NAME.search(key) or len(name) < tunables.MIN_DIGITS:
            continue
        if fuzz.partial_ratio(name, text[: tunables.MAX_TEXT]) < tunables.SAME_NAME:
            yield Change(code.box.page, f"{key}: {value}", "no name like it")


def _other_numbers(evidence: Evidence, code: Code) -> Iterator[Change]:
    numbers = evidence.once(numbers_of)
    page = code.box.page
    for value in _facts(code):
        for fact in numbers:
            number = fact.value.number
            # A number that differs in one or two digits was edited on one side. A completely
            # different number is another number.
            if _is_slip(bare(value), bare(number)):
                yield Change(page, value, number, evidence.text.boxes(fact.span))
    for key, value in _members(code.text):
        if not COMPANY_NUMBER.search(key) or not _is_number(value):
            continue
        for fact in numbers:
            number = fact.value.number
            if len(bare(number)) == len(bare(value)):
                boxes = evidence.text.boxes(fact.span)
                yield Change(page, f"{key}: {value}", number, boxes)


def _is_slip(first: str, other: str) -> bool:
    """Whether two numbers have the same length and differ in one or two places."""
    if len(first) != len(other) or len(first) < tunables.SHORTEST_NUMBER:
        return False
    differences = sum(a != b for a, b in zip(first, other, strict=True))
    return 0 < differences <= tunables.SLIPS


def _facts(code: Code) -> list[str]:
    """Return the facts of a code that a text could have, too: numbers, and values that it calls a
    name.
    """
    # A code without members is plain text, such as a bare number.
    members = list(_members(code.text))
    if not members:
        numbers = list(filter(_is_number, PLAIN.findall(code.text.upper())))
        # Some registers put letters around a number: N09089904Q.
        return numbers + re.findall(r"\d{6,14}", code.text)
    names = []
    numbers = []
    for key, value in members:
        if is_key_of_name(key) and len(value) >= tunables.SHORTEST_NAME:
            names.append(value)
        if _is_number(value):
            numbers.append(value)
    return names + numbers


@cache
def _keys_of_names() -> frozenset[str]:
    keys: set[str] = set()
    for row in table("form_words"):
        if row["kind"] == "name_key":
            keys.update(map(folded, row["words"].split("|")))
    # Of a script that it does not know `folded` leaves nothing.
    return frozenset(keys - {""})


def is_key_of_name(key: str) -> bool:
    """Whether the key of a code is that of a name: “companyName”, “razonSocial”, “nazwa”."""
    if NAMED.search(key):
        return True
    apart = folded(CAMEL.sub(" ", key).replace("_", " "))
    return apart in _keys_of_names() or folded(key) in _keys_of_names()


def _is_number(value: str) -> bool:
    if not PLAIN.fullmatch(value.upper()):
        return False
    return count_digits(value) >= tunables.MIN_DIGITS


def _members(content: str) -> Iterator[tuple[str, str]]:
    """Yield names and values of a code that has a JSON object or a URL."""
    if content.lstrip().startswith("{"):
        yield from _members_of_json(content)
    # The scheme of a URL is short. Farther behind, “://” is part of a text.
    elif "://" in content[:12]:
        yield from _members_of_url(content.strip())


def _members_of_url(url: str) -> Iterator[tuple[str, str]]:
    try:
        parts = urlsplit(url)
    except ValueError:
        # Anybody can print a code: “http://[” is no URL.
        return
    yield from parse_qsl(parts.query)
    for step in parts.path.split("/"):
        if step:
            yield "path", step


def _members_of_json(content: str) -> Iterator[tuple[str, str]]:
    try:
        members: object = json.loads(content)
    except (ValueError, RecursionError):
        return
    if isinstance(members, dict):
        for key, value in members.items():
            yield str(key), str(value).strip()
