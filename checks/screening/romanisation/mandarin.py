"""Syllables of Mandarin, and their spelling in each romanisation.

Pinyin is the official spelling of the People's Republic of China (ISO 7098). People from Taiwan and
older lists use Wade-Giles (Library of Congress tables before 1997), and passports of Taiwan also
Mandarin Phonetic Symbols II (1986) and Tongyong (2002). The tables have no tone marks and no
apostrophes, because lists and passports omit them: so "chang" in Wade-Giles is zhang or chang. The
letter v stands for ü.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from operator import add

# For each initial in pinyin: Wade-Giles, Mandarin Phonetic Symbols II, Tongyong.
_INITIALS = {
    "b": ("p", "b", "b"), "p": ("p", "p", "p"), "m": ("m", "m", "m"), "f": ("f", "f", "f"),
    "d": ("t", "d", "d"), "t": ("t", "t", "t"), "n": ("n", "n", "n"), "l": ("l", "l", "l"),
    "g": ("k", "g", "g"), "k": ("k", "k", "k"), "h": ("h", "h", "h"),
    "j": ("ch", "j", "j"), "q": ("ch", "ch", "c"), "x": ("hs", "sh", "s"),
    "zh": ("ch", "j", "jh"), "ch": ("ch", "ch", "ch"), "sh": ("sh", "sh", "sh"),
    "r": ("j", "r", "r"), "z": ("ts", "tz", "z"), "c": ("ts", "ts", "c"), "s": ("s", "s", "s"),
    "": ("", "", ""),
}  # fmt: skip
# For each final in pinyin: the same three, and the initials with which it occurs.
_FINALS = {
    "a": ("a", "a", "a", "b p m f d t n l g k h zh ch sh z c s"),
    "o": ("o", "o", "o", "b p m f"),
    "e": ("e", "e", "e", "m d t n l zh ch sh r z c s"),
    "ai": ("ai", "ai", "ai", "b p m d t n l g k h zh ch sh z c s"),
    "ei": ("ei", "ei", "ei", "b p m f d n l g h zh sh z"),
    "ao": ("ao", "au", "ao", "b p m d t n l g k h zh ch sh r z c s"),
    "ou": ("ou", "ou", "ou", "p m f d t l g k h zh ch sh r z c s"),
    "an": ("an", "an", "an", "b p m f d t n l g k h zh ch sh r z c s"),
    "en": ("en", "en", "en", "b p m f n g k h zh ch sh r z c s"),
    "ang": ("ang", "ang", "ang", "b p m f d t n l g k h zh ch sh r z c s"),
    "eng": ("eng", "eng", "eng", "b p m f d t n l g k h zh ch sh r z c s"),
    "ong": ("ung", "ung", "ong", "d t n l g k h zh ch r z c s"),
    "i": ("i", "i", "i", "b p m d t n l j q x"),
    "ia": ("ia", "ia", "ia", "l j q x"),
    "ie": ("ieh", "ie", "ie", "b p m d t n l j q x"),
    "iao": ("iao", "iau", "iao", "b p m d t n l j q x"),
    "iu": ("iu", "iou", "iou", "m d n l j q x"),
    "ian": ("ien", "ian", "ian", "b p m d t n l j q x"),
    "in": ("in", "in", "in", "b p m n l j q x"),
    "iang": ("iang", "iang", "iang", "n l j q x"),
    "ing": ("ing", "ing", "ing", "b p m d t n l j q x"),
    "iong": ("iung", "iung", "yong", "j q x"),
    "u": ("u", "u", "u", "b p m f d t n l g k h zh ch sh r z c s"),
    "ua": ("ua", "ua", "ua", "g k h zh sh"),
    "uo": ("o", "uo", "uo", "d t n l zh ch r z c s"),
    "uai": ("uai", "uai", "uai", "g k h zh ch sh"),
    "ui": ("ui", "uei", "uei", "d t h zh ch sh r z c s"),
    "uan": ("uan", "uan", "uan", "d t n l g k h zh ch sh r z c s"),
    "un": ("un", "uen", "un", "d t l g k h zh ch sh r z c s"),
    "uang": ("uang", "uang", "uang", "g k h zh ch sh"),
    "v": ("u", "iu", "yu", "n l j q x"),
    "ve": ("ueh", "iue", "yue", "n l j q x"),
    "van": ("uan", "iuan", "yuan", "j q x"),
    "vn": ("un", "iun", "yun", "j q x"),
}  # fmt: skip
# Syllables that are not built from these tables, in pinyin and in the same three.
_OTHERS = (
    ("a", "a", "a", "a"), ("ai", "ai", "ai", "ai"), ("an", "an", "an", "an"),
    ("ang", "ang", "ang", "ang"), ("ao", "ao", "au", "ao"), ("e", "o", "e", "e"),
    ("en", "en", "en", "en"), ("er", "erh", "er", "er"), ("ou", "ou", "ou", "ou"),
    ("yi", "i", "yi", "yi"), ("ya", "ya", "ya", "ya"), ("ye", "yeh", "ye", "ye"),
    ("yao", "yao", "yau", "yao"), ("you", "yu", "you", "you"), ("yan", "yen", "yan", "yan"),
    ("yin", "yin", "yin", "yin"), ("yang", "yang", "yang", "yang"),
    ("ying", "ying", "ying", "ying"), ("yong", "yung", "yung", "yong"),
    ("wu", "wu", "wu", "wu"), ("wa", "wa", "wa", "wa"), ("wo", "wo", "wo", "wo"),
    ("wai", "wai", "wai", "wai"), ("wei", "wei", "wei", "wei"), ("wan", "wan", "wan", "wan"),
    ("wen", "wen", "wen", "wun"), ("wang", "wang", "wang", "wang"), ("weng", "weng", "weng", "wong"),
    ("yu", "yu", "yu", "yu"), ("yue", "yueh", "yue", "yue"), ("yuan", "yuan", "yuan", "yuan"),
    ("yun", "yun", "yun", "yun"),
    ("zhi", "chih", "jr", "jhih"), ("chi", "chih", "chr", "chih"), ("shi", "shih", "shr", "shih"),
    ("ri", "jih", "r", "rih"), ("zi", "tzu", "tz", "zih"), ("ci", "tzu", "tsz", "cih"),
    ("si", "szu", "sz", "sih"),
    ("ge", "ko", "ge", "ge"), ("ke", "ko", "ke", "ke"), ("he", "ho", "he", "he"),
    ("guo", "kuo", "guo", "guo"), ("kuo", "kuo", "kuo", "kuo"), ("huo", "huo", "huo", "huo"),
    ("shuo", "shuo", "shuo", "shuo"),
    ("gui", "kuei", "guei", "guei"), ("kui", "kuei", "kuei", "kuei"),
)  # fmt: skip
# Other spellings of people from Taiwan: older or shorter Wade-Giles, the tonal spelling of Gwoyeu
# Romatzyh (first and second tone of pyng, shyi), and English habits (Lee, Soong).
_ALSO_WRITTEN = {
    "cai": "tsay", "chen": "chern", "cheng": "cherng", "chuan": "chwan", "e": "eh ngo", "feng": "fong",
    "gu": "koo", "guo": "kwo", "hao": "hau", "he": "her hor", "hong": "horng", "hua": "hwa huah",
    "huang": "hwang", "jie": "jye", "jin": "jinn", "jiu": "jeou", "jun": "jiun", "kai": "kae",
    "lei": "ley", "li": "lee lih", "lin": "lynn", "long": "loong", "ming": "ming myng", "ping": "pyng",
    "qi": "chyi", "qian": "chyan", "qing": "chyng", "qiu": "chyou", "quan": "chyuan", "ren": "jen",
    "shi": "shyh", "si": "ssu sze", "song": "soong", "su": "soo", "tang": "tarng", "wei": "uei",
    "wen": "uen", "wu": "woo", "xi": "shyi", "xian": "shyan", "xiang": "shyang", "xiao": "shiaw",
    "xin": "shinn", "xing": "shyng", "xiong": "shyong", "xu": "shyu", "xuan": "shyuan",
    "yi": "yih yee", "yin": "ing", "ying": "ing yng", "you": "yeou yiu", "yu": "yuh", "yuan": "yuann",
    "zhang": "chang", "zhe": "je", "zhi": "jyh", "zhu": "choo ju", "zi": "tze tsu", "ci": "tsu",
}  # fmt: skip
# Characters with a different reading as a family name (曾, 单, 解, 仇, 盖, 朴, 区, 查, 翟, 缪, 黑, 乐, 覃): the
# usual reading, and that of the name.
FAMILY_READINGS = {
    "ceng": "zeng", "dan": "shan", "jie": "xie", "chou": "qiu", "gai": "ge", "pu": "piao",
    "qu": "ou", "cha": "zha", "di": "zhai", "mou": "miao", "hei": "he", "le": "yue", "tan": "qin",
}  # fmt: skip

# Family names of two syllables (欧阳, 司马, 诸葛, 上官, 夏侯, 皇甫, 公孙, 慕容, 令狐, 司徒, 东方, 独孤, 南宫,
# 宇文, 长孙, 尉迟, 端木, 西门).
TWO_SYLLABLE_FAMILIES = frozenset(
    [
        ("ou", "yang"), ("si", "ma"), ("zhu", "ge"), ("shang", "guan"), ("xia", "hou"), ("huang", "fu"),
        ("gong", "sun"), ("mu", "rong"), ("ling", "hu"), ("si", "tu"), ("dong", "fang"), ("du", "gu"),
        ("nan", "gong"), ("yu", "wen"), ("zhang", "sun"), ("yu", "chi"), ("duan", "mu"), ("xi", "men"),
    ]
)  # fmt: skip


def is_pinyin(word: str) -> bool:
    """Whether a word is made of syllables of pinyin, however many."""
    return bool(_of_syllables().fullmatch(word))


@cache
def _of_syllables() -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(pinyin())})+")


@cache
def pinyin() -> dict[str, frozenset[str]]:
    """Return the syllables by their spelling in pinyin. ü is written u, v or yu."""
    spellings: dict[str, set[str]] = {}
    for syllable, *_ in _syllables():
        spellings_of_syllable = [syllable.replace("v", "u")]
        if syllable.startswith(("nv", "lv")):
            spellings_of_syllable.append(syllable)
            spellings_of_syllable.append(syllable.replace("v", "yu"))
        for spelling in spellings_of_syllable:
            spellings.setdefault(spelling, set()).add(syllable)
    return _frozen(spellings)


@cache
def older_spellings() -> dict[str, frozenset[str]]:
    """Return the syllables by their spelling in all other romanisations, which names mix."""
    spellings: dict[str, set[str]] = {}
    for syllable, *others in _syllables():
        for spelling in others:
            spellings.setdefault(spelling, set()).add(syllable)
    for syllable, also in _ALSO_WRITTEN.items():
        for spelling in also.split():
            spellings.setdefault(spelling, set()).add(syllable)
    return _frozen(spellings)


@cache
def key_of() -> dict[str, str]:
    """Return for each syllable its Wade-Giles spelling.

    Syllables that it does not distinguish share a key.
    """
    return {syllable: wade_giles for syllable, wade_giles, *_ in _syllables()}


@cache
def _syllables() -> tuple[tuple[str, str, str, str], ...]:
    """Return each syllable in pinyin, Wade-Giles, Mandarin Phonetic Symbols II and Tongyong."""
    return (*_combined(), *_OTHERS)


def _combined() -> Iterator[tuple[str, str, str, str]]:
    for final, (*others, initials) in _FINALS.items():
        for initial in initials.split():
            wade_giles, symbols, tongyong = map(add, _INITIALS[initial], others)
            yield initial + final, wade_giles, symbols, tongyong


def _frozen(syllables_of: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {key: frozenset(syllables) for key, syllables in syllables_of.items()}
