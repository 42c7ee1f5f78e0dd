"""Listed persons of China, Taiwan, Hong Kong and Korea, in a romanisation that the lists do not
use.

For each name that can be read as syllables, one reading is chosen at random and spelt in another
romanisation.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from anyascii import anyascii

from checks.screening.matching import names, readings
from checks.screening.matching.readings import Reading
from checks.screening.records import Entity, Subject
from checks.screening.romanisation import korean, mandarin
from checks.screening.romanisation.dialects import cantonese
from checks.screening.romanisation.scripts import is_latin

Query = tuple[Subject, set[str]]
Speller = Callable[[Reading, random.Random], str]

# McCune-Reischauer: initials at the beginning of a word, then those that change within a word.
_INITIALS = dict(
    zip("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ", ["k", "n", "t", "r", "m", "p", "s", "", "ch", "ch'", "k'", "t'", "p'", "h"], strict=True)
)  # fmt: skip
_WITHIN = {"k": "g", "t": "d", "p": "b", "ch": "j"}
_VOWELS = dict(
    zip(
        "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ",
        ["a", "ae", "ya", "yae", "ŏ", "e", "yŏ", "ye", "o", "wa", "wae", "oe", "yo", "u", "wŏ", "we", "wi",
         "yu", "ŭ", "ŭi", "i"],
        strict=True,
    )
)  # fmt: skip
_FINALS = {" ": "", "ㄱ": "k", "ㄴ": "n", "ㄹ": "l", "ㅁ": "m", "ㅂ": "p", "ㅇ": "ng"}


def recalls(
    entities: Sequence[Entity], rng: random.Random, sample: int
) -> Iterator[tuple[str, str, float, Iterator[Query]]]:
    """Queries for which a hit is expected, or an answer that names the entry as uncertain."""
    people = [one for one in entities if one.is_person]
    for what, system, nations, spell in (
        ("China in Wade-Giles", "pinyin", {"CN", "TW", "HK"}, wade_giles),
        ("Korea in McCune-Reischauer", "korean", {"KP", "KR"}, mccune_reischauer),
        ("Korea in Revised Romanisation", "korean", {"KP", "KR"}, revised),
        ("Taiwan in pinyin", "older", {"TW"}, pinyin),
        ("Hong Kong in pinyin", "cantonese", {"HK"}, pinyin),
    ):
        queries = list(_queries(people, system, nations, spell, rng))
        result = rng.sample(queries, min(sample, len(queries)))
        yield "S10", f"people of {what}", 0.95, iter(result)


def wade_giles(reading: Reading, rng: random.Random) -> str:
    return _joined([mandarin.key_of()[one] for one in _drawn(reading, rng)])


def pinyin(reading: Reading, rng: random.Random) -> str:
    family, *values = [one.replace("v", "u") for one in _drawn(reading, rng)]
    return f"{family} {''.join(values)}"


def revised(reading: Reading, rng: random.Random) -> str:
    return _joined([anyascii(one).lower() for one in _drawn(reading, rng)])


def mccune_reischauer(reading: Reading, rng: random.Random) -> str:
    family, first, *rest = _drawn(reading, rng)
    words = [_in_mccune_reischauer(one) for one in (family, first)]
    return _joined(
        [*words, *(_in_mccune_reischauer(one, is_within=True) for one in rest)]
    )


def _in_mccune_reischauer(syllable: str, *, is_within: bool = False) -> str:
    initial, vowel, final = korean.parts(syllable)
    start = _INITIALS[initial]
    if is_within:
        start = _WITHIN.get(start, start)
    return start + _VOWELS[vowel] + _FINALS[final]


def _drawn(reading: Reading, rng: random.Random) -> list[str]:
    """For each syllable, one of the spellings that are possible."""
    rows = []
    for number, syllables in enumerate(reading.syllables):
        choices = sorted(syllables)
        if reading.system == "korean" and number == 0:
            choices = sorted(syllables & korean.ONE_SYLLABLE_FAMILIES)
        if reading.system == "cantonese":
            choices = sorted(cantonese.in_mandarin()[rng.choice(choices)])
        rows.append(rng.choice(choices))
    return rows


def _joined(syllables: Sequence[str]) -> str:
    family, *values = syllables
    return f"{family.title()} {'-'.join(values).capitalize()}"


def _queries(
    people: Sequence[Entity],
    system: str,
    nations: set[str],
    spell: Speller,
    rng: random.Random,
) -> Iterator[Query]:
    for entity in people:
        if not nations & {*entity.nationalities, *entity.countries}:
            continue
        spellings = set()
        for listed in entity.names:
            if listed.kind == "weak" or not is_latin(listed.text):
                continue
            for reading in readings.of_name(names.parse(listed.text, person=True)):
                if reading.system == system:
                    spellings.add(spell(reading, rng))
        for spelling in sorted(spellings):
            yield Subject([spelling]), {entity.id}
