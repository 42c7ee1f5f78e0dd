"""What a text says that a business does not do: “no alcohol”, “kein Glücksspiel”, “不涉及赌博”.

A text may deny one thing and offer another one, so a denial ends where a sentence, a contrast (“but”) or
an exception (“nothing except”) does. “Not only weapons” denies nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from checks.attested import tunables
from checks.data import table

# A full stop within a number or an address ends no sentence.
SENTENCE_END = re.compile(r"[;!?。\uff1b\uff01\uff1f\n]|[.:\uff1a](?!\w)")
COMMA = re.compile(r"[,،\uff0c、(\uff08]")
END_OF_PART = re.compile(r"[,،\uff0c、)\uff09;!?。\uff1b\uff01\uff1f\n.]")
WORD = re.compile(r"\w+")


def offered(
    hits: Iterable[re.Match[str]], text: str, *, beyond_commas: bool
) -> Iterator[re.Match[str]]:
    """The hits in the text that it does not deny.

    Behind so many denials the text was made to be slow: the next hit counts as offered, and a person
    looks.
    """
    denials = 0
    for hit in hits:
        if denials >= tunables.MOST_DENIALS:
            yield hit
            return
        if is_denied(text, *hit.span(), beyond_commas=beyond_commas):
            denials += 1
        else:
            yield hit


def is_denied(text: str, start: int, end: int, *, beyond_commas: bool) -> bool:
    """Whether the text says of the word from `start` to `end` that the business does not do it.

    `beyond_commas`: whether a denial reaches the second part of a sentence, too (“no tobacco, casino”).
    """
    # A sentence that is longer was made to be slow.
    first = max(0, start - tunables.LETTERS_OF_SENTENCE)
    text = text[first : end + tunables.LETTERS_OF_SENTENCE]
    start, end = start - first, end - first
    if _is_within_word(text, start, end):
        return True
    before = _before(text[:start])
    behind = END_OF_PART.split(text[end:], maxsplit=1)[0]
    if _pattern("only").search(before):
        return False
    if _is_denied_before(before, beyond_commas=beyond_commas):
        return True
    return _is_denied_behind(behind)


def _before(text: str) -> str:
    """Return what stands before a word in its sentence, from the last contrast on."""
    sentence = SENTENCE_END.split(text)[-1]
    return _pattern("contrast").split(sentence)[-1]


def _is_denied_before(before: str, *, beyond_commas: bool) -> bool:
    part = before if beyond_commas else COMMA.split(before)[-1]
    denial = _last(_pattern("before"), part)
    if denial is None:
        return bool(_pattern("before_unspaced").search(part))
    if len(WORD.findall(part[denial.end() :])) > tunables.WORDS_OF_DENIAL:
        return False
    if _is_portuguese(denial[0], before):
        return False
    # “No deposit casino” and “no better casino” offer one.
    if _pattern("condition").match(part[denial.end() :]):
        return False
    # “Nothing except weapons” is weapons.
    is_exception = _pattern("exception").fullmatch(denial[0])
    return not (
        is_exception
        and _pattern("before").search(before[: -len(part)] + part[: denial.start()])
    )


def _is_denied_behind(behind: str) -> bool:
    behind = _pattern("contrast").split(behind)[0]
    if _pattern("behind_unspaced").match(behind):
        return True
    denial = _pattern("behind").search(behind)
    if denial is None:
        return False
    return len(WORD.findall(behind[: denial.start()])) <= tunables.WORDS_OF_DENIAL


def _is_within_word(text: str, start: int, end: int) -> bool:
    """Whether the word itself denies: “non-gambling”, “gambling-free”, “waffenfrei”."""
    if _pattern("joined_before").search(text[:start]):
        return True
    rest = re.match(r"[\w-]*", text[end:])
    word = text[start:end] + (rest[0] if rest else "")
    return bool(_pattern("joined_behind").search(word))


def _is_portuguese(denial: str, before: str) -> bool:
    """Whether “no” is “in the”: “Restaurante no casino”."""
    return denial.casefold() == "no" and bool(_pattern("in_the").search(before))


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    hits = list(pattern.finditer(text))
    return hits[-1] if hits else None


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    return re.compile(_FORMS[kind].format(_words()[kind]), re.IGNORECASE)


@cache
def _words() -> Mapping[str, str]:
    return {row["kind"]: row["words"] for row in table("denials")}


# How the words of each kind stand in a text.
_FORMS: Mapping[str, str] = {
    # “non-profit” and “no-limit” deny nothing else, and “No 1” is a number.
    "before": r"(?<![\w-])(?:{})(?![\w-])(?!\s*\d)",
    "before_unspaced": r"(?:{})$",
    "behind": r"(?<!\w)(?:{})(?!\w)",
    "behind_unspaced": r"\s?(?:{})",
    "contrast": r"(?<!\w)(?:{})(?!\w)",
    "exception": r"(?:{})",
    "only": r"(?<!\w)(?:{})",
    "condition": r"[\s-]+(?:{})(?!\w)",
    "joined_before": r"(?<!\w)(?:{})$",
    "joined_behind": r"(?:{})$",
    "in_the": r"(?<!\w)(?:{})(?!\w)",
}
