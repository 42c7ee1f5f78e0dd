"""Names of companies in other scripts, with the words translated that English names translate.

شركة النفط الوطنية is the National Oil Company, and 丹东银行 the Bank of Dandong. Lists and customers write
the same company in either way. What no table translates is the proper part of the name, and stays:
Chinese characters and Hangul are read by their sound, and joined to a word each time.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from anyascii import anyascii

from checks.data import table
from checks.screening import tunables

# The `script` of a name that was translated, unless letters are left that have one of their own.
SCRIPT = "translated"
# How two words agree of which one is translated: oil and petroleum.
HOW = "translation"

# Chinese characters, kana, Hangul and Thai, which put no blanks between words.
_RUNS = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e01-\u0e7f]+")
_BY_SOUND = re.compile("[\u3400-\u9fff]+|[\uac00-\ud7af]+")
# Greek, Cyrillic, Armenian, Arabic and Georgian.
_WORDS = re.compile("[\u0370-\u04ff\u0530-\u058f\u0620-\u06ff\u10a0-\u10ff]")
_MARKS = re.compile("[\u064b-\u065f\u0670\u0640]")
# Letters that Arabic and Persian write in several ways.
_LETTERS = str.maketrans("أإآٱىیةۀکڪھ", "ااااييههككه")
# The article and what is written together with the word: and, of, for.
_BEFORE_WORD = ("وال", "بال", "لل", "ال", "و", "ل", "ب")
# Greek words have an accent, which capitals leave out.
_ACCENTS = str.maketrans("άέήίόύώΐΰ", "αεηιουωϊϋ")
# One stands within a word in Ukrainian.
_APOSTROPHES = re.compile("(?<=[\u0400-\u04ff])['\u2019\u02bc](?=[\u0400-\u04ff])")
# After compatible characters were replaced (NFKC), so that wide brackets and commas are the usual ones.
_PUNCTUATION = re.compile("[\"'«»“”„()\\[\\]【】《》「」,،、;·・]")


class _Words(NamedTuple):
    """The English words by those of other languages."""

    whole: dict[str, str]
    # By the beginning of a word that is inflected: судоходн.
    stems: dict[str, str]
    runs: re.Pattern[str]
    in_runs: dict[str, str]


@cache
def _words() -> _Words:
    whole: dict[str, str] = {}
    stems: dict[str, str] = {}
    in_runs: dict[str, str] = {}
    for row in table("company_translations"):
        english = row["english"]
        for text in row["words"].split("|"):
            word = _normal(text).translate(_LETTERS)
            if _RUNS.search(word):
                in_runs[word] = english
            elif word.endswith("*"):
                stems[word[:-1]] = english
            else:
                whole[word] = english
    longest_first = sorted(in_runs, key=len, reverse=True)
    # A city or a province may say what it is: 深圳市.
    runs = re.compile(f"({'|'.join(map(re.escape, longest_first))})[市省]?")
    return _Words(whole, stems, runs, in_runs)


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    synonyms: dict[str, frozenset[str]] = {}
    for row in table("company_translations"):
        others = frozenset(row["synonyms"].split())
        for word in row["english"].split():
            synonyms[word] = synonyms.get(word, frozenset()) | others
    return synonyms


def synonyms_of(word: str) -> frozenset[str]:
    """Return the other words that translate the same."""
    return _synonyms().get(word, frozenset())


def are_synonyms(a: str, b: str) -> bool:
    """Whether one word may translate the same as the other: oil and petroleum."""
    return b in synonyms_of(a) or a in synonyms_of(b)


def words_by_sound(text: str) -> list[str]:
    """Return the words of a name in letters that the table does not translate."""
    return [word for word in in_english(text).split() if not word.isascii()]


def can_translate(text: str) -> bool:
    """Whether a name has a word that the table translates."""
    if text.isascii():
        return False
    normal = _normal(text)
    if not _RUNS.search(normal) and not _WORDS.search(normal):
        return False
    return in_english(text) != _by_sound(normal)


@lru_cache(tunables.CACHED_NAMES)
def in_english(text: str) -> str:
    """Return the name with the translated words in English, and the others as they are or sound."""
    text = _RUNS.sub(_translated_run, _normal(text))
    if _WORDS.search(text):
        text = " ".join(_translated_words(text.split()))
    return _by_sound(text)


def _normal(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _MARKS.sub("", text).replace("\u200c", " ").translate(_ACCENTS)
    text = _APOSTROPHES.sub("", text)
    return " ".join(_PUNCTUATION.sub(" ", text).split())


def _translated_run(run: re.Match[str]) -> str:
    words = _words()
    return words.runs.sub(lambda word: f" {words.in_runs[word[1]]} ", run.group())


def _translated_words(words: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(words):
        for size in range(tunables.WORDS_TRANSLATED, 0, -1):
            english = _english(words[at : at + size])
            if english:
                yield english
                at += size
                break
        else:
            yield words[at]
            at += 1


def _english(words: Sequence[str]) -> str:
    """Return the translation of these words together; "" if the table has none."""
    known = _words()
    phrase = " ".join(words).translate(_LETTERS)
    if phrase in known.whole:
        return known.whole[phrase]
    bare = " ".join(map(_bare, phrase.split()))
    if bare in known.whole:
        return known.whole[bare]
    if len(words) > 1:
        return ""
    for size in range(len(phrase), tunables.SHORTEST_TRANSLATED_STEM - 1, -1):
        if phrase[:size] in known.stems:
            return known.stems[phrase[:size]]
    return ""


def _bare(word: str) -> str:
    """Return an Arabic word without the article."""
    for before in _BEFORE_WORD:
        rest = word.removeprefix(before)
        if rest != word and len(rest) >= tunables.SHORTEST_TRANSLATED_STEM - 1:
            return rest
    return word


def _by_sound(text: str) -> str:
    text = _BY_SOUND.sub(lambda run: f" {_sound(run.group())} ", text)
    return " ".join(text.split())


def _sound(run: str) -> str:
    return "".join(map(anyascii, run)).casefold()
