"""The same document in another case.

One file cannot show that; it takes a register of earlier documents. The caller of the checks keeps
one and answers through `Register`. The fingerprints leave the process that opened the file as plain
data, so that this process never has access to the register.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from checks.document_fraud_check import tunables
from checks.document_fraud_check.alterations import bare
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence
from checks.text.plurals import counted
from checks.text.words import Page
from checks.wire import JsonObject

Kind = Literal["file", "page", "pdf_id", "document_id"]
IN_WORDS: Mapping[str, str] = {
    "file": "the same file",
    "page": "a page with the same words",
    "pdf_id": "a file that descends from the same original (PDF id)",
    "document_id": "a file that descends from the same original (XMP id)",
}


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """One mark by which a document is recognised."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Earlier:
    """A document of another case that shares fingerprints with this one."""

    case_id: str
    kinds: tuple[str, ...]
    seen_at: str


class Register(Protocol):
    """Knows the documents of earlier cases. The hub implements it with its tables."""

    def elsewhere(self, prints: Sequence[Fingerprint]) -> Sequence[Earlier]:
        """Return documents with one of these fingerprints in cases of other subjects,
        newest first.
        """
        ...


def fingerprints_of(evidence: Evidence) -> list[Fingerprint]:
    """Return the fingerprints of a document: its bytes, the ids that survive a save, and its first
    page, but not the marks of its form.
    """
    fingerprints = [Fingerprint("file", hashlib.sha256(evidence.file).hexdigest())]
    # An id of zeros is no id: it would match every other file with one.
    if evidence.metadata.file_id.strip("0"):
        fingerprints.append(Fingerprint("pdf_id", evidence.metadata.file_id))
    if evidence.metadata.document_id:
        fingerprints.append(
            Fingerprint("document_id", _digest(evidence.metadata.document_id))
        )
    for page in evidence.pages[: tunables.FINGERPRINT_PAGES]:
        value = _page(page)
        if value:
            fingerprints.append(Fingerprint("page", value))
    return fingerprints[: tunables.MAX_FINGERPRINTS]


def _page(page: Page) -> str:
    """Return a hash of the words of a page, independent of their order; empty if there are too few.

    Words from OCR are left out, because another reading of the same page may differ.
    """
    words = []
    for word in page.words:
        if word.source == "OCR":
            continue
        letters = bare(word.text)
        if letters:
            words.append(letters)
    # A page with few words, such as an empty form, is the same in many cases.
    if len(words) < tunables.FINGERPRINT_WORDS:
        return ""
    return _digest(" ".join(sorted(words)))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


@indicator("RISK", "network", strong=True)
def reused_in_other_case(earlier: Sequence[Earlier]) -> IndicatorResult:
    """The document or its original was submitted in another case.

    The same file, or a first page with the very same words, came before in a case of another
    subject. Where only the ids of the file agree, the sign is weak: both descend from one original.

    Found: the hash of the file, the ids that a PDF keeps through a save, and a hash of the words
    of the first page, looked up among the documents of the same account. Cases of the same subject
    do not count, and other accounts are never asked.

    Innocent explanations: a document that concerns both (a group of companies, a shared lease, an
    officer of two companies); a template of a register that carries one id through all that is
    made from it; test cases.
    """
    if not earlier:
        return None
    # A dict keeps the order and removes duplicates.
    kinds: dict[str, None] = {}
    case_ids: dict[str, None] = {}
    for document in earlier:
        kinds.update(dict.fromkeys(document.kinds))
        case_ids[document.case_id] = None
    names = ", ".join(list(case_ids)[: tunables.MOST_CASES])
    more = len(case_ids) - tunables.MOST_CASES
    if more > 0:
        names += f" and {more} more"
    shared = "; ".join(IN_WORDS.get(kind, kind) for kind in kinds)
    rows = []
    for document in earlier[: tunables.MAX_ROWS]:
        shared_kinds = ", ".join(document.kinds)
        rows.append(f"{document.case_id} {document.seen_at}: {shared_kinds}")
    return Finding(
        f"In {counted(len(case_ids), 'case')} of another subject ({names}): {shared}.",
        raw="\n".join(rows),
        strong="file" in kinds or "page" in kinds,
    )


def fingerprints_from_wire(payload: JsonObject) -> list[Fingerprint]:
    """Return the fingerprints from the payload in which they left the process."""
    fingerprints: list[Fingerprint] = []
    for item in payload.get("prints") or ():
        fingerprints.append(Fingerprint(str(item["kind"]), str(item["value"])))
    return fingerprints
