"""Whether a web page names a business, in any script.

A name is compared as it is written, and as it sounds in Latin letters. Its legal form is left out:
pages seldom show it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from checks.data import table
from checks.fields.names.company_comparison import UNSPACED_FORM
from checks.screening.matching.names import form_classes, parse
from checks.text.characters import only_letters
from checks.text.folding import folded
from checks.website_presence import tunables

# Accents of Latin, Greek and Cyrillic, points of Hebrew, vowels of Arabic and its line filler. Other
# marks are vowels of their scripts (Devanagari, Thai), so they stay.
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0640]")
# Scripts that put no blanks between words.
_UNSPACED = re.compile("[\u0e01-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# Japanese is written in these and in Chinese characters.
_JAPANESE = frozenset({"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"})
# German and Nordic letters as they are written where there is no key for them.
_SPELLED_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "ß": "ss"}
)
# A word that is the address of a page or a mailbox.
_ADDRESS = re.compile(
    r"(?:https?://|www\.).*|.*@.*|(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?:[:/?].*)?",
    re.IGNORECASE,
)
# What “&” is read as. Pages may have it in another language.
AND = "and"
# Rows of company_translations whose words are legal forms, or stand beside them.
_FORM_ROWS = frozenset({"ltd", "jsc", "llc", "company", "group", "holding"})
_ARABIC = str.maketrans(
    "\u0623\u0625\u0622\u0671\u0649\u06cc\u0629\u06c0\u06a9\u06aa\u06be",
    "\u0627\u0627\u0627\u0627\u064a\u064a\u0647\u0647\u0643\u0643\u0647",
)
# Hebrew has no row there: limited.
_HEBREW_LIMITED = re.compile("בע[\"'\u05f3\u05f4]?מ")


def names_business(name: str, words: str) -> bool:
    """Whether the words of a page contain this name, apart from its legal form."""
    # An address on the page is not its name, unless the business is called by one: Booking.com.
    if not any(map(_is_address, name.split())):
        words = " ".join(word for word in words.split() if not _is_address(word))
    if _names_in_latin(name, words):
        return True
    core = _core(name)
    if _UNSPACED.search(core):
        letters = only_letters(core)
        least = tunables.FEWEST_LETTERS
        return len(letters) >= least and letters in only_letters(_plain(words))
    of_page = set(_plain(words).split())
    if core and of_page.issuperset(core.split()):
        return True
    # Severstal and Северсталь: as it sounds.
    of_name = telling(name)
    return bool(of_name) and _sounds(of_page).issuperset(of_name)


def _is_address(word: str) -> bool:
    return _ADDRESS.fullmatch(word.strip(".,;:!?()")) is not None


def _sounds(words: Iterable[str]) -> set[str]:
    sounds: set[str] = set()
    for word in words:
        if len(word) <= tunables.LONGEST_WORD:
            sounds.update(parse(word, person=False).tokens)
    return sounds


def can_compare(name: str, words: str) -> bool:
    """Whether the page has enough letters in the scripts of the name."""
    scripts = {_script(letter) for letter in only_letters(_core(name) or name)}
    scripts_of_page = [_script(letter) for letter in only_letters(words)]
    count = sum(script in scripts for script in scripts_of_page)
    return count >= tunables.LETTERS_OF_SCRIPT


def count_words(text: str) -> int:
    """The number of words. Where a script has no blanks, three letters count as one."""
    unspaced = len(_UNSPACED.findall(text))
    return len(_UNSPACED.sub(" ", text).split()) + unspaced // 3


def telling(name: str) -> list[str]:
    """The words of a name in Latin letters, without those of its legal form, and without "and"."""
    words: list[str] = []
    for word in parse(name, person=False).tokens:
        if word not in form_classes() and word != AND:
            words.append(word)
    return words


def _script(letter: str) -> str:
    """The script of a letter: LATIN, CJK, HANGUL, …"""
    script = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if script in _JAPANESE else script


def _names_in_latin(name: str, words: str) -> bool:
    plain = f" {folded(words)} "
    if len(folded(name)) > 5 and f" {folded(name)} " in plain:
        return True
    spelled = f" {folded(words.casefold().translate(_SPELLED_OUT))} "
    for spelling in (name, name.casefold().translate(_SPELLED_OUT)):
        tokens = telling(spelling)
        if not tokens:
            continue
        for text in (plain, spelled):
            if all(f" {token} " in text for token in tokens):
                return True
    joined = "".join(telling(name))
    return len(joined) >= tunables.FEWEST_JOINED and f" {joined} " in plain


def _core(name: str) -> str:
    """The name as it is written, without the words of its legal form."""
    plain = _plain(_HEBREW_LIMITED.sub(" ", UNSPACED_FORM.sub(" ", name)))
    plain = _unspaced_forms().sub(" ", plain)
    words = []
    for word in plain.split():
        if word in _form_words():
            continue
        tokens = parse(word, person=False).tokens
        is_form = tokens and form_classes().issuperset(tokens)
        if not is_form:
            words.append(word)
    return " ".join(words)


def _plain(text: str) -> str:
    """Letters, digits and vowel marks, in small letters and without accents."""
    marked = unicodedata.normalize("NFKD", text.casefold().replace("&", " "))
    # Korean syllables and Japanese voiced letters are put together again.
    plain = unicodedata.normalize("NFC", _MARKS.sub("", marked)).translate(_ARABIC)
    # Full stops within “S.A.” are removed without a space, so that it stays one word.
    plain = re.sub(r"(?<=\b\w)\.", "", plain)
    letters = []
    for char in plain:
        is_of_word = unicodedata.category(char)[0] in "LNM"
        letters.append(char if is_of_word else " ")
    return " ".join("".join(letters).split())


@cache
def _forms() -> frozenset[str]:
    forms: set[str] = set()
    for row in table("company_translations"):
        if row["english"] in _FORM_ROWS:
            forms.update(_plain(word) for word in row["words"].split("|"))
    return frozenset(forms)


@cache
def _form_words() -> frozenset[str]:
    return frozenset(word for word in _forms() if not _UNSPACED.search(word))


@cache
def _unspaced_forms() -> re.Pattern[str]:
    forms = [form for form in _forms() if _UNSPACED.search(form)]
    longest_first = sorted(forms, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)))
