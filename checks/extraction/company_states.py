"""What a document says of the end of a company: wound up, insolvent, dissolved or struck off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache, lru_cache

from checks.data import table
from checks.extraction import tunables
from checks.fields.names.company_comparison import status_of
from checks.text.folding import folded
from checks.text.words import Span

# A value goes on behind these: “Dissolved (12 March 2019)”.
CUT = re.compile(r"[\d(\[,;]| [-\u2013\u2014] |\t| {2,}")
YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
BEFORE_SENTENCE = r"(?:\A|(?<=[.:;!])\s+|(?<=[\n\f])\s*(?:\d{1,3}[.)]?\s+)?)"
# A sentence ends with a full stop, or with a line behind which no sentence goes on.
END = re.compile(r"\s*(?:[.;!]|$|\n\s*(?:$|[^a-zß-ÿ\u0430-\u044f\u0451]))")


def caution_of(
    text: str,
    names: Sequence[str],
    today: date,
    is_of_another: Callable[[Span], bool],
) -> str:
    """Return a sentence for a person if the document says that the company has ended; else nothing.

    `names` are the names of the company on the document.
    """
    words = ""
    for name in names:
        words = words or status_of(name)
    if not words:
        words = stated_in(text, names, today, is_of_another)
    if not words:
        return ""
    quote = " ".join(words.split()).replace("“", "").replace("”", "")
    return f"The document says of the company that it is ended, insolvent or not active: “{quote}”."


def has_ended(status: str) -> bool:
    """Whether the status of a company in a register has words for its end that nothing before them denies."""
    whole = folded(status)
    states = _words("state") | _words("status")
    if whole in states:
        return True
    words = whole.split()
    denials = _words("not")
    for start in range(len(words)):
        if start and words[start - 1] in denials:
            continue
        for end in range(start + 1, len(words) + 1):
            part = " ".join(words[start:end])
            if part in states and len(part) > len("f a"):
                return True
    return False


def stated_in(
    text: str,
    names: Sequence[str],
    today: date,
    is_of_another: Callable[[Span], bool],
) -> str:
    """Return the words of the text that say so: a field, or a sentence about the company itself."""
    for span in (*_fields(text, today), *_sentences(text, names, today)):
        if not is_of_another(span):
            return text[span.start : span.end]
    return ""


def _fields(text: str, today: date) -> Iterator[Span]:
    """Yield fields that state the end: a label at the beginning of a line, and its value behind or below it."""
    start = 0
    lines = text.replace("\f", "\n").split("\n")
    for number, line in enumerate(lines):
        below = lines[number + 1] if number + 1 < len(lines) else ""
        end = _end_of_field(line, below, today)
        if end:
            yield Span(start, start + end)
        start += len(line) + 1


def _end_of_field(line: str, below: str, today: date) -> int:
    """Return where the field of a line ends, counted from its beginning; 0 if it states no end."""
    labels = _words("label") | _words("label_any")
    for label, value in _parted(line):
        if label in labels and _is_state(value, label):
            return len(line)
        if label in _words("day") and _is_past(value, today):
            return len(line)
    if folded(line) in labels and _is_state(below, folded(line)):
        return len(line) + 1 + len(below)
    return 0


def _parted(line: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to part a line into a label and a value."""
    head, colon, value = line.replace("\uff1a", ":").partition(":")
    if colon:
        yield folded(head), value
        return
    words = line.split()
    for count in range(1, min(tunables.LABEL_OF_STATE, len(words))):
        yield folded(" ".join(words[:count])), " ".join(words[count:])


def _is_state(value: str, label: str) -> bool:
    whole = folded(value)
    states = _words("state") | _words("status")
    # People, branches and entries may be ceased or inactive, too.
    if label not in _words("label"):
        states = states - _words("weak")
    if whole in states:
        return True
    parts = folded(CUT.split(value.strip(), maxsplit=1)[0]).split()
    while parts and parts[-1] in _words("between"):
        parts.pop()
    return " ".join(parts) in states


def _is_past(value: str, today: date) -> bool:
    """Whether the value has a year that has begun. Some companies are founded until a day to come."""
    year = YEAR.search(value[: tunables.DAY_OF_STATE])
    return year is not None and int(year[0]) <= today.year


def _sentences(text: str, names: Sequence[str], today: date) -> Iterator[Span]:
    """Yield sentences that say without a condition that the company has ended."""
    for match in _pattern(tuple(names)).finditer(text):
        sentence = match["sentence"]
        # Behind the end of a line a sentence may go on: “if ⏎ the company is dissolved”.
        if sentence[0].islower():
            continue
        behind = text[match.end() : match.end() + tunables.SENTENCE_OF_STATE]
        end = END.match(behind)
        rest = re.split(r"[.;!\n](?=\s|$)", behind, maxsplit=1)[0]
        year = YEAR.search(behind)
        is_dated = (
            year
            and year.start() < len(rest) + len("2026.")
            and int(year[0]) <= today.year
        )
        conditions = _words("condition") & set(folded(f"{sentence} {rest}").split())
        if (end or is_dated) and not conditions:
            yield Span(*match.span("sentence"))


# One document at a time: its names are personal, so that none is kept longer.
@lru_cache(1)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    subjects = []
    for name in (*_listed("company"), *names):
        subjects.append(r"\s+".join(map(re.escape, name.split())))
    company = f"(?:{'|'.join(subjects)}),?"
    several = []
    for row in table("company_states"):
        if row["kind"] == "sentence":
            several.append(row["words"].replace("{company}", company))
    sentences = "|".join(several).replace(" ", r"\s+")
    return re.compile(
        rf"{BEFORE_SENTENCE}(?P<sentence>{sentences})(?!\w)", re.IGNORECASE
    )


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(map(folded, _listed(kind)))


def _listed(kind: str) -> list[str]:
    words: list[str] = []
    for row in table("company_states"):
        if row["kind"] == kind:
            words += row["words"].split("|")
    return words
