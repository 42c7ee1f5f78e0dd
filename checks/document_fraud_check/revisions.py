"""Indicators from earlier versions that are still inside the file."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from checks.document_fraud_check.rules import Finding, indicator
from checks.evidence import Evidence
from checks.geometry import Box, enclosing
from checks.text import Page, Word

MAX_CHANGES = 12


@dataclass(frozen=True, slots=True)
class Change:
    """Words that one page showed before, and what it shows in their place."""

    page: int
    before: str
    after: str
    boxes: tuple[Box, ...]

    def __str__(self) -> str:
        return f"page {self.page}: “{self.before}” → “{self.after}”"


@indicator("RISK", "revisions", strong=True)
def revision_text_changed(evidence: Evidence) -> Finding | None:
    """Text differs from an earlier saved version.

    A PDF that is saved by appending keeps its earlier versions. They are recovered, and the
    words of each page are compared as a bag, so that a mere change of their order says nothing.
    The finding shows the words before and after. How often a file was saved counts for nothing:
    four of ten genuine files were saved more than once.
    """
    changes = [change for change in evidence.once(changes_of) if change.before]
    if not changes:
        return None
    said = "; ".join(map(str, changes[:3]))
    return Finding(
        f"An earlier version inside the file reads differently: {said}.",
        [box for change in changes for box in change.boxes],
        "\n".join(map(str, changes)),
    )


@indicator("RISK", "revisions")
def revision_text_added(evidence: Evidence) -> Finding | None:
    """Text was added to an earlier saved version.

    Words stand on a page that an earlier version of it lacked, and none were taken away: a
    receiver's stamp does that, and so does a detail that somebody filled in later.
    """
    changes = evidence.once(changes_of)
    if not changes or any(change.before for change in changes):
        return None
    return Finding(
        "The earlier version inside the file lacks words that it shows now: "
        + "; ".join(f"page {change.page}: “{change.after}”" for change in changes[:3]),
        [box for change in changes for box in change.boxes],
        "\n".join(map(str, changes)),
    )


@indicator("INFO", "revisions")
def revision_content_identical(evidence: Evidence) -> Finding | None:
    """Saved more than once, with the same words.

    Earlier versions are inside the file, and the words of every page are the same in all of
    them, as when a register signs a document or a reader saves it again.
    """
    count = len(evidence.revisions)
    if not count or evidence.once(changes_of):
        return None
    return Finding(f"The file holds {count} earlier version(s) with the same words on every page.")


def changes_of(evidence: Evidence) -> list[Change]:
    """Every change of words between one version and the next, and the present one."""
    versions = [revision.pages for revision in evidence.revisions]
    if not versions:
        return []
    versions.append(evidence.pages)
    found = [
        change
        for before, after in itertools.pairwise(versions)
        for old, new in zip(before, after, strict=False)
        for change in compare_pages(old, new)
    ]
    return found[:MAX_CHANGES]


def compare_pages(before: Page, after: Page) -> Iterator[Change]:
    """Changed stretches of a page; words that only moved are no change.

    Form values are left out: filling in a form is what a form is for.
    """
    old, new = _words(before), _words(after)
    gone = Counter(word.text for word in old) - Counter(word.text for word in new)
    come = Counter(word.text for word in new) - Counter(word.text for word in old)
    if not gone and not come:
        return
    matcher = SequenceMatcher(
        None, [word.text for word in old], [word.text for word in new], autojunk=False
    )
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        removed = [word for word in old[i1:i2] if gone[word.text] > 0]
        added = [word for word in new[j1:j2] if come[word.text] > 0]
        if tag != "equal" and (removed or added):
            boxes = (enclosing(word.box for word in added),) if added else ()
            yield Change(
                after.number, _join(removed and old[i1:i2]), _join(added and new[j1:j2]), boxes
            )


def _words(page: Page) -> list[Word]:
    return [word for word in page.words if word.source == "text layer"]


def _join(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)[:200]
