"""Pages of one form: printed with the same fixed words, and filled in with other names.

A page becomes a few short marks, made of its words without the places of the words. So they survive
a save, a crop, and most mistakes of OCR after printing and scanning. Two pages of one form share
several marks. Two other pages share at most one by chance.

The marks are those of the method MinHash: the least of many digests of a word, in groups.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from checks.document_fraud_check import tunables
from checks.document_fraud_check.alterations import bare
from checks.document_fraud_check.content.fingerprints import Earlier, Fingerprint
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.text.plurals import counted
from checks.text.words import Page

FORM = "form"


def marks_of(pages: Sequence[Page]) -> list[Fingerprint]:
    """Return the marks of the first page; none if it has too few words."""
    for page in pages[:1]:
        words = _fixed_words(page)
        if len(words) >= tunables.FORM_WORDS:
            return [Fingerprint(FORM, mark) for mark in _marks(words)]
    return []


def _fixed_words(page: Page) -> set[str]:
    """Return the words that a form may have printed: letters alone, and not too short.

    Numbers and dates are filled in, and short words are on every page.
    """
    words = set()
    for word in page.words:
        letters = bare(word.text)
        if len(letters) >= tunables.FORM_LETTERS and letters.isalpha():
            words.add(letters)
    return words


def _marks(words: set[str]) -> list[str]:
    digests = []
    for word in words:
        digest = hashlib.sha256(word.encode("utf-8", "replace")).digest()
        digests.append(int.from_bytes(digest[:8], "big") % tunables.FORM_PRIME)
    marks = []
    for group in range(tunables.FORM_MARKS):
        least = []
        for row in range(tunables.FORM_ROWS):
            # Each order needs two numbers that do not depend on the page.
            order = hashlib.sha256(f"{group}.{row}".encode()).digest()
            factor = int.from_bytes(order[:7], "big") | 1
            offset = int.from_bytes(order[8:15], "big")
            least.append(
                min((factor * word + offset) % tunables.FORM_PRIME for word in digests)
            )
        text = f"{group}:{least}"
        marks.append(hashlib.sha256(text.encode()).hexdigest()[:16])
    return marks


def is_shared(marks: int) -> bool:
    """Whether two pages with so many marks in common are of one form."""
    return marks >= tunables.FORM_SHARED


def is_of_issuer(subjects: int) -> bool:
    """Whether so many other subjects have the form that it is an issuer's own."""
    return subjects > tunables.FORM_OF_ISSUER


@indicator("INFO", "network")
def same_form_in_other_case(earlier: Sequence[Earlier]) -> IndicatorResult:
    """A page has the form of documents in other cases.

    Its fixed words are those of a document of another subject, while names and numbers differ. An
    issuer's own form does that, and so does a forger who fills in one template many times. Compare
    the documents: what should differ between them, as numbers, dates and signatures, must differ.

    Found: a few digests of the words of the first page, without numbers, looked up among the
    documents of the same account. They survive a save, a crop, and printing and scanning. Pages
    with few words have none. A form that many subjects have is taken for its issuer's own, and is
    not reported any more.

    Innocent explanations: both are of one issuer, which is the rule and not the exception; both were
    made with a model text that is public.
    """
    if not earlier:
        return None
    case_ids = list(dict.fromkeys(document.case_id for document in earlier))
    names = ", ".join(case_ids[: tunables.MOST_CASES])
    more = len(case_ids) - tunables.MOST_CASES
    if more > 0:
        names += f" and {more} more"
    rows = []
    for one in earlier[: tunables.MAX_ROWS]:
        rows.append(f"{one.case_id} {one.seen_at}")
    return Finding(
        f"In {counted(len(case_ids), 'case')} of another subject ({names}): a page of the same form.",
        raw="\n".join(rows),
    )
