"""Which words changed between the saved versions of a file."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import NamedTuple

from checks import readers
from checks.base import Change
from checks.document_fraud_check import tunables
from checks.document_fraud_check.alterations import alters
from checks.evidence import Evidence
from checks.text.words import Page, Word
from papers.errors import UnreadableError
from papers.geometry import Box, enclosing


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of words.

    `since` is the length of the last version without the change. `alters`: a fact that was legible
    there is not legible any more.
    """

    change: Change
    since: int
    alters: bool


def edits_of(evidence: Evidence) -> list[Edit]:
    """Return every change of words from each version to the next, up to the present one."""
    if not evidence.revisions:
        return []
    edits = []
    for before, after in itertools.pairwise(versions_of(evidence)):
        since = before.length
        for old, new in paired(before.pages, after.pages):
            for change in compare_pages(old, new):
                displayed = _as_displayed(evidence, change)
                edits.append(Edit(displayed, since, alters(change)))
    # The list is cut, so changes that alter a fact come first.
    return sorted(edits, key=lambda edit: not edit.alters)[: tunables.CHANGES_COMPARED]


class Version(NamedTuple):
    """The file up to some length. Each version is appended to the one before."""

    length: int
    pages: Sequence[Page]


def versions_of(evidence: Evidence) -> list[Version]:
    """Return the saved versions of a file, the present one last."""
    versions = []
    for revision in evidence.revisions:
        versions.append(Version(revision.length, revision.pages))
    versions.append(Version(len(evidence.file), evidence.once(present_pages)))
    return versions


def present_pages(evidence: Evidence) -> tuple[Page, ...]:
    """Return the pages as they are in the file, without the rotation for viewers.

    Earlier versions are read in the same way, so that turning a page is no change.
    """
    from checks.readers.pdf.tunables import VERSION_PAGES

    try:
        pages, _ = readers.read_pages(
            evidence.file, max_pages=VERSION_PAGES, upright=True
        )
    except UnreadableError:
        return ()
    return tuple(pages)


def paired(before: Sequence[Page], after: Sequence[Page]) -> list[tuple[Page, Page]]:
    """Return pairs of pages that are the same page in two versions.

    Pages may have been inserted or removed.
    """
    # Every page is compared with every other, so its words are counted only once.
    bags: dict[int, Counter[str]] = {}
    for page in (*before, *after):
        bags[id(page)] = _texts(_words(page))
    free = list(after)
    pairs: list[tuple[Page, Page]] = []
    alone: list[Page] = []
    for old in before:
        # Each old page takes the most similar page that is still free.
        best = _most_alike(old, free, bags)
        if best is None:
            alone.append(old)
        else:
            pairs.append((old, best))
            # A page is the later version of only one page.
            free.remove(best)
    if len(before) == len(after):
        # If the number of pages is the same, a page without a counterpart was replaced at its
        # place.
        for old, new in itertools.product(alone, free):
            if old.number == new.number:
                pairs.append((old, new))
    return sorted(pairs, key=lambda pair: pair[0].number)


def _most_alike(
    page: Page, candidates: Sequence[Page], bags: Mapping[int, Counter[str]]
) -> Page | None:
    """Return the other version of a page; of equally similar candidates, the one with the same
    number.
    """

    def likeness(candidate: Page) -> tuple[float, bool]:
        share = _shared_words(bags[id(page)], bags[id(candidate)])
        return share, candidate.number == page.number

    best = max(candidates, key=likeness, default=None)
    if best is None or likeness(best)[0] < tunables.SAME_PAGE:
        return None
    return best


def _shared_words(first: Counter[str], other: Counter[str]) -> float:
    """Return the share of words that both pages have; 0 for pages without words."""
    # Divide by the longer page. Otherwise a page of three words would match any page that has them.
    return (first & other).total() / max(first.total(), other.total(), 1)


def compare_pages(before: Page, after: Page) -> Iterator[Change]:
    """Yield the changed parts of a page. Words that only moved are no change.

    Form values are left out, because forms are meant to be filled in. So is the text behind a scan,
    which nobody sees and which OCR programs write again.
    """
    old = _visible_words(before)
    new = _visible_words(after)
    old_words = _texts(old)
    new_words = _texts(new)
    # A word that only moved behind a scan, or from there, is still legible.
    gone = old_words - new_words - _texts(_behind(after))
    come = new_words - old_words - _texts(_behind(before))
    # The words are compared as a bag first: if only their order changed, nothing was edited.
    if not gone and not come:
        return
    before_texts = [word.text for word in old]
    after_texts = [word.text for word in new]
    # `autojunk` would ignore frequent words, and an amount may be frequent.
    matcher = SequenceMatcher(None, before_texts, after_texts, autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        old_stretch = old[old_start:old_end]
        new_stretch = new[new_start:new_end]
        # The matcher also reports words that moved. Only words that the whole page lost or gained
        # count.
        removed = _words_in(old_stretch, gone)
        added = _words_in(new_stretch, come)
        if not removed and not added:
            continue
        # If words were removed, use the place where they were.
        box = enclosing(word.box for word in added or removed)
        yield Change(
            after.number,
            _join(old_stretch) if removed else "",
            _join(new_stretch) if added else "",
            (replace(box, page=after.number),),
        )


def _words_in(stretch: Sequence[Word], counts: Counter[str]) -> list[Word]:
    return [word for word in stretch if counts[word.text] > 0]


def _as_displayed(evidence: Evidence, change: Change) -> Change:
    """Return the change with its boxes on the page as it is displayed."""
    if change.page > len(evidence.pages):
        return change
    # Versions are read without rotation. Convert the boxes to the rotation in which the page is
    # displayed.
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
