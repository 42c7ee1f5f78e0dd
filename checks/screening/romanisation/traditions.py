"""Latin spellings of the same name by the rules of several languages.

A name that was not written in Latin letters is spelt in them as the readers of a country would say
it: Пригожин is Prigozhin in English, Prigojine in French, Prigoschin in German and Prigożyn in
Polish. A list has one of these, and a passport another. So a word is respelt as English has it, by
each tradition of which it shows a sign, and two words that agree in any of these forms are one word
in two traditions.

Sources: the tables of transliteration in the rules of spelling of Duden and Larousse for Russian;
PWN for Polish; ICAO 9303 for what passports of Ukraine, Serbia and Turkey leave of their letters;
the spelling of Indonesian before 1972; the list of variants of Arabic letters in the manual of
BGN/PCGN; Lithuanian and Latvian rules, by which foreign names get the endings of these languages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from checks.screening import tunables
from checks.screening.romanisation import phonetics

HOW = "another transliteration"


class _Tradition(NamedTuple):
    """What a tradition writes, and how English writes it. Words without `sign` are not read."""

    name: str
    sign: re.Pattern[str]
    letters: Sequence[tuple[re.Pattern[str], str]]


def _tradition(name: str, sign: str, *letters: tuple[str, str]) -> _Tradition:
    replacements = [(re.compile(pattern), english) for pattern, english in letters]
    return _Tradition(name, re.compile(sign), replacements)


# How languages of Europe spell names of others. Two spellings may be of two such languages:
# Milosevic and Milochevitch. An upper-case letter is a sound that the next replacements must not
# touch.
_TRADITIONS = (
    # Chafik, Prigojine, Gueorgui, Ouali, Daoud.
    _tradition(
        "French",
        "ch|j|ou|gu[eiy]|[ai]ne$|ff$",
        ("tch", "C"), ("ch", "sh"), ("C", "ch"), ("gu(?=[eiy])", "g"), ("dj", "j"),
        ("(?<=[ai]n)e$", ""), ("ff$", "v"), ("aou", "awu"), ("ou(?=[aeiy])", "w"),
    ),
    # Yacine, Moncef, Hocine.
    _tradition(
        "French, c",
        "c(?=[ei])",
        ("tch", "C"), ("ch", "sh"), ("C", "ch"), ("c(?=[ei])", "s"), ("(?<=[ai]n)e$", ""), ("ou(?=[aeiy])", "w"),
    ),
    # Prigoschin, Tschubais, Hadschi, Jewgeni, Chodorkowski. German has one spelling for sh and zh.
    _tradition(
        "German",
        "sch|ch|j|ae|oe|ue",
        ("dsch", "J"), ("tsch", "C"), ("sch", "S"), ("ch", "kh"), ("j", "y"), ("[ao]e|(?<![gq])ue(?=[^l])", "o"),
        ("J", "j"), ("C", "ch"), ("S", "sh"),
    ),
    _tradition(
        "German, sch for zh",
        "(?<![td])sch",
        ("tsch", "C"), ("sch", "Z"), ("ch", "kh"), ("j", "y"), ("C", "ch"), ("Z", "zh"),
    ),
    # Czubajs, Szojgu, Rzukow, Chodorkowski, Jelcyn.
    _tradition(
        "Polish",
        "[csr]z|ch|j|c[yi]|w",
        ("szcz", "shC"), ("cz", "C"), ("sz", "sh"), ("rz", "zh"), ("ch", "kh"), ("c", "ts"), ("j", "y"),
        ("C", "ch"),
    ),
    # Milosevic, Karadzic, Djindjic: passports and lists leave the marks of the letters out.
    _tradition("South Slavic", "ic$", ("dz", "j"), ("c", "ch"), ("j$", "y")),
    _tradition("South Slavic, s", "s.*ic$", ("dz", "j"), ("c", "ch"), ("s", "sh")),
    _tradition("South Slavic, z", "z.*ic$", ("c", "ch"), ("z", "zh")),
    # Karapetyan and Garabedian, Sarkissian and Sargsyan: the two standards of Armenian.
    _tradition("Armenian", "[iy]an$", ("(?<!^)kh", "H"), ("k", "g"), ("p", "b"), ("t", "d"), ("H", "kh")),
    # Vladimiras, Andrejus, Ivanovs, Sergejs. Neither language writes tz: Baltatzis is Greek.
    _tradition(
        "Baltic",
        "([^aeiouyz]|(?<!t)z|j)(a|i|u|iu)?s$",
        ("(?<=[ei]j)(a|u)?s$", ""), ("(?<=[^aeiouy])(a|i|u|iu)?s$", ""), ("j", "y"), ("c(?=ov|ev)", "ts"),
    ),
    # Phatcharaphon and Patcharapol, Wisut and Visuth: Thai says n for l and r at the end of a word, and t for
    # s, d and th. RTGS writes what is said, and families what is written.
    _tradition(
        "Thai",
        "ph|th|kh|[wv]i|p[ao]l$|p[ao]rn$|k[ao]rn|wong|vong|chai|[wvr]at|sak$|sakdi$|kul$|siri|suk|boon|bun|charo|panich|thep|dej$"
        "|[nks]it$|deth?$",
        ("sakdi$", "sak"), ("ph|bh", "p"), ("th", "t"), ("kh", "k"), ("v", "w"), ("oo", "u"), ("or(?=n)", "o"),
        ("ar(?=n)", "a"), ("[lr]$", "n"), ("(t|d|s|ch|j)$", "t"), ("b$", "p"), ("(?<!n)g$", "k"), ("ee", "i"),
    ),
    # Ghassem and Qasem, Gaddafi, Qadhafi and Kadhafi: two letters of Arabic, said otherwise in Iran
    # and Libya.
    _tradition("Arabic, q", "q|dh", ("[qk](?!h)", "g"), ("dh", "d")),
)  # fmt: skip

# How a country spells its own names. The other spelling is then the usual one: were both respelt,
# Cates would be Gates.
_OF_COUNTRIES = (
    # Cevdet, Recep, Cemil: c is j, and a short Arabic a is e. The last consonant is a hard one.
    _tradition(
        "Turkish",
        "c(?=[aeiou])",
        ("ch", "C"), ("c", "j"), ("e", "a"), ("p$", "b"), ("C", "ch"),
    ),
    _tradition("Turkish, c", "c(?=[aeiou])", ("ch", "C"), ("c", "j"), ("C", "ch")),
    # Oguetcue and Ogutcu, Soeren and Soren: what machines read and ICAO 9303 make of the marks, where others
    # leave them out.
    _tradition(
        "marks spelt out",
        "ae|oe|(?<!q)ue",
        ("ae", "a"), ("oe", "o"), ("(?<!q)ue", "u"),
    ),
    # Paulouski, Lukashenka, Dzmitry: a v before a consonant is a u, and an o that is hardly heard an a.
    _tradition(
        "Belarusian",
        "[ao]u(?=[^aeiouy]|$)|[aeiouy]nka$|dz(?=m)|tsi",
        ("[ao]u$", "ov"), ("(?<=[ao])u(?=[^aeiouy])", "v"), ("(?<=n)ka$", "ko"), ("dz(?=m)", "d"), ("ts(?=i)", "t"),
    ),
    # Kalesnikau is Kolesnikov: the same, and the first vowel of a Russian word, which is hardly heard.
    _tradition(
        "Belarusian, a for o",
        "^[^aeiouy]+a.*[ao]u(?=[^aeiouy]|$)|^[^aeiouy]+a.*[aeiouy]nka$",
        ("^([^aeiouy]+)a", r"\1o"), ("[ao]u$", "ov"), ("(?<=[ao])u(?=[^aeiouy])", "v"), ("(?<=n)ka$", "ko"),
    ),
    # Narinder and Surinder are Narendra and Surendra.
    _tradition("Punjabi", "[ie]nder$|indra$", ("[ie]nd(er|ra)$", "endra")),
    # Soeharto, Djoko, Tjokro, Sjarifuddin.
    _tradition("Dutch", "oe|[dst]j", ("oe", "u"), ("dj", "J"), ("tj", "ch"), ("sj", "sh"), ("j", "y"), ("J", "j")),
    # Tjokro is Cokro in Indonesia since 1972: a c is the ch of English.
    _tradition("Dutch, c", "tj|dj", ("oe", "u"), ("dj", "J"), ("tj", "c"), ("sj", "sh"), ("j", "y"), ("J", "j")),
    # Syozi is Shoji: the spelling of Japanese offices (Cabinet order of 1954), where passports have Hepburn.
    _tradition(
        "Kunrei",
        "^(?=.*(?:[szt]y[auo]|[szt]i|tu|hu))(?:[bdghkmnprstwyz]?y?[aeiou]+n?)+$",
        ("sy|s(?=i)", "sh"), ("zyi?|z(?=i)", "j"), ("ty|t(?=i)", "ch"), ("tu", "tsu"), ("hu", "fu"), ("oh(?=[^aeiou]|$)", "o"),
    ),
    # Xhaferi, Hoxha.
    _tradition("Albanian", "xh|q", ("xh", "j"), ("q", "ch")),
    # Gamal and Jamal, Gemayel and Jumayel: one letter, said otherwise in Egypt.
    _tradition("Arabic, g", "^g(?=[ae])", ("^g", "j")),
)  # fmt: skip

# Saif and Seif, Chaim and Heim, Weiss and Vays: one syllable is enough here, as no other sign is read.
_DIPHTHONGS = _tradition(
    "diphthongs", "[ae][iy]", ("(?<!s)ch", "kh"), ("[ae][iy]", "ey")
)
# Holub and Golub, Hryhorii and Grigorii: Ukrainian and Czech have h where Russian has g. Russian has
# no h either, and writes Hamid as Gamid. The Arabic gh is another sound: Hassan is not Ghassan.
_H = re.compile("(?<![cskgztdpw])h(?=[aeiouyrl])")
# The same, to find Hryhorenko by Grigorenko.
_G = re.compile("(?<![ngd])g(?=[aeiouyrl])")


# The only letters that no tradition writes otherwise, but for b and p. Words in which these differ
# need not be read.
_OUTLINE = str.maketrans("p", "b", "acdefghijkoqstuvwxyz")


def outline(word: str) -> str:
    """Return the letters that two words share if they may be one word in two traditions."""
    # Thai says n for the l and the r of these ends.
    if word.endswith(_ENDS_OF_THAI):
        word = word[: word.rindex("p")] + "pon"
    return _TWICE.sub(phonetics.first_group, word.translate(_OUTLINE))


_ENDS_OF_THAI = ("pol", "phol", "porn", "phorn")


_TWICE = re.compile(r"(.)\1+")


class _Sounds(NamedTuple):
    """The sounds of a word by traditions that may meet, its own one among them, and by countries."""

    of_all: frozenset[str]
    of_countries: frozenset[str]


def sounds(word: str) -> frozenset[str]:
    """Return the sound of a word as it stands, and by each tradition of which it shows a sign."""
    return _sounds(word).of_all


@lru_cache(tunables.CACHED_WORDS)
def _sounds(word: str) -> _Sounds:
    spellings = _read_by(_TRADITIONS, word)
    if _DIPHTHONGS.sign.search(word):
        spellings.append(_read(word, _DIPHTHONGS))
    return _Sounds(
        of_all=frozenset([phonetics.spelling(word), *spellings]),
        of_countries=frozenset(_read_by(_OF_COUNTRIES, word)),
    )


def other_sounds(word: str) -> tuple[str, ...]:
    """Return the sounds of a word by its other traditions, for the keys by which it is searched."""
    if len(word) < tunables.SHORTEST_OF_TRADITION:
        return ()
    others = {*sounds(word), *_sounds(word).of_countries, _with_g(word), _with_h(word)}
    return tuple(sorted(filter(_is_enough, others - {phonetics.spelling(word)})))


@lru_cache(tunables.CACHED_PAIRS)
def score(a: str, b: str) -> float:
    """Return how similar two words are if each is read by its own tradition; 0 for most words."""
    if min(len(a), len(b)) < tunables.SHORTEST_OF_TRADITION:
        return 0.0
    usual_a, usual_b = phonetics.spelling(a), phonetics.spelling(b)
    if (
        not sounds(a).isdisjoint(sounds(b))
        or usual_a in _sounds(b).of_countries
        or usual_b in _sounds(a).of_countries
        or _differ_by_h(a, b)
    ):
        return tunables.OTHER_TRADITION
    for sound, other in product(sounds(a), sounds(b)):
        is_usual = sound == usual_a and other == usual_b
        if not is_usual and _lack_only_vowels(sound, other):
            return tunables.OTHER_TRADITION_WITHOUT_VOWELS
    return 0.0


def _read_by(which: Sequence[_Tradition], word: str) -> list[str]:
    spellings = [
        _read(word, tradition) for tradition in which if tradition.sign.search(word)
    ]
    return list(filter(_is_enough, spellings))


def _read(word: str, tradition: _Tradition) -> str:
    """Return the sound of a word by one tradition."""
    for pattern, replacement in tradition.letters:
        word = pattern.sub(replacement, word)
    return phonetics.spelling(word)


_VOWEL = re.compile("[aeiou]+")


def _is_enough(sound: str) -> bool:
    """Whether a sound has two syllables. In one syllable each sign makes another name: Chen, Shen."""
    return len(_VOWEL.findall(sound)) > 1


def _with_g(word: str) -> str:
    return phonetics.spelling(_H.sub("g", word))


def _with_h(word: str) -> str:
    return phonetics.spelling(_G.sub("h", word))


def _differ_by_h(a: str, b: str) -> bool:
    if min(len(a), len(b)) < tunables.SHORTEST_WITH_H:
        return False
    if "gh" in a or "gh" in b:
        return False
    return _with_g(a) == _with_g(b) and _is_enough(_with_g(a))


def _lack_only_vowels(a: str, b: str) -> bool:
    """Whether both have the same consonants, four or more, and one has some vowels fewer."""
    if a[0] != b[0] or a[-1] != b[-1]:
        return False
    consonants = _VOWEL.sub("", a)
    if len(consonants) < tunables.CONSONANTS_OF_TRADITION:
        return False
    return consonants == _VOWEL.sub("", b) and not phonetics.are_other_vowels(a, b)
