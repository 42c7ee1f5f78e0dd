"""What an issuer publishes, and by which words its pages are recognised."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rapidfuzz import fuzz

from checks.data import table
from checks.document_fraud_check import tunables
from checks.evidence import Evidence
from checks.fields.general import dates_of, type_of
from checks.fields.tax_offices import plain
from checks.text.words import Page

# A pattern that matches nothing, for rows without a program.
NO_PROGRAM = r"(?!)"


@dataclass(frozen=True, slots=True)
class Anchor:
    """Words of which a page must have one. `pattern` finds them as they are written."""

    alternatives: tuple[str, ...]
    pattern: re.Pattern[str]

    def is_on(self, words: str, *, by_ocr: bool) -> bool:
        if self.pattern.search(words):
            return True
        if not by_ocr:
            return False
        return any(_is_misread_in(words, phrase) for phrase in self.alternatives)


@dataclass(frozen=True, slots=True)
class Profile:
    """A row of `checks/data/issuers.csv`. `issuers.md` explains the columns."""

    issuer: str
    document: str
    kinds: frozenset[str]
    names: Anchor
    titles: Anchor
    phrases: Anchor
    programs: re.Pattern[str]
    text_programs: re.Pattern[str]
    form: str
    signature: str
    code: Anchor | None
    qr: str
    since: int

    @property
    def subject(self) -> str:
        """The issuer with a capital letter, for the beginning of a sentence."""
        return self.issuer[0].upper() + self.issuer[1:]

    @property
    def has_programs(self) -> bool:
        return self.programs.pattern != NO_PROGRAM

    def agreeing(self, words: str, *, by_ocr: bool) -> int:
        """Return how many of the three anchors the page has; 0 without the name of the issuer."""
        # Titles and phrases are used by many offices, so the name of the issuer is required.
        if not self.names.is_on(words, by_ocr=by_ocr):
            return 0
        count = 1
        for anchor in (self.titles, self.phrases):
            count += anchor.is_on(words, by_ocr=by_ocr)
        return count


@dataclass(frozen=True, slots=True)
class Issued:
    """The issuer of a document, and the page with its words."""

    profile: Profile
    page: Page
    words: str
    by_ocr: bool


@cache
def profiles() -> tuple[Profile, ...]:
    """Return the rows of the table, in order."""
    matches = []
    for row in table("issuers"):
        code = _anchor(row["code"]) if row["code"] else None
        matches.append(
            Profile(
                issuer=row["issuer"],
                document=row["document"],
                kinds=frozenset(row["kinds"].split()),
                names=_anchor(row["names"]),
                titles=_anchor(row["titles"]),
                phrases=_anchor(row["phrases"]),
                programs=_programs(row["programs"]),
                text_programs=_programs(row["text_programs"]),
                form=row["form"],
                signature=row["signature"],
                code=code,
                qr=row["qr"],
                since=int(row["since"] or 0),
            )
        )
    return tuple(matches)


def issued_by(evidence: Evidence) -> Issued | None:
    """Return the issuer that most anchors on one of the first pages agree with; None if none is
    known.
    """
    # The type limits the profiles: a bank letter may mention a register without being its document.
    kind = evidence.once(type_of)
    if not kind:
        return None
    for page in evidence.pages[: tunables.MAX_PAGES]:
        words, by_ocr = _words_of(page)
        profile = _profile_of(words, kind.value.code, by_ocr=by_ocr)
        if profile and _is_of_its_time(profile, evidence):
            return Issued(profile, page, words, by_ocr)
    return None


def is_without_text(page: Page) -> bool:
    """Whether the page is a picture or drawn shapes, with or without OCR text behind it."""
    if page.is_blank or page.is_picture:
        return True
    # A picture covers the page. It has text of its own only if some word is neither hidden nor from
    # OCR.
    if page.ground < tunables.SCAN:
        return False
    for word in page.words:
        if word.source != "OCR" and not word.hidden:
            return False
    return True


def programs_of(evidence: Evidence) -> str:
    """Return the programs that the file names in its records, one on each line."""
    metadata = evidence.metadata
    names = (
        metadata.producer,
        metadata.creator,
        metadata.xmp_producer,
        metadata.xmp_creator,
    )
    return "\n".join(dict.fromkeys(filter(None, names)))


def _is_misread_in(words: str, phrase: str) -> bool:
    """Whether the words contain the phrase with letters that OCR misread.

    Each longer word of it must be there, too, because phrases of two offices may differ in a single
    word.
    """
    if len(phrase) < tunables.SHORTEST_ANCHOR:
        return False
    best = fuzz.partial_ratio_alignment(
        phrase, words, score_cutoff=tunables.MISREAD_ANCHOR
    )
    if best is None:
        return False
    around = words[max(0, best.dest_start - 3) : best.dest_end + 3]
    for word in phrase.split():
        if len(word) < tunables.SHORTEST_ANCHOR_WORD:
            continue
        if fuzz.partial_ratio(word, around) < tunables.MISREAD_ANCHOR_WORD:
            return False
    return True


def _words_of(page: Page) -> tuple[str, bool]:
    """Return the words of a page on one line, and whether OCR read any of them."""
    words = page.words
    by_ocr = any(word.source == "OCR" or word.hidden for word in words)
    text = " ".join(word.text for word in words)
    return plain(text[: tunables.OFFICE_HEAD]), by_ocr


def _profile_of(words: str, kind: str, *, by_ocr: bool) -> Profile | None:
    best: Profile | None = None
    # A profile needs at least AGREEING_ANCHORS agreeing anchors.
    most = tunables.AGREEING_ANCHORS - 1
    for profile in profiles():
        if kind not in profile.kinds:
            continue
        count = profile.agreeing(words, by_ocr=by_ocr)
        if count > most:
            best = profile
            most = count
    return best


def _is_of_its_time(profile: Profile, evidence: Evidence) -> bool:
    """Whether the row was valid at the latest date of the document.

    Without a date it is assumed to be.
    """
    years = []
    for fact in evidence.once(dates_of):
        if fact.value:
            years.append(fact.value.year)
    # The latest date counts, because a document also quotes older dates.
    return not years or max(years) >= profile.since


def _anchor(cell: str) -> Anchor:
    alternatives = tuple(cell.split("|"))
    return Anchor(alternatives, _any_of(alternatives))


def _any_of(alternatives: Sequence[str]) -> re.Pattern[str]:
    words = "|".join(map(re.escape, alternatives))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)")


def _programs(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern or NO_PROGRAM, re.IGNORECASE)
