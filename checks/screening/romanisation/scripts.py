# ruff: noqa: RUF001 - letters of other scripts that look like Latin ones are its subject
"""Converts a name as it was written into text for comparison: look-alikes, marks, order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from anyascii import anyascii

from checks.screening.romanisation import (
    burmese,
    coarse,
    ethiopic,
    hebrew,
    indic,
    languages,
)
from checks.screening.romanisation.languages import Reading

# Cyrillic and Greek letters that look like Latin ones.
_CYRILLIC = dict(
    zip("асеорхуіѕјкмтнвАВЕКМНОРСТХІЅЈУ", "aceopxyisjkmthbABEKMHOPCTXISJY", strict=True)
)
_GREEK = dict(zip("αονΑΒΕΖΗΙΚΜΝΟΡΤΥΧι", "aovABEZHIKMNOPTYXi", strict=True))
LOOK_ALIKES = str.maketrans({**_CYRILLIC, **_GREEK, "ı": "i"})
# Latin letters within Cyrillic words, as a keyboard without the Ukrainian i has them.
_LATIN_IN_CYRILLIC = str.maketrans(
    "aceopxyisjABEKMHOPCTXISJY", "асеорхуіѕјАВЕКМНОРСТХІЅЈУ"
)
_DIGITS_FOR_LETTERS = str.maketrans("0135849@$|", "olesbagasl")
# A 1 between consonants stands for i (M1chael), and beside a vowel for l (V1adimir).
_ONE_AS_I = re.compile(r"(?<![aeiouy01])[1|](?![aeiouy01|])", re.IGNORECASE)
_GREEK_ACCENTS = frozenset("\u0300\u0301\u0304\u0306\u0313\u0314\u0342\u0345")
_LATIN = re.compile("[A-Za-z]")
_CYRILLIC_OR_GREEK = re.compile("[\u0370-\u03ff\u0400-\u04ff]")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"
)
# The zero-width non-joiner, which separates parts of words in Persian.
_NON_JOINER = re.compile("(?<=[\u0600-\u06ff])\u200c(?=[\u0600-\u06ff])")
# With a full stop it is short for Maria in Spanish. Without one it is a name of China.
_MARIA = re.compile(r"\bMa\.(?=\s+\w)", re.IGNORECASE)
_APOSTROPHES = "'’`ʼʻ‘ʹʿʾ´"
_GREEK_LETTERS = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
# Two Greek letters for one sound. At the beginning or end of a word they are always one sound.
_GREEK_SOUNDS: Sequence[tuple[re.Pattern[str], str]] = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        ("ου(?!\u0308)", "u"), (r"\bμπ|μπ\b", "b"), (r"\bντ|ντ\b", "d"), (r"\bγκ|γκ\b", "g"), ("γγ", "ng"),
        ("([αεη])υ(?!\u0308)(?=[θκξπσςτφχψ]|\\b)", r"\1f"), ("([αεη])υ(?!\u0308)", r"\1v"),
    )
]  # fmt: skip
# Foreign names have these sounds, for which Greek has no letter, also within a word: Μεντβέντεφ is
# Medvedev. Greek names have two sounds there: Παντελής is Pantelis. Αντρέι is Andrei in both.
_GREEK_FOREIGN_SOUNDS: Sequence[tuple[re.Pattern[str], str]] = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        ("(?<=[αεηιουω])ντρ", "ndr"), ("μπ", "b"), ("ντ", "d"), ("γκ", "g"), ("τζ", "j"), ("χ", "h"),
        ("γι(?=[αεηοω])", "y"), (r"(?<=[οεω])φ\b", "v"),
    )
]  # fmt: skip
# Greek, Devanagari, Bengali and Tamil.
_WITH_FOREIGN_SOUNDS = re.compile(
    "[\u0370-\u03ff\u1f00-\u1fff\u0900-\u09ff\u0b80-\u0bff]"
)
_ARMENIAN_U = re.compile("ու", re.IGNORECASE)
_HANGUL = re.compile("[\uac00-\ud7af]")
_HAN = re.compile("[\u3400-\u9fff]")
_KANA = re.compile("[\u3040-\u30ff]")
_KANA_DOUBLED = re.compile("[\u3063\u30c3]")
# Shi with a small yo is sho, ri with a small yu is ryu.
_KANA_SYLLABLE = re.compile("(sh|ch|j|[bghkmnpr])iy(?=[aou])")
_ABJAD = re.compile("[\u0590-\u06ff\u0750-\u077f\ufb1d-\ufdff\ufe70-\ufeff]")
# Thai has vowels, but passports spell them in many ways. So its consonants are compared like those
# of Arabic.
_THAI = re.compile("[\u0e01-\u0e7f]")
# A silent consonant, a vowel that is written before its consonant, and an h that only marks the
# tone.
_THAI_SOUNDS: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile("[\u0e01-\u0e2e][\u0e34\u0e38]?\u0e4c"), ""),
    (re.compile("([\u0e40-\u0e44])([\u0e01-\u0e2e])"), r"\2\1"),
    (
        re.compile(
            r"(?<!\S)\u0e2b(?=[\u0e07\u0e0d\u0e19\u0e21\u0e22\u0e23\u0e25\u0e27])"
        ),
        "",
    ),
)
# Letters of Persian and Urdu that Arabic does not have, and their pronunciation of some Arabic
# letters.
_PERSIAN = re.compile(
    "[\u067e\u0686\u0698\u06a9\u06af\u06cc\u0679\u0688\u0691\u06ba\u06c1\u06d2]"
)
_PERSIAN_SOUNDS = str.maketrans("\u0636\u0630\u0638\u062b", "\u0632\u0632\u0632\u0633")
# Zhe is spelt j and zh.
_PERSIAN_J = str.maketrans("\u0698", "\u062c")
# The dz of Pashto is z in passports: Zalmay.
_PASHTO_DZ = str.maketrans("\u0681", "\u0632")
# Letters that only Uyghur and Kurdish have. They read the last letter of Musa as an i.
_OF_UYGHUR = re.compile("[\u06c6-\u06c8\u06cb\u06d0\u06d5]|(?<!\\S)\u0626")
_UYGHUR_I = str.maketrans("\u0649", "\u064a")
# S.A.R.L., L.P.: these letters form one word, separate from letters or numbers beside them.
_DOTTED = re.compile(r"\b(?:[^\W\d_]\.){2,}(?:[^\W\d_]\b)?")
# Persian and Urdu join two words by -e- or -i-, which is no number: Jaish-i-Mohammed.
_IZAFAT = re.compile(r"(?<=\w)-[ie]-(?=\w)", re.IGNORECASE)
_VOWEL_MARKS = re.compile("[\u0591-\u05c7\u064b-\u065f\u0670\u0640]")


def script_of(text: str) -> str:
    """Return the script that decides how a name is compared: hangul, han, abjad (Arabic, Hebrew,
    Thai), or "".
    """
    if _HANGUL.search(text):
        return "hangul"
    if _HAN.search(text) and not _KANA.search(text):
        return "han"
    if _ABJAD.search(text) or _THAI.search(text):
        return "abjad"
    return ""


def is_latin(text: str) -> bool:
    """Whether every letter of the name is a Latin one."""
    for letter in filter(str.isalpha, text):
        if not unicodedata.name(letter, "").startswith("LATIN"):
            return False
    return True


def scripts_of(text: str) -> frozenset[str]:
    """Return the scripts of the letters, each by the first word of the names of its letters in Unicode."""
    names = []
    for letter in filter(str.isalpha, text):
        first_word = unicodedata.name(letter, "UNKNOWN").split()[0]
        names.append(first_word.partition("-")[0])
    return frozenset(names)


def are_of_one_script(name: str, other: str) -> bool:
    """Whether both are in Latin letters, or both in the same others. Japanese has characters and kana."""
    if is_latin(name) != is_latin(other):
        return False
    return is_latin(name) or scripts_of(name) == scripts_of(other)


def clean(text: str, *, person: bool) -> str:
    """Return the name in one Unicode form, without invisible characters and disguises."""
    text = _NON_JOINER.sub(" ", text)
    text = text.replace("\u00a0", " ")
    text = _INVISIBLE.sub("", text)
    text = unicodedata.normalize("NFKC", text)
    text = _without_look_alikes(text)
    if not person:
        return _DOTTED.sub(_without_dots, _IZAFAT.sub(" ", text))
    if "." in text:
        text = _MARIA.sub("Maria", text)
    text = " ".join(map(_without_digits, text.split()))
    return _with_surname_last(text)


def without_invisible(text: str) -> str:
    return _INVISIBLE.sub("", text)


def _with_surname_last(text: str) -> str:
    """Convert “SURNAME, Given” into “Given SURNAME”."""
    if text.count(",") != 1:
        return text
    surname, given_names = map(str.strip, text.split(","))
    if not surname or not given_names:
        return text
    return f"{given_names} {surname}"


def _without_dots(match: re.Match[str]) -> str:
    return match.group().replace(".", "")


def latin(text: str, script: str, *, reading: Reading = "usual") -> str:
    """Return the name in lower-case ASCII letters and digits, with words separated by spaces.

    Reading "foreign": as a foreign name, in a script that lacks sounds of such names.
    """
    as_foreign = reading == "foreign"
    if script == "hangul":
        text = _HANGUL.sub(r"\g<0> ", text)
    elif script == "han":
        text = _HAN.sub(r"\g<0> ", text)
    elif script == "abjad":
        text = hebrew.in_latin(_unmarked(text, reading), reading)
    elif _GREEK_LETTERS.search(text):
        text = _greek(text, as_foreign=as_foreign)
    # Scripts with their own rules are converted first. `anyascii` converts the rest.
    text = indic.in_latin(text, as_foreign=as_foreign)
    text = burmese.in_latin(text)
    text = ethiopic.with_vowels(text)
    text = _ARMENIAN_U.sub("u", text)
    text = languages.spelled(text, reading)
    text = re.sub(rf"(?<=\w)[{_APOSTROPHES}](?=\w)|(?<!\w)[{_APOSTROPHES}]", "", text)
    is_kana = bool(_KANA.search(text))
    text = anyascii(_KANA_DOUBLED.sub("", text)).casefold()
    if is_kana:
        text = _KANA_SYLLABLE.sub(_with_small_vowel, text)
    text = re.sub(r"(?<=[a-z])['`](?=[a-z])", "", text).replace("&", " and ")
    return " ".join(re.findall("[a-z0-9]+", text))


def _with_small_vowel(match: re.Match[str]) -> str:
    consonant = match.group(1)
    if consonant in {"sh", "ch", "j"}:
        return consonant
    return f"{consonant}y"


def _without_look_alikes(text: str) -> str:
    """Convert look-alikes to Latin letters, if the text has both Latin and Cyrillic or Greek
    letters.

    A word with both is Latin, unless only its Latin letters are look-alikes. If all its letters
    are, the other words decide. A word that consists only of Cyrillic look-alikes is Latin, but for
    one small letter, which is a preposition.
    """
    if not (_LATIN.search(text) and _CYRILLIC_OR_GREEK.search(text)):
        return text
    has_own_letters = _CYRILLIC_OR_GREEK.search(text.translate(LOOK_ALIKES)) is not None
    words = []
    for word in text.split():
        words.append(
            _without_look_alikes_in_word(word, has_own_letters=has_own_letters)
        )
    return " ".join(words)


def _without_look_alikes_in_word(word: str, *, has_own_letters: bool) -> str:
    is_preposition = len(word) == 1 and word.islower()
    if is_preposition or not _CYRILLIC_OR_GREEK.search(word):
        return word
    plain = word.translate(LOOK_ALIKES)
    is_plain = not _CYRILLIC_OR_GREEK.search(plain)
    if not _LATIN.search(word):
        return plain if is_plain else word
    native = word.translate(_LATIN_IN_CYRILLIC)
    is_native = has_own_letters and not _LATIN.search(native)
    return native if is_native else plain


def _without_digits(word: str) -> str:
    is_disguise = _LATIN.search(word) and re.search(r"[0134589@$|]", word)
    if not is_disguise:
        return word
    return _ONE_AS_I.sub("i", word).translate(_DIGITS_FOR_LETTERS)


def readings(text: str) -> Iterator[Reading]:
    """Yield the ways to read a name: the usual one first. Most names have no other."""
    yield "usual"
    text = unicodedata.normalize("NFKC", text)
    # A foreign name may be read otherwise than one of the language that is so written.
    if _WITH_FOREIGN_SOUNDS.search(text):
        usual = latin(text, "")
        if latin(text, "", reading="foreign") != usual:
            yield "foreign"
    yield from hebrew.readings(text)
    yield from languages.readings(text)


def readings_of_listed(text: str, *, has_latin_name: bool) -> Iterator[Reading]:
    """Yield the ways to read a listed name: also with the sounds of the marks on its letters.

    In other scripts the query alone is read in several ways if the entry has a name in Latin
    letters, too. If it has none, this name is all there is to find it by.
    """
    if has_latin_name:
        yield "usual"
        yield from languages.readings_of_latin(text)
        return
    yield from readings(text)
    if coarse.has_letters(text):
        yield "coarse"


def _greek(text: str, *, as_foreign: bool = False) -> str:
    """Return Greek without accents, with one letter for two letters of one sound."""
    apart = unicodedata.normalize("NFD", text.casefold())
    text = "".join(c for c in apart if c not in _GREEK_ACCENTS)
    if as_foreign:
        for pattern, sound in _GREEK_FOREIGN_SOUNDS:
            text = pattern.sub(sound, text)
    for pattern, replacement in _GREEK_SOUNDS:
        text = pattern.sub(replacement, text)
    return text


# At the end of a Persian name an h is silent before -ei, which may stand apart: خامنه ای is Khamenei.
_PERSIAN_EI = re.compile("(?<=\\w)\u0647 (\u0627[\u06cc\u064a])(?!\\w)")
# The title of descendants of the Prophet is often written together with the name: سیدحسن.
_SAYYID = re.compile("(?<!\\S)\u0633[\u06cc\u064a]\u062f(?=\\w{3})")


# Allah, Ilyas, Ilham, Altaf, Elahi and foreign names such as Alexander begin with these letters, too.
_NO_ARTICLE = "|".join(
    ["له", "ياس", "یاس", "هام", "هان", "هه", "طاف", "هی", "هي", "ناز", "ياهو"]
)
_FOREIGN_BEGINNING = "كسا?ند|کسا?ند|برت|فرد|فري?دو|يزاب|یزاب|كسي|کسی"
_ARTICLE = re.compile(
    rf"(^|\s)ال(?!(?:{_NO_ARTICLE})(?:\s|$)|{_FOREIGN_BEGINNING})(?=\w{{2}})"
)


# Abu and the article are written with the name behind them, or apart: ابو الفضل is ابوالفضل.
_KUNYA = re.compile(r"(?<!\S)[اأآ]بو ?ال(?=(?:فضل|قاسم|حسن|فتح|خير|خیر)(?!\w))")
_ABU_BAKR = re.compile(r"(?<!\S)[اأآ]بو ?ب[كک]ر(?!\w)")
# Zulfiqar, Dhu al-Qarnayn, Zunnun: the l is said, and the name is one word.
_DHU = re.compile(r"(?<!\S)ذو ?ال(?=(?:فقار|قرنين|نون|کفل|كفل)(?!\w))")
# Titles that have the article, or two words, so that their consonants alone tell nothing. They stand
# before two names or more, and become the usual words for a general and a cleric.
_RANK = re.compile(
    r"(?<!\S)ال(?:عميد|لواء|عقيد|فريق|مقدم|رائد|نقيب|مشير)(?=\s+\w+\s+\w)"
)
_CLERIC = re.compile(
    r"(?<!\S)(?:حج[ةت] ?ال[إا]سلام(?: والمسلمین| والمسلمين)?|[آا][يی][ةت] ?الله)(?=\s+\w+\s+\w)"
)
# Urdu has a letter of its own for h.
_URDU_H = str.maketrans("\u06c1", "\u0647")


def _unmarked(text: str, reading: Reading) -> str:
    """Remove vowel marks and the article from Arabic, Hebrew and Thai, and join Abd with the next
    word.
    """
    text = _VOWEL_MARKS.sub("", text).translate(_PASHTO_DZ)
    text = text.translate(_URDU_H)
    text = _CLERIC.sub("شيخ", _RANK.sub("جنرال", text))
    text = _DHU.sub("ذول", text)
    text = _ABU_BAKR.sub("ابوبكر", _KUNYA.sub("ابوال", text))
    if _OF_UYGHUR.search(text):
        text = text.translate(_UYGHUR_I)
    if _PERSIAN.search(text):
        text = text.translate(_PERSIAN_SOUNDS)
    if reading != "persian zh":
        text = text.translate(_PERSIAN_J)
    for pattern, replacement in _THAI_SOUNDS:
        text = pattern.sub(replacement, text)
    text = _PERSIAN_EI.sub(r"\1", text)
    text = _SAYYID.sub(r"\g<0> ", text)
    text = re.sub(r"(^|\s)عبد ?ال", r"\1عبدال", text)
    return _ARTICLE.sub(r"\1", text)
