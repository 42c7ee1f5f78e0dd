# ruff: noqa: RUF001 - letters of other scripts that look like Latin ones are its subject
"""Other readings of names in letters that several languages share.

A name in Cyrillic letters is first read as passports of Russia spell it. The passports of other
countries spell some of the letters otherwise: Ганна is Ganna and Hanna, Шешељ is Sheshelj and
Seselj. Letters alone do not tell the language of a name, but its alphabet excludes some. So a name
is read in each language that has all of its letters and spells one of them otherwise.

Sources: the tables of romanisation of passports: Ukraine, Cabinet resolution 55 of 2010; Belarus,
instruction of 2000; Bulgaria, Transliteration Act of 2009. Serbia, Montenegro, North Macedonia and
Bosnia have Latin letters of their own, which lists print without their marks. Western Armenian: ISO
9985 beside the spelling of the diaspora. In the Maghreb and in Lebanon passports spell Arabic names
the French way: Chaabane is Shaaban.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

Reading = Literal[
    "usual",
    # A company with the names of countries as they stand.
    "own-countries",
    "foreign",
    "h for g",
    "south slavic",
    "bulgarian",
    "yo",
    "western armenian",
    "persian",
    "persian zh",
    "french",
    "somali",
    "hebrew b",
    "hebrew ch",
    "marks",
    "iso 9",
    "azerbaijani",
    "coarse",
    "translated",
    "translated-coarse",
]

_CYRILLIC = re.compile("[\u0400-\u04ff]")
_ARMENIAN = re.compile("[\u0531-\u0587]")
_ARABIC = re.compile("[\u0620-\u06ff]")
_ZHE = re.compile("\u0698")
_MARKED = re.compile("[šžčćđşșçśżźţț]")
# Letters of ISO 9, which other languages have within words, too: Lâm.
_OF_ISO_9 = re.compile(r"[ûŝ]|\bâ|â\b")
_AZERBAIJANI = re.compile("ə")


class _Spelling(NamedTuple):
    """How languages spell letters in Latin ones. Without alphabets no letter is excluded."""

    reading: Reading
    script: re.Pattern[str]
    alphabets: Sequence[frozenset[str]]
    letters: Mapping[str, str]


_SPELLINGS = (
    _Spelling(
        "h for g",
        _CYRILLIC,
        # Ukrainian; Belarusian.
        (
            frozenset("абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
            frozenset("абвгдеёжзійклмнопрстуўфхцчшыьэюя"),
        ),
        {"г": "h"},
    ),
    _Spelling(
        "south slavic",
        _CYRILLIC,
        # Serbian and Macedonian.
        (frozenset("абвгдђѓежзѕијклљмнњопрстћќуфхцчџш"),),
        {
            "ђ": "d", "ѓ": "gj", "ж": "z", "ѕ": "dz", "ћ": "c", "ќ": "kj", "х": "h", "ц": "c",
            "ч": "c", "џ": "dz", "ш": "s",
        },
    ),
    _Spelling(
        "bulgarian",
        _CYRILLIC,
        (frozenset("абвгдежзийклмнопрстуфхцчшщъьюя"),),
        {"щ": "sht", "ъ": "a"},
    ),
    _Spelling(
        "yo",
        _CYRILLIC,
        # Central Asia and Belarus. Passports of Russia leave the two dots out.
        (),
        {"ё": "yo"},
    ),
    _Spelling(
        "western armenian",
        _ARMENIAN,
        (),
        {
            "բ": "p", "գ": "k", "դ": "t", "ձ": "ts", "ջ": "ch", "պ": "b", "կ": "g", "տ": "d",
            "ծ": "dz", "ճ": "j",
        },
    ),
    _Spelling(
        "persian",
        _ARABIC,
        # Persian, Pashto, Urdu and Turkish: Reza, Osman.
        (),
        {"\u0636": "z", "\u0630": "z", "\u0638": "z", "\u062b": "s"},
    ),
    _Spelling(
        "persian zh",
        _ZHE,
        # As often as with a j: Bizhan and Bijan, Manizheh and Manijeh.
        (),
        {"\u0698": "zh"},
    ),
    _Spelling(
        "marks",
        _MARKED,
        # Slavic and Baltic languages, Turkish and Romanian: the mark is left out, or is an h.
        (),
        {
            "š": "sh", "ş": "sh", "ș": "sh", "ś": "sh", "ž": "zh", "ż": "zh", "ź": "zh", "č": "ch",
            "ć": "ch", "ç": "ch", "đ": "dj", "ţ": "ts", "ț": "ts",
        },
    ),
    _Spelling(
        "iso 9",
        _OF_ISO_9,
        # Libraries and offices write Russian so: Ûrij Čajka.
        (),
        {
            "û": "yu", "â": "ya", "ŝ": "shch", "č": "ch", "š": "sh", "ž": "zh", "c": "ts", "h": "kh",
            "j": "y",
        },
    ),
    _Spelling(
        "azerbaijani",
        _AZERBAIJANI,
        # Passports of others write Xəlil Məmmədov as Khalil Mammadov.
        (),
        {"ə": "a", "x": "kh", "c": "j", "q": "g", "ç": "ch", "ş": "sh"},
    ),
)  # fmt: skip
_LATIN: Sequence[Reading] = ("marks", "iso 9", "azerbaijani")
# The French ch is sh in an Arabic name only. So the name must have another sign of Arabic: Chen and
# Richard have none.
_CH = re.compile("(?<!t)ch", re.IGNORECASE)
_OF_ARABIC = re.compile(
    r"ou|aa|dj|gh|kh|eddine?\b|[ai]ne\b|\b(?:ben|bin|bel|bou|abd|el|al)", re.IGNORECASE
)
# Somali writes Arabic names with c for ayn and x for a strong h, and long vowels twice: Cabdiraxmaan
# Xuseen. One such name among the words tells the language. Source: the Latin alphabet of Somalia, 1972.
_OF_SOMALI = re.compile(
    r"\b(?:cabd[iu]\w*|c[aiu]l[iuy]|cumar|c[iu]smaan|ciise|cilmi|cawale|max[ae]m\w+|maxmuud|axmed|xasan|xus(?:een|ayn)"
    r"|xirsi|xaashi|xaaji|faarax|jaamac|nuux|saalax|siyaad|shariif|yuusuf)\b",
    re.IGNORECASE,
)
_SOMALI = (
    (re.compile(r"\bc(?=[aeiu])|(?<=[aeiou])c\b|(?<=[aeiou])c(?=[aeiou])", re.IGNORECASE), ""),
    (re.compile("x", re.IGNORECASE), "h"),
    (re.compile("([aeiou])\\1", re.IGNORECASE), r"\1"),
)  # fmt: skip
_BY_READING = {spelling.reading: spelling for spelling in _SPELLINGS}


def readings(text: str) -> Iterator[Reading]:
    """Yield the readings beside the usual one."""
    if _CH.search(text) and _OF_ARABIC.search(text):
        yield "french"
    if _OF_SOMALI.search(text):
        yield "somali"
    if text.isascii():
        return
    folded = text.casefold()
    for spelling in _SPELLINGS:
        letters = set(spelling.script.findall(folded))
        if not letters or letters.isdisjoint(spelling.letters):
            continue
        fits = any(letters <= alphabet for alphabet in spelling.alphabets)
        if fits or not spelling.alphabets:
            yield spelling.reading


def readings_of_latin(text: str) -> Iterator[Reading]:
    """Yield the readings beside the usual one of a name in Latin letters: by its marks, and Somali."""
    if _OF_SOMALI.search(text):
        yield "somali"
    if text.isascii():
        return
    folded = text.casefold()
    for reading in _LATIN:
        if _BY_READING[reading].script.search(folded):
            yield reading


def spelled(text: str, reading: Reading) -> str:
    """Return the text with the letters that the reading spells otherwise in Latin ones."""
    if reading == "french":
        return _CH.sub("sh", text)
    if reading == "somali":
        for pattern, letters in _SOMALI:
            text = pattern.sub(letters, text)
        return text
    spelling = _BY_READING.get(reading)
    if spelling is None:
        return text
    table = {ord(letter): latin for letter, latin in spelling.letters.items()}
    return text.casefold().translate(table)
