"""The forms in which a search compares words: Latin spelling, consonants, misspellings.

Plain Python: migrations import it, too.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from anyascii import anyascii

# Shorter words have so many neighbours that a search for one of them would match nearly
# anything.
SHORTEST_TO_MISSPELL = 5
# A longer word has more than a thousand spellings that are one letter away.
LONGEST_TO_MISSPELL = 24
MOST_WORDS = 60  # words of one text for which misspellings are searchable
# Too many names share two consonants.
FEWEST_CONSONANTS = 3
# Marks both ends of a consonant form, so that it matches as a whole. No name contains it.
EDGE = "~"

# Arabic and Hebrew letters, with presentation forms. These scripts leave out most vowels of a
# name.
_ABJAD = re.compile("[\u0590-\u06ff\u0750-\u077f\ufb1d-\ufdff\ufe70-\ufeff]")
_VOWEL_MARKS = re.compile("[\u0591-\u05c7\u064b-\u065f\u0670\u0640]")
_ARABIC_ARTICLE = re.compile("^\u0627\u0644(?=.{3})")
_LATIN_ARTICLE = re.compile("^(?:al|el)-")
_SILENT = re.compile("[aeiouwy]|[^a-z]")
_TWICE = re.compile(r"(.)\1+")
_APOSTROPHES = re.compile("['`]")
_WORD = re.compile(rf"[a-z]{{{SHORTEST_TO_MISSPELL},{LONGEST_TO_MISSPELL}}}")


def plain_text(text: str) -> str:
    """The text in lower case. NUL is removed, because PostgreSQL rejects it."""
    return text.replace("\0", "").lower()


def latin(word: str) -> str:
    """A word of any script in lower-case Latin letters: иванов becomes ivanov, müller muller."""
    if word.isascii():
        return word.lower()
    return _APOSTROPHES.sub("", anyascii(word).lower())


def is_abjad(word: str) -> bool:
    return _ABJAD.search(word) is not None


def consonants(word: str) -> str:
    """The consonants of a word, without an article and a final h; "" if there are too few.

    Spellings of one Arabic or Hebrew name agree in them: muhammad, mohamed and محمد are mhmd.
    """
    if is_abjad(word):
        bare = _VOWEL_MARKS.sub("", word)
        spelled = latin(_ARABIC_ARTICLE.sub("", bare))
    else:
        spelled = _LATIN_ARTICLE.sub("", latin(word))
    letters = _SILENT.sub("", spelled).replace("q", "k")
    letters = _TWICE.sub(r"\1", letters).removesuffix("h")
    if len(letters) >= FEWEST_CONSONANTS:
        return letters
    return ""


def with_forms(text: str) -> str:
    """The text in lower case, with one more line of other forms of its words."""
    text = plain_text(text)
    if text.isascii():
        return text
    forms = dict.fromkeys(_forms(text))
    if not forms:
        return text
    return f"{text}\n{' '.join(forms)}"


def _forms(text: str) -> Iterator[str]:
    for word in text.split():
        if word.isascii():
            continue
        spelled = latin(word)
        if spelled and spelled != word:
            yield spelled
        if is_abjad(word) and (letters := consonants(word)):
            yield f"{EDGE}{letters}{EDGE}"


def searchable_words(text: str) -> list[str]:
    """The words of a text that are found with one wrong letter: Latin letters, no duplicates."""
    words: dict[str, None] = {}
    for word in text.split():
        words.update(dict.fromkeys(_WORD.findall(latin(word))))
    return list(words)[:MOST_WORDS]


def neighbours(word: str) -> set[str]:
    """All spellings at a distance of one edit: insertion, deletion, replacement, transposition.

    Words that are too short, too long, or have other characters than letters have none: a
    number with one other digit is another number.
    """
    if not _WORD.fullmatch(word):
        return set()
    near = set()
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        near.add(before + after[1:])
        if len(after) > 1:
            near.add(before + after[1] + after[0] + after[2:])
        for letter in string.ascii_lowercase:
            near.add(before + letter + after)
            near.add(before + letter + after[1:])
    near.discard(word)
    return near
