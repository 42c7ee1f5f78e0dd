"""What strong signs say of a document, in words. Only the sign of an edit says "editing"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from checks.base import Indicator
from checks.text.plurals import counted

YEAR = re.compile(r"(?:1[89]|20)\d{2}")
# A sentence names so many edits, each with so many characters.
MOST_EDITS, LONGEST = 3, 60


@dataclass(frozen=True, slots=True)
class Meaning:
    """The predicate for one document, and for several."""

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
    """What its strong signs say of one document; empty where it has none."""
    strong = [sign for sign in indicators if sign.type == "RISK" and sign.strong]
    changes = [
        (c.before, c.after) for s in strong if s.category in EDITS for c in s.changes
    ]
    meanings = _meanings(sign.category for sign in strong)
    edits = edits_in_words(changes) if EDITED in meanings else ""
    others = [
        meaning.singular for meaning in meanings if not (edits and meaning is EDITED)
    ]
    sentences = [f"This document was edited: {edits}."] if edits else []
    sentences += [f"The document {' and '.join(others)}."] if others else []
    return " ".join(sentences)


def of_documents(
    verifications: Sequence[Mapping[str, Any]], count: int, names: Sequence[str] = ()
) -> str:
    """What the strong signs of several say, from their payloads, among `count` documents.

    `names` are the file names of those documents, in the same order. What an edit changed is said
    where it is known: the words that stood there before, and those that stand there now.
    """
    sentences: list[str] = []
    each: list[list[Meaning]] = []
    for number, verification in enumerate(verifications):
        signs = strong_signs(verification)
        edits = edits_in_words(_changes(signs))
        meanings = _meanings(sign["category"] for sign in signs)
        if edits:
            called = (
                names[number] if number < len(names) and names[number] else "A document"
            )
            subject = "This document" if count == 1 else called
            sentences.append(f"{subject} was edited: {edits}.")
        each.append(
            [meaning for meaning in meanings if not (edits and meaning is EDITED)]
        )
    for meaning in dict.fromkeys(meaning for meanings in each for meaning in meanings):
        number = sum(meaning in meanings for meanings in each)
        predicate = meaning.singular if number == 1 else meaning.plural
        of_all = "The document" if count == 1 else f"{number} of {count} documents"
        sentences.append(f"{of_all} {predicate}.")
    if len(verifications) == 1:
        sentences += [
            str(sign["description"])
            for sign in strong_signs(verifications[0])
            if not _changes([sign])
        ]
    return " ".join(sentences)


def edits_in_words(changes: Iterable[tuple[str, str]]) -> str:
    """“the year was 2015, now 2009”: what was changed, hidden or added; empty: nothing known."""
    distinct = list(dict.fromkeys(change for change in changes if any(change)))
    words = [_edit(before, after) for before, after in distinct[:MOST_EDITS]]
    if more := len(distinct) - MOST_EDITS:
        words += [f"{counted(more, 'more change')}"] if more > 0 else []
    return "; ".join(words)


def _edit(before: str, after: str) -> str:
    if YEAR.fullmatch(before) and YEAR.fullmatch(after):
        return f"the year was {before}, now {after}"
    before = shortened(before)
    after = shortened(after)
    if not before:
        return f"“{after}” was added"
    if after:
        return f"“{before}” is now “{after}”"
    return f"“{before}” is hidden"


def _changes(signs: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for sign in signs:
        if sign["category"] in EDITS:
            for change in sign.get("changes") or []:
                pairs.append(
                    (str(change.get("before") or ""), str(change.get("after") or ""))
                )
    return pairs


def shortened(text: str) -> str:
    plain = " ".join(text.split())
    if len(plain) <= LONGEST:
        return plain
    return f"{plain[:LONGEST]}…"


def strong_signs(verification: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The strong signs among the indicators of a payload."""
    indicators = verification.get("verification_data") or []
    signs: list[Mapping[str, Any]] = []
    for sign in indicators:
        if sign["type"] == "RISK" and sign["strong"]:
            signs.append(sign)
    return signs


def _meanings(categories: Iterable[str]) -> list[Meaning]:
    return list(
        dict.fromkeys(
            EDITED if category in EDITS else OTHERS.get(category, NOT_GENUINE)
            for category in categories
        )
    )
