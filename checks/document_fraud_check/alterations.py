"""Was a fact altered? What was to be read, beside what is to be read in its place.

A template's own words, a number of the page, the same words once more: to hide them alters
nothing that the document says. All else that was legible counts as a fact.
"""

from __future__ import annotations

import re
from collections import Counter

from checks.base import Change
from checks.document_fraud_check import tunables

# The words of labels and instructions of forms. What consists of them alone is no fact.
LABELS = frozenset(
    """
    a about above account address affix agent amount and applicant application approved as at
    attach attested authorised authorized authority bank be below bill birth block box branch by
    capitals case cell certificate certified certify chairman check city clerk client code
    commissioner company completed contact copy corporate corporation country county customer
    date dated day deputy description designation details director district document draft
    duplicate e-mail email enter entity executive fax fee field file filed filing fill first for
    form full given here holder if in incorporated incorporation incorporator initials insert
    invoice issue issued issuer item judge last leave left letter line list mail manager mark
    member minister mobile month name nature no note number of office officer official on only
    optional or order organisation organization original owner p page paid party phone photo
    place please post postal postcode preliminary president price print printed proof
    proprietor province receipt received recorded recorder reference ref region register
    registered registrar registration registry representative required right round row run
    sample schedule seal secretary section see serial service sheet sign signatory signature
    signed specimen stamp state status street subject surname table tax telephone template text
    the this title to total treasurer type typed unsigned use valid value version website
    witness write year you your zip
    """.split()  # noqa: SIM905 - a list of words is read as one
)
# Nothing but rules, crosses or noughts, where a value belongs.
FILLER = re.compile(r"^[\W_xX0#]+$")
# Days, months and years, as forms ask for them in several languages: DD/MM/YYYY, jj.mm.aaaa.
DATE_FORM = re.compile(r"^[DMYJATGdmyjatg\s./-]{4,12}$")
BRACKETED = re.compile(r"^\W*[\[{<«]|^\W*[$%][{(\w]|[\]}>»]\W*$")
PAGE_NUMBER = re.compile(
    r"^\W*(?:page|pag\.?|p\.|seite|página|folio)\W*\d{1,4}(?:\W*(?:of|/|de|von|sur)\W*\d{1,4})?\W*$",
    re.IGNORECASE,
)
# Without that word it is one at the edge of a page alone: elsewhere 3/64 is a house, or a share.
BARE_PAGE_NUMBER = re.compile(
    r"^\W*(?:[1-9]\d{0,3}\W*(?:of|/|de|von|sur)\W*[1-9]\d{0,3}|-\W*\d{1,4}\W*-)\W*$",
    re.IGNORECASE,
)
# With its points and strokes: 10,000.00 and 12/31/2019.
WHOLE_NUMBER = re.compile(r"\d(?:[\d.,/'-]*\d)?")


def alters(change: Change) -> bool:
    """Was something that the document says replaced or taken away?"""
    if sum(map(str.isalnum, change.before)) < tunables.LEGIBLE:
        return False
    if says_the_same(change.before, change.after) or is_of_the_form(change.before):
        return False
    return not _renumbers(change)


def _renumbers(change: Change) -> bool:
    """Was the number of a page taken away, or replaced by another one, at the edge of the page?"""
    if not change.boxes or not BARE_PAGE_NUMBER.search(change.before):
        return False
    for box in change.boxes:
        if box.y1 > tunables.PAGE_EDGE and box.y0 < 1 - tunables.PAGE_EDGE:
            return False
    if not change.after.strip():
        return True
    return bool(BARE_PAGE_NUMBER.search(change.after))


def says_the_same(before: str, after: str) -> bool:
    """Is all that was to be read still to be read, in another order or beside other words?"""
    if not bare(before):
        return True
    # Numbers come first: as letters alone, 10,000 stands in 100,000.
    if _numbers(before) - _numbers(after):
        return False
    return bare(before) in bare(after) or not _words(before) - _words(after)


def is_of_the_form(text: str) -> bool:
    """Is this a template's own: a placeholder, a label, an instruction, the number of a page?"""
    stripped = text.strip()
    for pattern in (FILLER, DATE_FORM, PAGE_NUMBER):
        if pattern.search(stripped):
            return True
    # A digit may be a value, whatever words stand beside it.
    if any(map(str.isdigit, stripped)):
        return False
    words = re.findall(r"[^\W\d_][^\W\d_'-]*", stripped)
    if len(words) > tunables.LABEL_WORDS:
        return False
    if BRACKETED.search(stripped) or stripped.endswith(":"):
        return True
    return bool(words) and all(map(_is_label, words))


def _is_label(word: str) -> bool:
    """A word of labels, or the part of one that a shape leaves uncovered."""
    folded = word.casefold()
    singular = folded.removesuffix("'s").removesuffix("s")
    if folded in LABELS or singular in LABELS:
        return True
    if len(folded) < tunables.SHORTEST_PART:
        return False
    for label in LABELS:
        if len(label) < tunables.SHORTEST_CUT_LABEL:
            continue
        if label.startswith(folded) or label.endswith(folded):
            return True
    return False


def bare(text: str) -> str:
    """The letters and digits alone."""
    return re.sub(r"[\W_]", "", text).casefold()


def _numbers(text: str) -> Counter[str]:
    """The numbers whole: 10,000 does not stand in 100,000."""
    return Counter(map(bare, WHOLE_NUMBER.findall(text)))


def _words(text: str) -> Counter[str]:
    return Counter(filter(None, map(bare, text.split())))
