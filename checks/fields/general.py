"""General fields of a document, as functions for `Evidence.once`.

Each is read once and shared by all tools that examine the document.
"""

from __future__ import annotations

import re
from datetime import date

from checks.evidence import Evidence
from checks.fields import tunables
from checks.fields.dates import (
    DateOrder,
    FoundDate,
    find_dates,
    order_within,
    words_before,
)
from checks.fields.document_types import DocumentType, classify
from checks.fields.extracted import ExtractedValue
from checks.fields.jurisdictions import Jurisdiction, find_jurisdiction
from checks.fields.layout.label_cells import labels
from checks.fields.names.parties import is_of_party
from checks.fields.registration_numbers import (
    RegistrationNumber,
    find_registration_numbers,
)
from checks.fields.seats import find_seat
from checks.fields.tax_offices import TaxOffice, find_tax_office
from checks.text.folding import folded
from checks.text.phrases import Phrase

# Words before the document's own date, searched within `BEFORE` characters.
BEARING = Phrase(
    r"\b(?:given|done|(?P<label>date)|dated|witness whereof|testimony whereof|issued|signed|executed)\b"
)
# Words that make a date another date: it expires, is due, or is a date of birth.
NOT_ISSUED = Phrase(
    r"(?:expir|valid (?:until|to|till)|renew|due|birth|born|print(?:ed|ing)|revised|verif|effect|review"
    r"|appoint|matur|terminat|commenc|begin|start|\bend(?:s|ing)?\b|\bnext\b|\blast\b|\bprevious\b|\buntil\b|\btill\b|\bthrough\b"
    r"|later than|\bbefore\b|\bwithin\b|deliver|deadline|hearing|meeting)[^.;]{0,40}$"
)
# “date” may label any date. It labels the document's own date if one of these words belongs to it,
# as in “date of this notice” or “invoice date”.
OF_ITSELF = r"(?:this|the|issue|issuance|notice|letter|document|certificate|statement|bill|invoice|report|order|extract|signing|signature|execution|filing|filed|print)"
# “Date de la facture”, “date d'édition”: the same in French, where “date” is the same word.
OF_ITSELF_FRENCH = r"(?:(?:de )?(?:la |l['\u2019])|d[ue] |d['\u2019])?(?:facture|facturation|document|relev[ée]|rapport|extrait|avis|lettre|courrier|attestation|certificat|d[ée]livrance|[ée]mission|[ée]dition|[ée]tablissement|impression|signature|heure)"
DATE_OF_ANOTHER = Phrase(
    rf"^ of (?!{OF_ITSELF}\b)[a-z]|^ (?!{OF_ITSELF_FRENCH}\b)(?:d['\u2019]|d[eu] |des |et (?!heure)|limite )[a-zé]"
)
ANOTHER_DATE = re.compile(rf"(?!{OF_ITSELF}\s*$)\b[^\W\d_]{{2,}}[ \t]*$", re.IGNORECASE)
PARTICIPLES = frozenset({"dated", "signed", "executed", "issued"})
ANOTHER_PAPER = Phrase(
    r"\b(?<!this\s)(?<!present\s)(?:contract|agreement|lease|plat|declaration|resolution|your letter|minutes|judgment|mortgage"
    r"|policy|powers? of attorney|trust deed|deed of (?:trust|gift|assignment))\b[^.;]{0,160}$"
)
# “Date  Description  Amount”: the column headings of a table. The dates below them belong to its
# rows, and so does one with something before it in the row below the label.
HEADS = re.compile(rf"^[ \t]+(?!(?i:{OF_ITSELF})\b)[A-Z][^\n:]*\n|^[ \t]*\n[^\n]*\w")


def type_of(evidence: Evidence) -> ExtractedValue[DocumentType] | None:
    return classify(evidence.text)


def tax_office_of(evidence: Evidence) -> ExtractedValue[TaxOffice] | None:
    return find_tax_office(evidence.text)


def jurisdiction_of(evidence: Evidence) -> ExtractedValue[Jurisdiction] | None:
    return find_jurisdiction(evidence.text, is_of_party)


def seat_of(evidence: Evidence) -> ExtractedValue[Jurisdiction] | None:
    return find_seat(evidence.text)


def numbers_of(evidence: Evidence) -> list[ExtractedValue[RegistrationNumber]]:
    return find_registration_numbers(evidence.text)


def dates_of(evidence: Evidence) -> list[FoundDate]:
    """Return every date of the text, with the order of day and month of the document.

    What the callers look for has happened, so a year of two digits is one of the past: a company
    was formed in 1945, and not in 2045.
    """
    order = evidence.once(date_order_of)
    return find_dates(evidence.text.value, order, evidence.today)


def date_order_of(evidence: Evidence) -> DateOrder:
    """Return the order of day and month: that of the jurisdiction, else that of the clear dates of the text."""
    place = evidence.once(jurisdiction_of)
    order: DateOrder = ""
    if place:
        order = place.value.date_order
    if order in {"DMY", "MDY"}:
        return order
    return order_within(evidence.text.value) or order


def issue_date_of(evidence: Evidence) -> ExtractedValue[date] | None:
    """Return the date that the document itself bears: when it was given, dated or signed."""
    value = evidence.text.value
    facts = evidence.once(dates_of)
    # A document is dated and signed at its end, so that the last match counts.
    for index in reversed(range(len(facts))):
        fact = facts[index]
        if not fact.value:
            continue
        start = fact.span.start
        distance = tunables.BEFORE
        if index:
            distance = start - facts[index - 1].span.start
        if _bears(words_before(value, start, tunables.BEFORE), distance):
            how = "the date that the document bears"
            return ExtractedValue(fact.value, fact.span, how, 0.8)
    return None


def _bears(before: str, earlier: int) -> bool:
    """Whether the words before a date say that it is the document's own date.

    `earlier` is the number of characters between this date and the date before it. Words farther
    away belong to that earlier date.
    """
    cues = list(BEARING.finditer(before))
    if not cues:
        return False
    cue = cues[-1]
    if len(before) - cue.start() > earlier:
        return False
    # “… under that certain supply contract between Alfa and Beta dated 3 May”: the day of another
    # paper, unless it is this one.
    if cue[0].lower() in PARTICIPLES and _names_another_paper(before[: cue.start()]):
        return False
    behind = before[cue.end() :]
    # A sentence that ends between the word and the date separates them.
    if "." in behind or ";" in behind or NOT_ISSUED.search(before):
        return False
    if not cue["label"]:
        return True
    _, _, head = before[: cue.start()].rpartition("\n")
    # “Renewal date 3 May” is another date. A word in front of a colon is a label with its own
    # value, and says nothing about this date.
    if ":" not in head and ANOTHER_DATE.search(head):
        return False
    if _ends_with_label_of_date(head):
        return False
    return not (DATE_OF_ANOTHER.search(behind) or HEADS.search(behind))


def _ends_with_label_of_date(head: str) -> bool:
    """Whether the words before “date” make it a label of the table: “UEN : 2017 Incorporation Date”."""
    words = head.split()
    for count in range(1, 4):
        label = folded(" ".join([*words[-count:], "date"]))
        if labels().get(label) == "date":
            return True
    return False


def _names_another_paper(before: str) -> bool:
    """Whether the sentence speaks of a contract or the like. One that begins with it is its own title."""
    paper = ANOTHER_PAPER.search(before)
    if not paper:
        return False
    sentence = re.split(r"[.;\n]", before[: paper.start()])[-1]
    return bool(sentence.strip())
