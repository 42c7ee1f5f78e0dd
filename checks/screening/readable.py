"""Which names can be compared. Of the others a screening must not say that nobody is listed."""

from __future__ import annotations

import unicodedata

from checks.screening import names
from checks.screening.records import Subject

# Letters of these are romanised as passports and lists do it. Of others the vowels, or the
# readings of the characters, are guesses: listed people were not found by them.
COMPARABLE = frozenset(
    {"LATIN", "CYRILLIC", "GREEK", "ARABIC", "ARMENIAN", "GEORGIAN", "ETHIOPIC", "CJK", "HANGUL"}
)
_KANA = frozenset({"HIRAGANA", "KATAKANA"})
_CALLED = {
    "MYANMAR": "Burmese",
    "IDEOGRAPHIC": "Japanese",
    "KATAKANA": "Japanese",
    "HIRAGANA": "Japanese",
    "TAI": "Tai",
}
# Chinese family names of two characters. Other names of four are Japanese, or foreign names
# written by their sound.
_TWO_CHARACTERS = frozenset(
    ["欧阳", "歐陽", "司马", "司馬", "诸葛", "諸葛", "上官", "夏侯", "皇甫", "尉迟", "尉遲", "公孙", "公孫",
     "慕容", "令狐", "司徒", "司空", "东方", "東方", "独孤", "獨孤", "南宫", "南宮", "宇文", "长孙", "長孫",
     "轩辕", "軒轅", "端木", "闻人", "聞人", "东郭", "東郭", "西门", "西門", "呼延", "澹台", "澹臺"]
)  # fmt: skip
LONGEST_CHINESE = 3


def not_compared(subject: Subject) -> list[str]:
    """Why names of the subject cannot be compared: a sentence for each reason, each once."""
    found = [one for text in subject.names for one in _reasons(text, subject)]
    return list(dict.fromkeys(found))


def _reasons(text: str, subject: Subject) -> list[str]:
    whole = unicodedata.normalize("NFKC", text)
    scripts = dict.fromkeys(_script(c) for c in whole if c.isalpha())
    strange = [_called(one) for one in scripts if one not in COMPARABLE and one != "MODIFIER"]
    if not strange and "CJK" in scripts and _may_be_japanese(whole, subject):
        strange = ["Japanese"]
    reasons = [f"Names in {one} cannot be compared reliably." for one in dict.fromkeys(strange)]
    if any(c == "\ufffd" or unicodedata.category(c) in {"Co", "Cn"} for c in whole):
        reasons.append("A name holds characters that cannot be read, and cannot be compared whole.")
    if not _has_words(whole, subject):
        reasons.append("A name holds no word that can be compared.")
    if len(text) > names.MAX_LENGTH or len(whole.split()) > names.MAX_TOKENS:
        reasons.append("A name is too long to be compared whole.")
    return reasons


def _has_words(text: str, subject: Subject) -> bool:
    tokens = names.parse(text, person=subject.is_person).tokens
    return bool(tokens) and (not subject.is_person or any(c.isalpha() for c in text))


def _script(letter: str) -> str:
    return unicodedata.name(letter, "UNKNOWN").split()[0].split("-")[0]


def _called(script: str) -> str:
    return _CALLED.get(script, script.title())


def _may_be_japanese(text: str, subject: Subject) -> bool:
    """Kanji are read otherwise than in Chinese, which is how they are compared."""
    if "JP" in {*subject.nationalities, *subject.countries}:
        return True
    if any(_script(c) in _KANA for name in subject.names for c in name if c.isalpha()):
        return True
    if "会社" in text:
        return True
    characters = [c for c in text if _script(c) == "CJK"]
    if any(_is_japanese_alone(c) for c in characters):
        return True
    is_long = subject.is_person and len(characters) > LONGEST_CHINESE
    return is_long and "".join(characters[:2]) not in _TWO_CHARACTERS


def _is_japanese_alone(character: str) -> bool:
    """Is it in the character set of Japan, and in neither of China's and Taiwan's?"""
    return _is_in(character, "shift_jis") and not any(
        _is_in(character, known) for known in ("gb2312", "big5")
    )


def _is_in(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
