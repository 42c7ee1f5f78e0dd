"""Which names can be compared.

For other names a screening must not report that there is no match.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from checks.screening import tunables
from checks.screening.matching import names
from checks.screening.matching.parts import translations
from checks.screening.matching.weights import full_words
from checks.screening.records import Entity, ListVersion, Subject
from checks.screening.romanisation import scripts
from checks.screening.romanisation.korean import (
    ONE_SYLLABLE_FAMILIES,
    TWO_SYLLABLE_FAMILIES,
)
from papers import countries

# Scripts that are romanised in the way of passports and lists. For other scripts the vowels, or the
# readings of the characters, are guesses, and tests did not find listed people by them.
COMPARABLE = frozenset(
    {
        "LATIN",
        "CYRILLIC",
        "GREEK",
        "ARABIC",
        "ARMENIAN",
        "GEORGIAN",
        "ETHIOPIC",
        "CJK",
        "HANGUL",
    }
)
_KANA = frozenset({"HIRAGANA", "KATAKANA"})
_LABELS = {
    "MYANMAR": "Burmese",
    "IDEOGRAPHIC": "Japanese",
    "KATAKANA": "Japanese",
    "HIRAGANA": "Japanese",
    "TAI": "Tai",
}
# Names of companies consist of words of these languages. Lists translate them instead of
# transliterating them.
_TRANSLATED = {
    "CJK": "Names of companies in Chinese characters",
    "HANGUL": "Names of companies in Korean letters",
    "ARABIC": "Names of companies in Arabic letters",
}
# Here a name of one word is transliterated, as Газпром is. Of longer ones the table of translations
# has to know all words but one.
_PARTLY_TRANSLATED = {
    "CYRILLIC": "Names of companies in Cyrillic letters",
    "GREEK": "Names of companies in Greek letters",
    "ARMENIAN": "Names of companies in Armenian letters",
    "GEORGIAN": "Names of companies in Georgian letters",
    "ETHIOPIC": "Names of companies in Ethiopic letters",
}
# Chinese family names of two characters.
_TWO_CHARACTERS = frozenset(
    ["欧阳", "歐陽", "司马", "司馬", "诸葛", "諸葛", "上官", "夏侯", "皇甫", "尉迟", "尉遲", "公孙", "公孫",
     "慕容", "令狐", "司徒", "司空", "东方", "東方", "独孤", "獨孤", "南宫", "南宮", "宇文", "长孙", "長孫",
     "轩辕", "軒轅", "端木", "闻人", "聞人", "东郭", "東郭", "西门", "西門", "呼延", "澹台", "澹臺"]
)  # fmt: skip
# Places where Chinese characters of names are read in another language than Mandarin.
_READ_OTHERWISE = {
    "HK": "Cantonese",
    "MO": "Cantonese",
    "KR": "Korean",
    "KP": "Korean",
    "VN": "Vietnamese",
}
# Places where names are written in Chinese characters and read in Mandarin: by pinyin in China, in
# several romanisations in Taiwan.
_READ_IN_MANDARIN = frozenset({"CN", "TW"})


def not_compared(subject: Subject) -> list[str]:
    """Return the reasons why names of the subject cannot be compared: a sentence for each, once."""
    reasons: dict[str, None] = {}
    for text in subject.names:
        reasons.update(dict.fromkeys(_reasons(text, subject)))
    return list(reasons)


def _reasons(text: str, subject: Subject) -> list[str]:
    whole = unicodedata.normalize("NFKC", text)
    reasons = _of_scripts(whole, subject)
    if any(_is_unreadable(character) for character in whole) or _is_damaged(text):
        reasons.append(
            "A name holds characters that cannot be read, and cannot be compared whole."
        )
    if not _has_words(whole, subject):
        reasons.append("A name holds no word that can be compared.")
    count = len(whole.split())
    if len(text) > tunables.LONGEST_COMPARED or count > tunables.MOST_WORDS:
        reasons.append("A name is too long to be compared whole.")
    return reasons


def _of_scripts(text: str, subject: Subject) -> list[str]:
    letters = filter(str.isalpha, text)
    scripts = dict.fromkeys(map(_script, letters))
    strange = _strange(set(scripts), subject)
    reasons = [f"Names in {label} cannot be compared reliably." for label in strange]
    if not strange and "CJK" in scripts:
        reasons += _of_characters(text, subject)
    if not strange and "HANGUL" in scripts:
        reasons += _of_hangul(text, subject)
    if not reasons and not subject.is_person:
        reasons += _of_translated(text, scripts)
    return reasons


def _of_translated(text: str, scripts: Iterable[str]) -> list[str]:
    """Return a reason for each script of which lists may have translated the words of a company."""
    labels = dict(_TRANSLATED)
    if _is_partly_unknown(text):
        labels |= _PARTLY_TRANSLATED
    return [
        f"{labels[script]} cannot be compared reliably: lists translate them."
        for script in scripts
        if script in labels
    ]


def _is_partly_unknown(text: str) -> bool:
    """Whether more words of a company than its brand have no translation here.

    An adjective or an abstract word among translated words is no brand: Белорусская калийная компания
    is the Belarusian Potash Company.
    """
    words = translations.words_by_sound(text)
    if any(map(_is_common, words)) and translations.can_translate(text):
        return True
    if any(map(_BRAND_OR_WORD.match, words)) and _has_translated_word(text):
        return True
    name = names.parse(" ".join(words), person=False)
    return len(full_words(name)) > tunables.WORDS_OF_BRAND


def _is_common(word: str) -> bool:
    return bool(_ADJECTIVE.fullmatch(word) or _ABSTRACT.fullmatch(word))


def _has_translated_word(text: str) -> bool:
    """Whether the table translates a word of the name besides its legal form."""
    english = filter(str.isascii, translations.in_english(text).split())
    return bool(full_words(names.parse(" ".join(english), person=False)))


# Of Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian and Greek, in any case.
_ADJECTIVE = re.compile(
    r"\w{3,}(?:[бвгджзклмнпрстхцчшщ](?:ая|яя|ое|ее|ый|ий|ой|ые|ие|ых|их|ого|его)|ськ(?:[аеі]|ий|ого|ої|их)|ск[аои])"  # noqa: RUF001
    r"|\w{3,}ικ(?:η|ησ|οσ|ου|ο|οι|α|ων|εσ)"  # noqa: RUF001
)
# What somebody does, those who do it, and many things: фонд благосостояния, союз изобретателей, πυραύλων.
_ABSTRACT = re.compile(
    r"\w{3,}(?:(?:ен|ан|ян|ств|ст)и[яй]|ност[иь]|[аи]тел(?:ей|я)|ників|ення|ання|изм[аом]*)"
    r"|\w{3,}(?:ισμο[συ]|ησ(?:η|ησ|εων)|τητ(?:α|ασ|ων)|ων)"  # noqa: RUF001
)
# In Armenian, Georgian and Ethiopic letters a brand looks like any other word.
_BRAND_OR_WORD = re.compile("[\u0530-\u058f\u10a0-\u10ff\u1200-\u137f]")


def _strange(scripts: set[str], subject: Subject) -> list[str]:
    """Return the names of the scripts that cannot be compared."""
    comparable = COMPARABLE | {"MODIFIER"}
    if scripts <= _KANA and "JP" in subject.nationalities:
        # Kana show how a Japanese name is read. For a foreign name they only show how it sounds in
        # Japanese.
        comparable |= _KANA
    return sorted({_label(script) for script in scripts - comparable})


def _is_unreadable(character: str) -> bool:
    """Whether this is the replacement character, a private-use character, or one that Unicode does
    not know.
    """
    return character == "\ufffd" or unicodedata.category(character) in {"Co", "Cn"}


def _is_damaged(text: str) -> bool:
    """Whether letters were lost, or UTF-8 was read as another encoding: W?jcik, YÄ±lmaz."""
    if _LOST_LETTER.search(text):
        return True
    try:
        decoded = text.encode("cp1252").decode()
    except UnicodeError:
        return False
    return decoded != text


_LOST_LETTER = re.compile(r"\?[^\W\d_]")


def _has_words(text: str, subject: Subject) -> bool:
    name = names.parse(text, person=subject.is_person)
    if not name.tokens:
        return False
    # Pictures and dots of Braille have names of their own, and are no words.
    if subject.is_person:
        return any(map(str.isalpha, text))
    return any(map(str.isalnum, text))


@lru_cache(tunables.CACHED_NAMES)
def _script(letter: str) -> str:
    first_word = unicodedata.name(letter, "UNKNOWN").split()[0]
    return first_word.partition("-")[0]


def _label(script: str) -> str:
    return _LABELS.get(script, script.title())


def _of_characters(text: str, subject: Subject) -> list[str]:
    """Return the reasons for Chinese characters.

    They are compared as in Mandarin; other readings differ.
    """
    places = {*subject.nationalities, *subject.countries}
    characters = [character for character in text if _script(character) == "CJK"]
    # A Japanese name is read differently from the same characters in Chinese.
    is_japanese = "JP" in places or "会社" in text or _has_kana(subject)
    if is_japanese or any(map(_is_japanese_alone, characters)):
        return ["Names in Japanese cannot be compared reliably."]
    for place in sorted(places):
        if place in _READ_OTHERWISE:
            language = _READ_OTHERWISE[place]
            return [
                f"Chinese characters that are read in {language} cannot be compared reliably."
            ]
    if not subject.is_person:
        return []
    family = "".join(characters[:2])
    if len(characters) > tunables.SYLLABLES_OF_NAME and family not in _TWO_CHARACTERS:
        # 山田太郎, 弗拉基米尔·普京, 林鄭月娥
        return [
            "Names in Japanese cannot be compared reliably, nor those of more than three Chinese"
            " characters, such as foreign names written by their sound: it may be either."
        ]
    return _of_unknown_reading(subject)


def _has_kana(subject: Subject) -> bool:
    letters = filter(str.isalpha, "".join(subject.names))
    return any(_script(letter) in _KANA for letter in letters)


def _of_unknown_reading(subject: Subject) -> list[str]:
    """Return the reason if it is not known in which language the characters are read.

    金正恩 is Kim Jong Un, 普京 is Putin.
    """
    origins = subject.nationalities or subject.countries
    if _READ_IN_MANDARIN & set(origins):
        return []
    if origins:
        places = ", ".join(map(countries.name, origins))
        why = f"a name in them cannot be compared reliably of somebody from {places}."
    else:
        why = "without a nationality, a name in them cannot be compared reliably."
    return [f"Chinese characters are read in several languages: {why}"]


def _of_hangul(text: str, subject: Subject) -> list[str]:
    """Return the reason if a name in Hangul is not built like a Korean name.

    A Korean name has a family name of one syllable, or one of a few with two, and given names of
    one or two syllables, which may stand apart.
    """
    if not subject.is_person:
        return []
    words = [_hangul_of(word) for word in text.split()]
    whole = "".join(words)
    families = ONE_SYLLABLE_FAMILIES | TWO_SYLLABLE_FAMILIES
    longest = tunables.SYLLABLES_OF_NAME
    if whole[:2] in TWO_SYLLABLE_FAMILIES:
        longest += 1
    may_be_family = {whole[:1], whole[:2], words[-1]}
    if len(whole) <= longest and not families.isdisjoint(may_be_family):
        return []
    longest_word = max(map(len, words))
    if longest_word <= tunables.SYLLABLES_OF_GIVEN_NAME and not families.isdisjoint(
        words
    ):
        return []
    return [
        "Foreign names in Korean letters cannot be compared reliably, and this one is not built as"
        " Korean names are."
    ]


def _hangul_of(word: str) -> str:
    return "".join([letter for letter in word if _script(letter) == "HANGUL"])


def is_too_little(subject: Subject) -> bool:
    """Whether only one word of a person's name is known, besides initials and particles.

    Lists name people by more words, so nobody is found by one.
    """
    if not subject.is_person or not subject.names:
        return False
    for text in subject.names:
        name = names.parse(text, person=True)
        if len(full_words(name, script=name.script)) > 1:
            return False
    return True


# What a list counts of its entries, by the key under which a version keeps the number.
OTHER_LETTERS, UNREADABLE_PEOPLE = "other_letters", "unreadable_people"


def kinds(entity: Entity) -> list[str]:
    """Return as what an entry is counted that names in Latin letters may not find: nothing of
    most.
    """
    if entity.has_latin_name:
        return []
    if not entity.is_person:
        return [OTHER_LETTERS]
    for listed_name in entity.names:
        person = Subject(
            [listed_name.text],
            nationalities=entity.nationalities,
            countries=entity.countries,
        )
        if not not_compared(person):
            return []
    return [UNREADABLE_PEOPLE]


def in_other_letters(
    subject: Subject, versions: Sequence[ListVersion], *, is_material: bool
) -> list[str]:
    """Return a sentence for each list with entries that a name in Latin letters may not find.

    Companies are found by translation and by sound, which miss many: a brand has neither in common
    with its name in Chinese. People are found by sound, and that of some letters is not sure.
    `is_material`: for lists of which they are a large part; else for others.
    """
    if not all(map(scripts.is_latin, subject.names)):
        return []
    sentences: list[str] = []
    for version in versions:
        if subject.is_person:
            count, sentence = version.unreadable_people, _sentence_of_people
        else:
            count, sentence = version.other_letters, _sentence_of_other_letters
        least = tunables.MATERIAL_OTHER_LETTERS * version.entities
        if count and (count >= least) == is_material:
            sentences.append(sentence(version))
    return sentences


def _sentence_of_people(version: ListVersion) -> str:
    if version.unreadable_people == 1:
        return (
            f"1 person on {version.title} has no name in letters that can be compared reliably, and"
            " may have been missed."
        )
    return (
        f"{version.unreadable_people} people on {version.title} have no name in letters that can be"
        " compared reliably, and may have been missed."
    )


def _sentence_of_other_letters(version: ListVersion) -> str:
    if version.other_letters == 1:
        return (
            f"1 entry of {version.title} is not a person and has no name in Latin letters: it was"
            " compared by translation and by sound alone."
        )
    return (
        f"{version.other_letters} entries of {version.title} are not persons and have no name in"
        " Latin letters: they were compared by translation and by sound alone."
    )


def _is_japanese_alone(character: str) -> bool:
    """Whether a character is in the character set of Japan, and in neither of those of China and
    Taiwan.
    """
    is_chinese = _is_in(character, "gb2312") or _is_in(character, "big5")
    return _is_in(character, "shift_jis") and not is_chinese


def _is_in(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
