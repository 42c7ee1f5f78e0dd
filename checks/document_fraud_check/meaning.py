"""Sentences for strong indicators. Only indicators of an edit are called "editing"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from checks.base import Indicator
from checks.document_fraud_check import tunables
from checks.text.plurals import counted
from checks.wire import JsonObject

YEAR = re.compile(r"(?:1[89]|20)\d{2}")


@dataclass(frozen=True, slots=True)
class Meaning:
    """The predicate for one document and for several."""

    singular: str
    plural: str


EDITED = Meaning("shows strong signs of editing", "show strong signs of editing")
EDITS = ("revisions", "overlay", "text layer", "signature", "image")
OTHERS: Mapping[str, Meaning] = {
    "network": Meaning(
        "was already submitted in another case", "were already submitted in other cases"
    ),
    "content": Meaning(
        "looks like a sample or a template", "look like samples or templates"
    ),
    "cross-check": Meaning("contradicts its own codes", "contradict their own codes"),
}
NOT_GENUINE = Meaning(
    "shows a strong sign that it is not genuine",
    "show strong signs that they are not genuine",
)


def of_document(indicators: Sequence[Indicator]) -> str:
    """Return what the strong indicators say about one document; empty if there are none."""
    categories = []
    changes: list[tuple[str, str]] = []
    for sign in indicators:
        if sign.type != "RISK" or not sign.strong:
            continue
        categories.append(sign.category)
        if sign.category in EDITS:
            changes.extend((change.before, change.after) for change in sign.changes)
    edits = edits_in_words(changes)
    meanings = _meanings(categories, apart_from_edits=bool(edits))
    sentences = []
    if edits:
        sentences.append(f"This document was edited: {edits}.")
    if meanings:
        predicates = " and ".join(meaning.singular for meaning in meanings)
        sentences.append(f"The document {predicates}.")
    return " ".join(sentences)


def of_documents(
    verifications: Sequence[JsonObject], count: int, names: Sequence[str] = ()
) -> str:
    """Return what the strong indicators of several payloads say, among `count` documents.

    `names` are the file names of those documents, in the same order. If it is known what an edit
    changed, the words before and after are quoted.
    """
    sentences: list[str] = []
    # Counts for each meaning how many documents have it. A document counts once for each meaning.
    tally: Counter[Meaning] = Counter()
    for number, verification in enumerate(verifications):
        signs = strong_signs(verification)
        edits = edits_in_words(_changes(signs))
        if edits:
            subject = _subject(number, count, names)
            sentences.append(f"{subject} was edited: {edits}.")
        categories = [sign["category"] for sign in signs]
        tally.update(_meanings(categories, apart_from_edits=bool(edits)))
    for meaning, number in tally.items():
        predicate = meaning.singular if number == 1 else meaning.plural
        if count == 1:
            of_all = "The document"
        else:
            of_all = f"{number} of {count} documents"
        sentences.append(f"{of_all} {predicate}.")
    # For a single document, also quote the descriptions of signs that have no words before and
    # after.
    if len(verifications) == 1:
        for sign in strong_signs(verifications[0]):
            if not _changes([sign]):
                sentences.append(str(sign["description"]))
    return " ".join(sentences)


def _subject(number: int, count: int, names: Sequence[str]) -> str:
    """Return the subject of a sentence for the document with this index, among `count`
    documents.
    """
    if count == 1:
        return "This document"
    if number < len(names) and names[number]:
        return names[number]
    return "A document"


def edits_in_words(changes: Iterable[tuple[str, str]]) -> str:
    """Return what was changed, hidden or added: “the year was 2015, now 2009”.

    Empty if nothing is known.
    """
    distinct = list(dict.fromkeys(filter(any, changes)))
    words = []
    for before, after in distinct[: tunables.MOST_EDITS]:
        words.append(_edit(before, after))
    more = len(distinct) - tunables.MOST_EDITS
    if more > 0:
        words.append(counted(more, "more change"))
    return "; ".join(words)


def _edit(before: str, after: str) -> str:
    # A changed year has its own sentence, because it changes the age of the company.
    if YEAR.fullmatch(before) and YEAR.fullmatch(after):
        return f"the year was {before}, now {after}"
    before = shortened(before)
    after = shortened(after)
    if not before:
        return f"“{after}” was added"
    if after:
        return f"“{before}” is now “{after}”"
    return f"“{before}” is hidden"


def _changes(signs: Iterable[JsonObject]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for sign in signs:
        if sign["category"] not in EDITS:
            continue
        for change in sign.get("changes") or []:
            before = str(change.get("before") or "")
            after = str(change.get("after") or "")
            pairs.append((before, after))
    return pairs


def shortened(text: str) -> str:
    plain = " ".join(text.split())
    if len(plain) <= tunables.LONGEST_QUOTE:
        return plain
    return f"{plain[: tunables.LONGEST_QUOTE]}…"


def strong_signs(verification: JsonObject) -> list[JsonObject]:
    """Return the strong RISK indicators of a payload."""
    indicators = verification.get("verification_data") or []
    signs: list[JsonObject] = []
    for sign in indicators:
        if sign["type"] == "RISK" and sign["strong"]:
            signs.append(sign)
    return signs


def _meanings(categories: Iterable[str], *, apart_from_edits: bool) -> list[Meaning]:
    """Return each meaning of these categories once.

    Edits may be left out if they were quoted already.
    """
    meanings: dict[Meaning, None] = {}
    for category in categories:
        if category not in EDITS:
            meanings[OTHERS.get(category, NOT_GENUINE)] = None
        elif not apart_from_edits:
            meanings[EDITED] = None
    return list(meanings)
