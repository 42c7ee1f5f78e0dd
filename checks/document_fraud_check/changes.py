"""Which words changed between the saved versions of a file."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from checks import readers
from checks.base import Change
from checks.document_fraud_check.alterations import alters
from checks.evidence import Evidence
from checks.text.words import Page, Word
from papers.errors import UnreadableError
from papers.geometry import Box, enclosing

MAX_CHANGES = 12
# Pages with so many words in common are two versions of one page.
SAME_PAGE = 0.5


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of words. `since` is the length of the version that did not have it yet.

    `alters`: a fact that was to be read there is not to be read any more.
    """

    change: Change
    since: int
    alters: bool


def edits_of(evidence: Evidence) -> list[Edit]:
    """Every change of words between one version and the next, and the present one."""
    if not evidence.revisions:
        return []
    versions = [(revision.length, revision.pages) for revision in evidence.revisions]
    versions.append((len(evidence.file), evidence.once(present_pages)))
    edits = []
    for (since, before), (_, after) in itertools.pairwise(versions):
        for old, new in paired(before, after):
            for change in compare_pages(old, new):
                edits.append(
                    Edit(_as_displayed(evidence, change), since, alters(change))
                )
    # Of many, those that alter a fact must not be lost.
    return sorted(edits, key=lambda edit: not edit.alters)[:MAX_CHANGES]


def present_pages(evidence: Evidence) -> tuple[Page, ...]:
    """The pages as they lie in the file, whichever way a viewer was told to turn them."""
    from checks.readers.pdf.revisions import MAX_PAGES

    try:
        pages, _ = readers.read_pages(evidence.file, max_pages=MAX_PAGES, upright=True)
    except UnreadableError:
        return ()
    return tuple(pages)


def paired(before: Sequence[Page], after: Sequence[Page]) -> list[tuple[Page, Page]]:
    """The pages of two versions that are one page: others may have been put in or taken out."""
    bags = {}
    for page in (*before, *after):
        bags[id(page)] = Counter(word.text for word in _words(page))
    free = list(after)
    pairs: list[tuple[Page, Page]] = []
    alone: list[Page] = []
    for old in before:
        best = max(
            free,
            key=lambda new: (
                _alike(bags[id(old)], bags[id(new)]),
                new.number == old.number,
            ),
            default=None,
        )
        if best is not None and _alike(bags[id(old)], bags[id(best)]) >= SAME_PAGE:
            pairs.append((old, best))
            free.remove(best)
        else:
            alone.append(old)
    if len(before) == len(after):
        # Of as many pages as before, the one that nothing resembles stands where it stood.
        pairs += [
            (old, new) for old in alone for new in free if old.number == new.number
        ]
    return sorted(pairs, key=lambda pair: pair[0].number)


def _alike(first: Counter[str], other: Counter[str]) -> float:
    """The share of words that both have; 0 for pages without words."""
    return (first & other).total() / max(first.total(), other.total(), 1)


def compare_pages(before: Page, after: Page) -> Iterator[Change]:
    """Changed stretches of a page; words that only moved are no change.

    Form values are left out: filling in a form is what a form is for. So is the text behind
    a scan, which nobody sees, and which is read again now and then.
    """
    old = _visible_words(before)
    new = _visible_words(after)
    old_words = _texts(old)
    new_words = _texts(new)
    gone = old_words - new_words - _texts(_behind(after))
    come = new_words - old_words - _texts(_behind(before))
    if not gone and not come:
        return
    matcher = SequenceMatcher(
        None, [word.text for word in old], [word.text for word in new], autojunk=False
    )
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        removed = []
        for word in old[i1:i2]:
            if gone[word.text] > 0:
                removed.append(word)
        added = [word for word in new[j1:j2] if come[word.text] > 0]
        if tag != "equal" and (removed or added):
            # Where words were taken away, the place is the one that they had.
            box = replace(
                enclosing(word.box for word in added or removed), page=after.number
            )
            yield Change(
                after.number,
                _join(removed and old[i1:i2]),
                _join(added and new[j1:j2]),
                (box,),
            )


def _as_displayed(evidence: Evidence, change: Change) -> Change:
    """With its boxes on the page as it is displayed."""
    if change.page > len(evidence.pages):
        return change
    transform = evidence.pages[change.page - 1].transform
    upright = evidence.once(present_pages)[change.page - 1].transform
    if transform == upright:
        return change
    boxes = []
    for box in change.boxes:
        boxes.append(transform.box(change.page, upright.back(_edges(box))))
    return replace(change, boxes=tuple(boxes))


def _edges(box: Box) -> tuple[float, float, float, float]:
    return box.x0, box.y0, box.x1, box.y1


def _words(page: Page) -> list[Word]:
    return [word for word in page.words if word.source == "text layer"]


def _visible_words(page: Page) -> list[Word]:
    return [word for word in _words(page) if not word.hidden]


def _behind(page: Page) -> list[Word]:
    return [word for word in _words(page) if word.hidden]


def _texts(words: Sequence[Word]) -> Counter[str]:
    return Counter(word.text for word in words)


def _join(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)[:200]
