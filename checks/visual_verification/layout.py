"""The section about layout: pages, margins, edges, headers, footers, and misplaced words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from checks.evidence import Evidence, name_pages
from checks.text.characters import count_letters_and_digits
from checks.text.plurals import counted
from checks.text.words import Line, Page, Word
from checks.visual_verification import tunables
from checks.visual_verification.page_scan import look
from checks.visual_verification.sections import Section
from papers.geometry import Box, enclosing

# How pages are numbered (“str.” is a street, too): “Page 1 of 2”, “Seite 1 von 2”, “第1页 共2页”, “1 / 2” behind such a word.
PAGE_OF = re.compile(
    r"(?<![^\W\d])(?:page|p\u00e1gina|p\u00e1g\.?|pagina|pag\.?|seite|side|sida|sivu|strona|strana|oldal|sayfa|sahife|\u0441\u0442\u0440\u0430\u043d\u0438\u0446\u0430|\u0441\u0442\u043e\u0440\u0456\u043d\u043a\u0430|\u03c3\u03b5\u03bb\u03af\u03b4\u03b1|\u03c3\u03b5\u03bb\.?|\u0635\u0641\u062d\u0629|\u0635\u0641\u062d\u0647)\s*"
    r"(\d{1,3})\s*(?:of|/|von|sur|de|di|da|do|van|av|af|z|ze|od|iz|\u0438\u0437|\u0437|\u03b1\u03c0\u03cc|\u0645\u0646|\u0627\u0632)\s*(\d{1,3})\b"
    r"|\u7b2c\s*(\d{1,3})\s*[\u9875\u9801][\s,\uff0c/]*\u5171\s*(\d{1,3})\s*[\u9875\u9801]",
    re.IGNORECASE,
)


def layout(evidence: Evidence) -> Section:
    """Return the section: sizes, blank pages, margins, edges, and words that leave the page or
    overlap.
    """
    pages = evidence.pages
    if not pages:
        return Section("The pages could not be opened.", None)
    blank = [page.number for page in pages if page.is_blank]
    off = _words_off(pages)
    # Overlaps are generated lazily, because a hostile page may have thousands.
    overlaps = list(islice(_all_overlaps(pages), tunables.MAX_BOXES))
    gap = _page_numbers(pages, evidence.page_count)
    notes = [_sizes(pages, evidence.page_count)]
    if blank:
        notes.append(f"blank: {name_pages(blank)}")
    if off:
        notes.append(f"{len(off)} words run off the page")
    if overlaps:
        notes.append(f"{len(overlaps)} words overlap others")
    notes += [gap, _margins(pages), _edges(pages)]
    notes += [*_repeated(pages), *_emblems(evidence), *_skew(evidence)]
    if evidence.unread_pages:
        notes.append(evidence.unread)
    sentence = "; ".join(filter(None, notes))
    has_faults = bool(gap) or len(blank) == len(pages)
    # Genuine files have a few such words, too.
    if len(off) >= tunables.MIN_OFF or len(overlaps) >= tunables.MIN_OVERLAPS:
        has_faults = True
    boxes = [*off[: tunables.MAX_BOXES], *overlaps]
    return Section(f"{sentence}.", passed=not has_faults, boxes=boxes)


def _sizes(pages: Sequence[Page], count: int) -> str:
    sizes = set()
    for page in pages:
        sizes.add((round(page.width), round(page.height)))
    if len(sizes) > 1:
        return f"{counted(count, 'page')}, of different sizes"
    return counted(count, "page")


def _words_off(pages: Sequence[Page]) -> list[Box]:
    """Return words that leave their pages.

    Words from OCR are always within the picture, so scans are skipped.
    """
    boxes = []
    for page in pages:
        if page.is_picture:
            continue
        for word in page.words:
            if word.source == "text layer" and _runs_off(word.box):
                boxes.append(word.box)
    return boxes


def _runs_off(box: Box) -> bool:
    """Whether a word lies outside the page.

    Boxes are clipped to the page, so nothing is left of it.
    """
    return box.width <= 0 or box.height <= 0


def _margins(pages: Sequence[Page]) -> str:
    boxes: list[Box] = []
    for page in pages:
        boxes.extend(word.box for word in page.words)
    if not boxes:
        return "no words to measure the layout by"
    text = enclosing(boxes)
    return (
        f"{len(boxes)} words, margins {text.x0:.0%} left, {1 - text.x1:.0%} right, "
        f"{text.y0:.0%} above and {1 - text.y1:.0%} below"
    )


def _edges(pages: Sequence[Page]) -> str:
    """Return the share of lines with the most common left edge, or with the most common centre."""
    edges = []
    axes = []
    for page in pages:
        for line in page.lines:
            box = line.box
            edges.append(box.x0)
            axes.append(box.middle_x)
    count = len(edges)
    if count < tunables.MIN_LINES:
        return ""
    left = _commonest(edges)
    middle = _commonest(axes)
    # Certificates are centred, letters are aligned at the left.
    if middle > left:
        return f"{middle / count:.0%} of the lines are centred on one axis"
    return f"{left / count:.0%} of the lines begin at one left edge"


def _commonest(values: Sequence[float]) -> int:
    """Return the largest number of values that lie within SAME_EDGE of each other."""
    ordered = sorted(values)
    most = start = 0
    for end, value in enumerate(ordered):
        # A sliding window over the sorted values.
        while value - ordered[start] > tunables.SAME_EDGE:
            start += 1
        most = max(most, end - start + 1)
    return most


def _repeated(pages: Sequence[Page]) -> Iterator[str]:
    """Yield a header or footer that most pages share, ignoring its numbers."""
    if len(pages) < tunables.MIN_REPEATED:
        return
    heads: Counter[str] = Counter()
    feet: Counter[str] = Counter()
    for page in pages:
        # A line that appears twice on one page counts once.
        heads.update({_numberless(line) for line in page.lines if _is_in_head(line)})
        feet.update({_numberless(line) for line in page.lines if _is_in_foot(line)})
    for name, counts in (("header", heads), ("footer", feet)):
        for text, count in counts.most_common(1):
            if text and count > len(pages) / 2:
                yield f"a {name} repeats on {count} of {len(pages)} pages"


def _is_in_head(line: Line) -> bool:
    return line.box.y1 < tunables.LAYOUT_HEAD


def _is_in_foot(line: Line) -> bool:
    return line.box.y0 > tunables.LAYOUT_FOOT


def _numberless(line: Line) -> str:
    return re.sub(r"\d+", "#", line.text).strip()


def _page_numbers(pages: Sequence[Page], count: int) -> str:
    """Return a note if the printed page numbers show that pages are missing from the file;
    else "".
    """
    numbers = []
    totals = set()
    for page in pages:
        for line in page.lines:
            if not _is_in_head(line) and not _is_in_foot(line):
                continue
            for hit in PAGE_OF.finditer(line.text):
                number, total = filter(None, hit.groups())
                numbers.append(int(number))
                totals.add(int(total))
    # Two totals mean two documents in one file. A page without a number may be any of the missing
    # ones.
    if len(totals) != 1 or len(numbers) < len(pages):
        return ""
    [last] = totals
    missing = sorted(set(range(1, last + 1)).difference(numbers))
    # The file has at least as many pages as the numbers say, or nothing is missing.
    if count >= last or not missing or last > tunables.MAX_NUMBERED:
        return ""
    names = name_pages(missing[: tunables.MAX_MISSING])
    return f"its pages are numbered to {last}, and {names} are missing"


def _emblems(evidence: Evidence) -> Iterator[str]:
    numbers = sorted({box.page for box in evidence.once(look).emblems})
    if numbers:
        yield f"a logo or crest stands at the head of {name_pages(numbers)}"


def _skew(evidence: Evidence) -> Iterator[str]:
    for page in evidence.pages:
        if not page.is_picture or page.unread:
            continue
        reading = evidence.recognised(page.number)
        if reading.turned:
            yield f"page {page.number} is turned by {90 * reading.turned}°"
        elif abs(reading.skew) > tunables.SKEWED:
            yield f"page {page.number} is askew by {reading.skew:.1f}°"


def _all_overlaps(pages: Sequence[Page]) -> Iterator[Box]:
    for page in pages:
        if not page.is_picture:
            yield from _overlaps(page)


def _overlaps(page: Page) -> Iterator[Box]:
    """Yield words that overlap others of similar size. A watermark is larger and not reported."""
    # Sorted from top to bottom, so that the inner loop can stop early.
    words = sorted(page.words[: tunables.MAX_WORDS], key=lambda word: word.box.y0)
    for index, word in enumerate(words):
        for other in words[index + 1 :]:
            if other.box.y0 >= word.box.y1:
                break
            apart = other.box.x0 >= word.box.x1 or other.box.x1 <= word.box.x0
            if not apart and _collide(word, other):
                yield other.box


def _are_alike(height: float, other: float) -> bool:
    most = tunables.LIKE_SIZE
    return 1 / most < height / other < most


def _collide(word: Word, other: Word) -> bool:
    smaller = min(word.box.area, other.box.area)
    # The same word twice at one place is a simulated bold face.
    if smaller <= 0 or word.text == other.text:
        return False
    if not _are_alike(word.box.height, other.box.height):
        return False
    for text in (word.text, other.text):
        if count_letters_and_digits(text) < tunables.LEGIBLE:
            return False
    return word.box.overlap(other.box) > tunables.SHARED * smaller
