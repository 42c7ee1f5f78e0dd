"""Which words changed between the saved versions of a file."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from checks.base import Change
from checks.evidence import Evidence
from checks.geometry import enclosing
from checks.text import Page, Word

MAX_CHANGES = 12


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
