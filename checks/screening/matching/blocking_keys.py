"""The keys by which names are found. Only names that share a rare key are compared.

A key is a number, so that the same table works in any database. It includes the kind of name
(person or not), so that persons are never compared with companies.
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

from checks.screening import tunables
from checks.screening.matching import names, readings, similarity
from checks.screening.matching import tunables as word_tunables
from checks.screening.matching.names import Name
from checks.screening.matching.pairing import shortened
from checks.screening.matching.parts import translations
from checks.screening.matching.weights import SYLLABLES, weight
from checks.screening.romanisation import coarse, phonetics, traditions

# The weight of a shared key by its kind. It is multiplied by the rarity of the key.
_WEIGHTS = {
    "f": 1.0,  # a word, by its sound
    "k": 0.7,  # its consonants
    "p": 0.5,  # its first letters
    "s": 0.5,  # its last letters
    "e": 0.4,  # two letters at either end
    "a": 0.6,  # its consonants as Arabic and Hebrew write them
    "h": 0.7,  # its sound as Korean
    "i": 1.0,  # an initial and the other name, of a person of two names
    "w": 0.8,  # the first letters of the whole name without blanks
    "v": 0.8,  # its last letters
    "t": 2.0,  # the letters of the whole name that a narrow field keeps
    "c": 2.0,  # the consonants of all its words
    "2": 1.0,  # two common words together
    "b": 0.8,  # the same by their consonants
    "x": 2.0,  # the consonants of all its words, as Arabic and Hebrew write them
    "y": 2.0,  # the same in their order, whichever words are written together
    # A reading of the whole name. Such a name may share no other key, so this one outweighs
    # several.
    "r": 4.0,
    "z": 1.0,  # a word, or two together, in coarse classes of consonants
}
# The rarest keys of a query are read until they have led to this many names.
BUDGET = tunables.NAMES_READ
# Words in more names than this are also indexed as pairs.
COMMON = tunables.COMMON_KEY


@dataclass(frozen=True, slots=True)
class Posting:
    """The names that have a key, as ascending numbers. `weight` is that of the key."""

    weight: float
    names: Sequence[int]


def of_query(name: Name) -> dict[int, float]:
    """Return all keys by which to look for a name, with their weights."""
    is_latin_person = name.person and not name.script
    keys = _of_texts(name)
    keys |= of_pairs(name, None)
    if name.script not in SYLLABLES:
        for text in _of_coarse_forms(name):
            keys[_number(_schema(name) + text)] = _WEIGHTS["z"]
    if is_latin_person:
        for key, weight_of_key in _of_other_spellings(name):
            keys.setdefault(key, weight_of_key)
    # These keys are made for the query only. In the index they would multiply with every legal form
    # of every company.
    if not name.person:
        for word in _key_words(name):
            for rest in _without_forms(word):
                key = _number(f"Of{phonetics.spelling(rest)}")
                keys.setdefault(key, _WEIGHTS["f"])
    return keys


@lru_cache(tunables.CACHED_SELDOM)
def _without_forms(word: str) -> tuple[str, ...]:
    """Return a word of a company without a legal form at its beginning or end: Genisarl as Geni."""
    rests = set()
    for spellings in names.spellings_of_forms().values():
        for spelling in spellings:
            for rest in (word.removeprefix(spelling), word.removesuffix(spelling)):
                if rest != word and len(rest) >= word_tunables.LEFT_BY_TITLE:
                    rests.add(rest)
    return tuple(sorted(rests))


def _of_other_spellings(name: Name) -> Iterable[tuple[int, float]]:
    """Yield keys of other forms of a given name, and of words as other countries spell them."""
    yield from _of_other_names(name)
    for word in _key_words(name):
        for sound in traditions.other_sounds(word)[: tunables.MOST_TRADITIONS]:
            yield _number(f"Pf{sound}"), _WEIGHTS["f"] * tunables.OTHER_TRADITION


def _of_other_names(name: Name) -> Iterable[tuple[int, float]]:
    """Yield keys of other forms of a given name: Sasha Petrov as Aleksandr Petrov."""
    schema = _schema(name)
    folded = [phonetics.spelling(word) for word in _key_words(name)]
    for at, word in enumerate(_key_words(name)):
        for other in similarity.other_names(word)[: tunables.MOST_OTHER_NAMES]:
            instead = phonetics.spelling(other)
            yield _number(f"{schema}f{instead}"), _WEIGHTS["f"] * word_tunables.NICKNAME
            for beside in (*folded[:at], *folded[at + 1 :]):
                first, second = sorted((instead, beside))
                weight_of_key = _WEIGHTS["2"] * word_tunables.NICKNAME
                yield _number(f"{schema}2{first}+{second}"), weight_of_key


def of_name(name: Name) -> dict[int, float]:
    """Return the keys of a name, with their weights."""
    return _of_texts(name)


def _of_texts(name: Name) -> dict[int, float]:
    schema = _schema(name)
    keys: dict[int, float] = {}
    for text in _texts(name):
        keys[_number(schema + text)] = _weight(text)
    return keys


def _schema(name: Name) -> str:
    if name.person:
        return "P"
    return "O"


def _weight(text: str) -> float:
    """Return the weight of a key. A key of only two consonants fits many words and weighs less."""
    weight_of_kind = _WEIGHTS[text[0]]
    if text[0] == "a" and len(text) < 4:
        return weight_of_kind * tunables.SHORT_KEY
    return weight_of_kind


def of_pairs(name: Name, common: frozenset[int] | None) -> dict[int, float]:
    """Return keys of every two words that are both in `common`; of all words if `common`
    is None.
    """
    keys = _keys_of_pairs("2", "f", phonetics.spelling, name, common)
    if name.person:
        keys.update(_keys_of_pairs("b", "a", phonetics.abjad, name, common))
    return keys


def _keys_of_pairs(
    kind: str,
    kind_of_word: str,
    fold: Callable[[str], str],
    name: Name,
    common: frozenset[int] | None,
) -> dict[int, float]:
    schema = _schema(name)
    words: set[str] = set()
    for word in _key_words(name):
        folded = fold(word)
        if not folded:
            continue
        if common is None or _number(schema + kind_of_word + folded) in common:
            words.add(folded)
    keys: dict[int, float] = {}
    for a, b in combinations(sorted(words), 2):
        weight_of_key = _WEIGHTS[kind]
        if len(a) + len(b) < tunables.LETTERS_OF_PAIR_KEY:
            weight_of_key *= tunables.SHORT_KEY
        keys[_number(f"{schema}{kind}{a}+{b}")] = weight_of_key
    return keys


def rank(postings: Iterable[Posting], *, total: int, limit: int) -> list[int]:
    """Return the numbers of the names that share the most, the best first.

    The rare keys nominate names. The common keys only add to the scores of the best nominees:
    reading them in full would cost most of the time. `total` is the number of names in the index.
    """
    rarest_first = sorted(postings, key=_frequency)
    scores: dict[int, float] = {}
    names_read = 0
    while rarest_first:
        posting = rarest_first[0]
        # The rarest key is always read, however long it is. Otherwise a name of common words would
        # find nothing.
        if scores and names_read + len(posting.names) > BUDGET:
            break
        del rarest_first[0]
        names_read += len(posting.names)
        gain = _gain(posting, total)
        for number in posting.names[:BUDGET]:
            scores[number] = scores.get(number, 0.0) + gain
    nominees = _nominees(scores, tunables.NOMINEES * limit)
    # Second step: look up the nominees in the remaining, common keys by binary search.
    in_order = sorted(nominees)
    for posting in rarest_first:
        gain = _gain(posting, total)
        numbers = posting.names
        at, end = 0, len(numbers)
        for number in in_order:
            # Both are ascending, so that what is behind is not searched again.
            at = bisect_left(numbers, number, at)
            if at == end:
                break
            if numbers[at] == number:
                nominees[number] += gain
    # The second sort keeps the order of the first where scores are equal.
    in_order.sort(key=nominees.__getitem__, reverse=True)
    return in_order[:limit]


def _frequency(posting: Posting) -> int:
    return len(posting.names)


def _gain(posting: Posting, total: int) -> float:
    """Return what a shared key adds to the score: the rarer the key, the more."""
    rarity = total / len(posting.names)
    return posting.weight * math.log(1 + rarity)


def _nominees(scores: dict[int, float], limit: int) -> dict[int, float]:
    """Return the best names, including all that tie with the last of them.

    Common keys decide between those.
    """
    if len(scores) <= limit:
        return dict(scores)
    # Most scores are equal to others, and such numbers are sorted faster than the best are picked.
    least = sorted(scores.values())[-limit]
    return {number: score for number, score in scores.items() if score >= least}


def _texts(name: Name) -> Iterable[str]:
    if name.script == coarse.SCRIPT:
        yield from _of_coarse_forms(name)
        return
    for word in _key_words(name):
        yield from _of_word(word, name)
    tokens = name.tokens
    for first, second in pairwise(tokens):
        yield from _of_run(first + second, name)
    if tokens[-1:] == ("abdul",):
        # “Rahman Omar Abdul”: a form with the family name first moves Abdul to the end
        yield from _of_run("abdul" + tokens[0], name)
    if name.script in {"hangul", "han"}:
        for first, second, third in zip(tokens, tokens[1:], tokens[2:], strict=False):
            yield from _of_run(first + second + third, name)
    yield from _of_whole_name(name)
    if name.person and name.script in {"", "abjad"}:
        yield from _of_all_sounds(name)


def _of_whole_name(name: Name) -> Iterable[str]:
    joined = phonetics.spelling(name.joined)
    size = tunables.LETTERS_OF_WHOLE_KEY
    if len(joined) >= size:
        yield f"w{joined[:size]}"
        yield f"v{joined[-size:]}"
    cut = word_tunables.LETTERS_BEFORE_CUT
    if len(name.joined) >= cut:
        yield f"t{name.joined[:cut]}"
    if name.person and not name.script:
        yield from _of_initials(name)
    if not name.script:
        yield f"c{shortened.consonants(name.tokens)}"
    for key in readings.keys(name):
        yield f"r{key}"


def _of_all_sounds(name: Name) -> Iterable[str]:
    """Yield keys of all consonants of a name.

    In their order, whichever words are written together, they find Ali Reza where the other side
    writes Alireza: Persian leaves out most of such blanks. The set of those of two or three words
    finds Ali Mamluk among all people called Ali or Malik. In longer names the words are specific
    enough.
    """
    words = _consonants(name)
    # An h behind another consonant may be a part of it: dh, kh.
    together = "".join(words).replace("h", "")
    if len(together) >= tunables.CONSONANTS_OF_WHOLE_KEY:
        yield f"y{together}"
    if len(words) in {2, 3}:
        yield f"x{'+'.join(sorted(words))}"


def _consonants(name: Name) -> list[str]:
    """Return the consonants of each word, as Arabic and Hebrew write them."""
    words = []
    for word in _key_words(name):
        consonants = phonetics.abjad(phonetics.without_article(word))
        if consonants:
            words.append(consonants)
    return words


def _of_initials(name: Name) -> Iterable[str]:
    """Yield keys of an initial and a word: G. Khalil finds Ghassan Khalil.

    Too many people are called Khalil to compare them all.
    """
    if len(name.tokens) != 2:
        return
    for word, other in (name.tokens, name.tokens[::-1]):
        if len(word) > 1:
            yield f"i{other[0]}{phonetics.spelling(word)}"


def _of_word(word: str, name: Name) -> Iterable[str]:
    folded = phonetics.spelling(word)
    yield f"f{folded}"
    consonants = phonetics.consonant_key(word)
    # Two consonants are shared by too many words to be a key.
    if len(consonants) > 2:
        yield f"k{consonants}"
    for size in _ends(len(folded)):
        yield f"p{folded[:size]}"
        yield f"s{folded[-size:]}"
    # A typo in the middle of a word leaves both ends intact.
    if len(folded) > 4:
        yield f"e{folded[:2]}{folded[-2:]}"
    if name.person or name.script == "abjad":
        yield from _of_sounds(word)
    if not name.person and name.script in _TRANSLATED:
        for other in translations.synonyms_of(word):
            yield f"f{phonetics.spelling(other)}"


# The scripts of names whose words may have been translated.
_TRANSLATED = frozenset({translations.SCRIPT, "abjad"})


def _of_coarse_forms(name: Name) -> Iterable[str]:
    """Yield the keys by which a name in kana, Thai, Khmer or their like is found."""
    runs = [first + second for first, second in pairwise(name.tokens)]
    for word in (*_key_words(name), *runs):
        for form in coarse.forms(word):
            yield f"z{form}"


def _ends(letters: int) -> tuple[int, ...]:
    """Return how many letters at each end of a word are keys.

    Four letters are not specific in a long word.
    """
    if letters < 4:
        return ()
    if letters < 9:
        return (4,)
    return (4, 6)


def _of_sounds(word: str) -> Iterable[str]:
    plain = phonetics.without_article(word)
    foreign = phonetics.as_in_arabic(word)
    # Which variant a list has depends on who transcribed the name into Arabic.
    for variant in {word, plain, foreign}:
        consonants = phonetics.abjad(variant)
        if len(consonants) > 1:
            yield f"a{consonants}"
    if len(word) <= tunables.LONGEST_KOREAN_WORD:
        korean = phonetics.korean(word)
        if korean:
            yield f"h{korean}"


def _of_run(word: str, name: Name) -> Iterable[str]:
    yield f"f{phonetics.spelling(word)}"
    if name.person and len(word) <= tunables.LONGEST_KOREAN_RUN:
        yield f"h{phonetics.korean(word)}"
    if name.script == "abjad":
        yield f"a{phonetics.abjad(word)}"


def _key_words(name: Name) -> list[str]:
    """Return the words that are worth a key; all words if none is."""
    words: list[str] = []
    for word in name.tokens:
        if weight(word, name.person) > tunables.KEY_WORD:
            words.append(word)
    # The name of a company may have nothing but common words of trade.
    return words or list(name.tokens)


@lru_cache(tunables.CACHED_WORDS)
def _number(text: str) -> int:
    """Return a hash of 63 bits, which fits the signed integers of any database."""
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
