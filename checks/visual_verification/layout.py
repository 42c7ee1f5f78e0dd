"""The section on layout: pages, margins, edges, headers and footers, and words out of place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from checks.evidence import Evidence, name_pages
from checks.text.plurals import counted
from checks.text.words import Line, Page, Word
from checks.visual_verification.page_scan import look
from checks.visual_verification.sections import Section
from papers.geometry import Box

MAX_WORDS = 3000
MIN_OVERLAPS = 3
# Registers print page numbers at the very edge; one of them off the page is no fault.
MIN_OFF = 3
HEAD, FOOT = 0.12, 0.88
# Lines begin at one edge where they do within this share of the page's width.
SAME_EDGE = 0.012
MIN_LINES = 8
SKEWED = 0.3  # degrees
PAGE_OF = re.compile(r"\bpage\s*(\d{1,3})\s*(?:of|/)\s*(\d{1,3})\b", re.IGNORECASE)


def layout(evidence: Evidence) -> Section:
    """Pages, sizes, blanks, margins, edges, words that run off the page or into each other."""
    pages = evidence.pages
    if not pages:
        return Section("The pages could not be opened.", None)
    stated = [page for page in pages if not page.is_picture]
    blank = [page.number for page in pages if page.is_blank]
    off = []
    for page in stated:
        for w in page.words:
            if w.source == "text layer" and _runs_off(w.box):
                off.append(w.box)
    overlaps = list(islice((box for page in stated for box in _overlaps(page)), 20))
    gap = _page_numbers(pages, evidence.page_count)
    notes = [_sizes(pages, evidence.page_count)]
    notes += [f"blank: {name_pages(blank)}"] if blank else []
    notes += [f"{len(off)} words run off the page"] if off else []
    notes += [f"{len(overlaps)} words overlap others"] if overlaps else []
    notes += [gap] if gap else []
    notes += [_margins(pages), _edges(pages), *_repeated(pages), *_emblems(evidence)]
    notes += _skew(evidence)
    notes += [evidence.unread] if evidence.unread_pages else []
    faults = (
        len(blank) == len(pages)
        or len(off) >= MIN_OFF
        or len(overlaps) >= MIN_OVERLAPS
        or gap
    )
    sentence = "; ".join(filter(None, notes)) + "."
    return Section(sentence, passed=not faults, boxes=[*off[:20], *overlaps])


def _sizes(pages: Sequence[Page], count: int) -> str:
    sizes = {(round(page.width), round(page.height)) for page in pages}
    return counted(count, "page") + (", of different sizes" if len(sizes) > 1 else "")


def _runs_off(box: Box) -> bool:
    """Boxes are cut at the page's edges: what lay beyond one has no size left."""
    return box.width <= 0 or box.height <= 0


def _margins(pages: Sequence[Page]) -> str:
    words = [word for page in pages for word in page.words]
    if not words:
        return "no words to measure the layout by"
    left = min(w.box.x0 for w in words)
    right = 1 - max(w.box.x1 for w in words)
    top = min(w.box.y0 for w in words)
    bottom = 1 - max(w.box.y1 for w in words)
    return (
        f"{len(words)} words, margins {left:.0%} left, {right:.0%} right, "
        f"{top:.0%} above and {bottom:.0%} below"
    )


def _edges(pages: Sequence[Page]) -> str:
    """How many lines share the commonest left edge, or else the middle."""
    lines = [line.box for page in pages for line in page.lines]
    if len(lines) < MIN_LINES:
        return ""
    left = _commonest([box.x0 for box in lines])
    middle = _commonest([(box.x0 + box.x1) / 2 for box in lines])
    if middle > left:
        return f"{middle / len(lines):.0%} of the lines are centred on one axis"
    return f"{left / len(lines):.0%} of the lines begin at one left edge"


def _commonest(values: Sequence[float]) -> int:
    ordered = sorted(values)
    most = start = 0
    for end, value in enumerate(ordered):
        while value - ordered[start] > SAME_EDGE:
            start += 1
        most = max(most, end - start + 1)
    return most


def _repeated(pages: Sequence[Page]) -> Iterator[str]:
    """A header or a footer that most pages share, but for its numbers."""
    if len(pages) < 3:
        return
    heads = []
    for page in pages:
        heads.append([line for line in page.lines if line.box.y1 < HEAD])
    feet = [[line for line in page.lines if line.box.y0 > FOOT] for page in pages]
    for name, lines in (("header", heads), ("footer", feet)):
        counts = Counter(
            text for page in lines for text in {_numberless(line) for line in page}
        )
        text, most = max(counts.items(), key=lambda item: item[1], default=("", 0))
        if text and most > len(pages) / 2:
            yield f"a {name} repeats on {most} of {len(pages)} pages"


def _numberless(line: Line) -> str:
    return re.sub(r"\d+", "#", line.text).strip()


def _page_numbers(pages: Sequence[Page], count: int) -> str:
    """The pages are counted in print, and some are missing from the file."""
    printed = []
    for page in pages:
        for line in page.lines:
            if line.box.y1 < HEAD or line.box.y0 > FOOT:
                for match in PAGE_OF.finditer(line.text):
                    printed.append((int(match[1]), int(match[2])))
    totals = {total for _, total in printed}
    if len(totals) != 1 or len(printed) < len(pages):
        return ""
    total = totals.pop()
    missing = sorted(set(range(1, total + 1)) - {number for number, _ in printed})
    if count >= total or not missing or total > 500:
        return ""
    return (
        f"its pages are numbered to {total}, and {name_pages(missing[:10])} are missing"
    )


def _emblems(evidence: Evidence) -> Iterator[str]:
    boxes = evidence.once(look).emblems
    if boxes:
        yield f"a logo or crest stands at the head of {name_pages(sorted({b.page for b in boxes}))}"


def _skew(evidence: Evidence) -> Iterator[str]:
    for page in evidence.pages:
        read = (
            evidence.recognised(page.number)
            if page.is_picture and not page.unread
            else None
        )
        if read and (abs(read.skew) > SKEWED or read.turned):
            if read.turned:
                turned = f"turned by {90 * read.turned}°"
            else:
                turned = f"askew by {read.skew:.1f}°"
            yield f"page {page.number} is {turned}"


def _overlaps(page: Page) -> Iterator[Box]:
    """Words of like size that stand on each other; a watermark is larger, and no such word."""
    words = sorted(page.words[:MAX_WORDS], key=lambda word: word.box.y0)
    for index, word in enumerate(words):
        for other in words[index + 1 :]:
            if other.box.y0 >= word.box.y1:
                break
            apart = other.box.x0 >= word.box.x1 or other.box.x1 <= word.box.x0
            if not apart and _collide(word, other):
                yield other.box


def _collide(word: Word, other: Word) -> bool:
    smaller = min(word.box.area, other.box.area)
    if smaller <= 0 or word.text == other.text:
        return False
    ratio = word.box.height / other.box.height
    letters = min(sum(map(str.isalnum, word.text)), sum(map(str.isalnum, other.text)))
    return (
        0.5 < ratio < 2 and letters >= 2 and word.box.overlap(other.box) > 0.5 * smaller
    )
