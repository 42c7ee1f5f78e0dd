"""Which names can be compared. Of the others a screening must not say that nobody is listed."""

from __future__ import annotations

import unicodedata

from checks.screening.matching import names
from checks.screening.matching.alignment import weight
from checks.screening.records import Subject
from checks.screening.romanisation.korean import ONE_SYLLABLE_FAMILIES, TWO_SYLLABLE_FAMILIES
from papers import countries

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
# Companies are called by words of these languages, which no list writes by their sound.
_TRANSLATED = {
    "CJK": "Names of companies in Chinese characters",
    "HANGUL": "Names of companies in Korean letters",
    "ARABIC": "Names of companies in Arabic letters",
}
# Chinese family names of two characters.
_TWO_CHARACTERS = frozenset(
    ["欧阳", "歐陽", "司马", "司馬", "诸葛", "諸葛", "上官", "夏侯", "皇甫", "尉迟", "尉遲", "公孙", "公孫",
     "慕容", "令狐", "司徒", "司空", "东方", "東方", "独孤", "獨孤", "南宫", "南宮", "宇文", "长孙", "長孫",
     "轩辕", "軒轅", "端木", "闻人", "聞人", "东郭", "東郭", "西门", "西門", "呼延", "澹台", "澹臺"]
)  # fmt: skip
# A word counts as a name of its own from this weight on; particles and initials do not.
FULL_WORD = 0.5
LONGEST_CHINESE = LONGEST_KOREAN = 3
LONGEST_GIVEN = 2  # syllables of a Korean given name
# Where Chinese characters of names are read, and written in Latin letters, as in another language.
_READ_OTHERWISE = {
    "HK": "Cantonese",
    "MO": "Cantonese",
    "KR": "Korean",
    "KP": "Korean",
    "VN": "Vietnamese",
}
# Where names are written in Chinese characters and read in Mandarin: by pinyin in China, in several
# romanisations in Taiwan.
_READ_IN_MANDARIN = frozenset({"CN", "TW"})


def not_compared(subject: Subject) -> list[str]:
    """Why names of the subject cannot be compared: a sentence for each reason, each once."""
    found = [one for text in subject.names for one in _reasons(text, subject)]
    return list(dict.fromkeys(found))


def _reasons(text: str, subject: Subject) -> list[str]:
    whole = unicodedata.normalize("NFKC", text)
    scripts = dict.fromkeys(_script(c) for c in whole if c.isalpha())
    strange = [_called(one) for one in scripts if one not in COMPARABLE and one != "MODIFIER"]
    reasons = [f"Names in {one} cannot be compared reliably." for one in dict.fromkeys(strange)]
    if not strange and "CJK" in scripts:
        reasons += _of_characters(whole, subject)
    if not strange and "HANGUL" in scripts:
        reasons += _of_hangul(whole, subject)
    if not reasons and not subject.is_person:
        translated = [_TRANSLATED[one] for one in scripts if one in _TRANSLATED]
        reasons += [
            f"{one} cannot be compared reliably: lists translate them." for one in translated
        ]
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


def _of_characters(text: str, subject: Subject) -> list[str]:
    """Chinese characters are compared as Mandarin reads them. Others read them otherwise."""
    places = {*subject.nationalities, *subject.countries}
    characters = [c for c in text if _script(c) == "CJK"]
    is_japanese = (
        "JP" in places
        or "会社" in text
        or any(_script(c) in _KANA for name in subject.names for c in name if c.isalpha())
        or any(map(_is_japanese_alone, characters))
    )
    if is_japanese:
        return ["Names in Japanese cannot be compared reliably."]
    if called := next((_READ_OTHERWISE[one] for one in sorted(places & {*_READ_OTHERWISE})), ""):
        return [f"Chinese characters that are read in {called} cannot be compared reliably."]
    is_long = len(characters) > LONGEST_CHINESE
    if subject.is_person and is_long and "".join(characters[:2]) not in _TWO_CHARACTERS:
        # 山田太郎, 弗拉基米尔·普京, 林鄭月娥
        return [
            "Names in Japanese cannot be compared reliably, nor those of more than three Chinese"
            " characters, such as foreign names written by their sound: it may be either."
        ]
    return _of_unknown_reading(subject) if subject.is_person else []


def _of_unknown_reading(subject: Subject) -> list[str]:
    """Characters alone do not say in which language they are read: 金正恩 is Kim Jong Un, 普京 Putin."""
    origins = subject.nationalities or subject.countries
    if _READ_IN_MANDARIN & {*origins}:
        return []
    if origins:
        named = ", ".join(countries.name(one) for one in origins)
        why = f"a name in them cannot be compared reliably of somebody from {named}."
    else:
        why = "without a nationality, a name in them cannot be compared reliably."
    return [f"Chinese characters are read in several languages: {why}"]


def _of_hangul(text: str, subject: Subject) -> list[str]:
    """A Korean name has a family name of one syllable, or one of few of two, and given names of one
    or two, which may stand apart."""
    if not subject.is_person:
        return []
    words = ["".join(c for c in word if _script(c) == "HANGUL") for word in text.split()]
    whole, families = "".join(words), ONE_SYLLABLE_FAMILIES | TWO_SYLLABLE_FAMILIES
    is_short = len(whole) <= (4 if whole[:2] in TWO_SYLLABLE_FAMILIES else LONGEST_KOREAN)
    if is_short and (families & {whole[:1], whole[:2], words[-1]}):
        return []
    if families & {*words} and max(map(len, words)) <= LONGEST_GIVEN:
        return []
    return [
        "Foreign names in Korean letters cannot be compared reliably, and this one is not built as"
        " Korean names are."
    ]


def is_too_little(subject: Subject) -> bool:
    """Whether nothing but one word of a person's name is known, beside initials and particles:
    lists name people by more, so that nobody is found by it."""
    if not subject.is_person:
        return False
    parsed = (names.parse(text, person=True) for text in subject.names)
    return not any(
        sum(weight(word, True, name.script) > FULL_WORD for word in name.tokens) > 1  # noqa: FBT003
        for name in parsed
    )


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
