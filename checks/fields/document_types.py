"""What kind of document this is, by its words; words of the title count more."""

from __future__ import annotations

import re
from dataclasses import dataclass

from checks.fields.found import Found
from checks.text import Span, Text, phrase

TITLE, HEAD = 500, 4000
TITLE_BONUS = 4
MIN_WEIGHT = 4


@dataclass(frozen=True, slots=True)
class DocumentType:
    code: str
    name: str
    keywords: tuple[tuple[re.Pattern[str], int], ...]


def _type(code: str, name: str, *keywords: tuple[str, int]) -> DocumentType:
    return DocumentType(code, name, tuple((phrase(words), weight) for words, weight in keywords))


TYPES = (
    _type(
        "certificate_of_incorporation",
        "a certificate of incorporation",
        (
            r"certificat(?:e|ion) of (?:incorporation|formation|organi[sz]ation|registration of (?:a )?(?:company|corporation)|filing|limited partnership|existence|status|good standing|fact)",
            5,
        ),
        (r"hereby certif(?:y|ies)|do hereby (?:certify|issue)|this is to certify", 2),
        (
            r"registrar (?:general|of (?:companies|corporations|corporate affairs))|secretary of (?:the )?state",
            2,
        ),
        (r"(?:is|was|has been)(?: this day| duly)? (?:incorporated|organi[sz]ed|formed)", 4),
        (
            r"extrait kbis|extrait du registre|registration certificate|certificate (?:confirming|of confirmation of) incorporation|handelsregister|registro mercantil|business register(?: extract)?|registry card",
            5,
        ),
    ),
    _type(
        "articles_of_incorporation",
        "articles of incorporation",
        (
            r"(?:articles?|memorandum) of (?:incorporation|organi[sz]ation|association|amendment)|\bconstitution of|定\s*款",
            4,
        ),
        (r"registered agent|incorporators?\b|subscribers?\b|agent for service of process", 2),
        (r"\barticle (?:i|ii|1|one)\b", 2),
    ),
    _type("bylaws", "bylaws", (r"\bby-?laws\b", 3), (r"operating agreement", 4)),
    _type(
        "ein_letter",
        "an EIN letter of the IRS",
        (r"employer identification number", 3),
        (r"cp ?575|147c|form:? ?ss-4", 5),
        (r"we assigned you", 3),
    ),
    _type(
        "irs_determination_letter",
        "a determination letter of the IRS",
        (r"exempt (?:from federal income tax|status)", 3),
        (r"letter 947|501\(c\) ?\(3\)", 2),
        (r"dear applicant", 3),
    ),
    _type(
        "tax_registration",
        "a tax registration",
        (r"vat registration number|goods and services tax|tax registration certificate", 4),
        (r"vat certificate|form gst reg", 4),
    ),
    _type(
        "bank_statement",
        "a bank statement",
        (
            r"account statement|bank statement|statement period|(?:beginning|opening|closing) (?:account )?balance",
            4,
        ),
        (r"checking account|withdrawals|deposits", 2),
    ),
    _type(
        "utility_bill",
        "a utility bill",
        (
            r"billing statement|utility bill|service address|meter reading|kwh|water service|electricity bill",
            3,
        ),
        (r"due date|amount due|service period|billing date", 2),
    ),
    _type(
        "an invoice",
        "invoice",
        (r"\binvoice (?:number|no|date)|tax invoice", 5),
        (r"total (?:due|amount)", 2),
    ),
    _type(
        "business_licence",
        "a licence or registration of an activity",
        (r"\blicen[cs]e\b|accredited|enrol?ment number|waste carrier|udyam registration", 3),
        (r"certificate of registration", 3),
    ),
)
INCORPORATION = frozenset({"certificate_of_incorporation", "articles_of_incorporation"})


def classify(text: Text) -> Found[DocumentType] | None:
    """The type with the most weight, or None where too little speaks for any."""
    head = text.value[:HEAD]
    scored = [_score(kind, head) for kind in TYPES]
    best = max(scored, key=lambda item: item[0])
    if best[0] < MIN_WEIGHT or best[2] is None:
        return None
    second = max((score for score, kind, _ in scored if kind is not best[1]), default=0)
    certainty = min(0.55 + 0.05 * (best[0] - second), 0.97)
    return Found(best[1], best[2], "words of its title and text", certainty)


def _score(kind: DocumentType, head: str) -> tuple[int, DocumentType, Span | None]:
    score, first = 0, None
    for index, (pattern, weight) in enumerate(kind.keywords):
        matches = list(pattern.finditer(head))
        score += weight * min(len(matches), 2)
        if matches:
            first = first or Span(*matches[0].span())
            if index == 0 and matches[0].start() < TITLE:
                score += TITLE_BONUS
    return score, kind, first
