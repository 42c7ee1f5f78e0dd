"""By which keys a name is found: names that share a rare key are compared, no others.

A key is a number, so that one table of any database holds them; it says of what kind the name is
(person or not), so that persons are never compared with companies.
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from itertools import combinations, pairwise

from checks.screening.matching import phonetics
from checks.screening.matching.alignment import weight
from checks.screening.matching.names import Name
from checks.screening.romanisation import readings

# How much sharing a key of a kind says, beside how rare the key is.
_WEIGHTS = {
    "f": 1.0,
    "k": 0.7,
    "p": 0.5,
    "s": 0.5,
    "a": 0.6,
    "h": 0.7,
    "w": 0.8,
    "2": 1.0,
    "b": 0.8,
    "e": 0.4,
    "v": 0.8,
    # A reading of the whole name, which may share no other key: it outweighs several of them.
    "r": 4.0,
}
# Of all keys of a query, the rarest are read until this many names were seen.
BUDGET = 3000
# Words in more names than this are indexed in twos as well.
COMMON = 150


@dataclass(frozen=True, slots=True)
class Posting:
    """Which names have a key: their numbers, ascending. `weight` is what sharing it says."""

    weight: float
    names: Sequence[int]


def of_query(name: Name) -> dict[int, float]:
    """All keys by which to look for a name, with what each says."""
    found = {**of_name(name), **_pairs_by("f", name, None)}
    return {**found, **_pairs_by("a", name, None)} if name.person else found


def of_name(name: Name) -> dict[int, float]:
    """The keys of a name with what each says."""
    kind = "P" if name.person else "O"
    found: dict[int, float] = {}
    for text in _texts(name):
        found[_number(kind + text)] = _weight(text)
    return found


def _weight(text: str) -> float:
    """Two consonants are those of many words."""
    return _WEIGHTS[text[0]] * (0.5 if text[0] == "a" and len(text) < 4 else 1.0)


def of_pairs(name: Name, common: frozenset[int]) -> dict[int, float]:
    """Keys of every two words together that are in `common` each, by letters and by consonants."""
    found = _pairs_by("f", name, common)
    return {**found, **_pairs_by("a", name, common)} if name.person else found


def _pairs_by(kind: str, name: Name, common: frozenset[int] | None) -> dict[int, float]:
    schema = "P" if name.person else "O"
    fold = phonetics.abjad if kind == "a" else phonetics.spelling
    words = sorted({fold(word) for word in _telling(name)})
    if common is not None:
        words = [word for word in words if _number(f"{schema}{kind}{word}") in common]
    pair = "b" if kind == "a" else "2"
    return {
        _number(f"{schema}{pair}{a}+{b}"): _WEIGHTS[pair] * (0.5 if len(a) + len(b) < 6 else 1.0)
        for a, b in combinations(words, 2)
        if a
    }


def rank(postings: Iterable[Posting], *, total: int, limit: int) -> list[int]:
    """The numbers of the names that share the most, best first.

    The rare keys nominate names; the common ones only add to what the best of those have.
    """
    ordered = sorted(postings, key=lambda one: len(one.names))
    scores: dict[int, float] = {}
    seen = 0
    while ordered and (not scores or seen + len(ordered[0].names) <= BUDGET):
        posting = ordered.pop(0)
        gain = posting.weight * math.log(1 + total / len(posting.names))
        seen += len(posting.names)
        for number in posting.names[:BUDGET]:
            scores[number] = scores.get(number, 0.0) + gain
    best = _nominated(scores, 4 * limit)
    for posting in ordered:
        gain = posting.weight * math.log(1 + total / len(posting.names))
        for number in best:
            at = bisect_left(posting.names, number)
            if at < len(posting.names) and posting.names[at] == number:
                best[number] += gain
    return [number for number, _ in sorted(best.items(), key=_best)[:limit]]


def _nominated(scores: dict[int, float], limit: int) -> dict[int, float]:
    """The best, with all that are as good as the last of them: common keys will tell."""
    if len(scores) <= limit:
        return dict(scores)
    least = nlargest(limit, scores.values())[-1]
    return {number: score for number, score in scores.items() if score >= least}


def _best(one: tuple[int, float]) -> tuple[float, int]:
    return -one[1], one[0]


def _texts(name: Name) -> Iterable[str]:
    words = _telling(name)
    for word in words:
        yield from _of_word(word, name)
    for a, b in pairwise(name.tokens):
        yield from _of_run(a + b, name)
    if name.tokens[-1:] == ("abdul",):
        yield from _of_run("abdul" + name.tokens[0], name)  # Rahman Omar Abdul
    if name.script in {"hangul", "han"}:
        for i in range(len(name.tokens) - 2):
            yield from _of_run("".join(name.tokens[i : i + 3]), name)
    joined = phonetics.spelling(name.joined)
    if len(joined) > 6:
        yield f"w{joined[:7]}"
        yield f"v{joined[-7:]}"
    for key in readings.keys(name):
        yield f"r{key}"


def _of_word(word: str, name: Name) -> Iterable[str]:
    folded = phonetics.spelling(word)
    yield f"f{folded}"
    if len(skeleton := phonetics.skeleton(word)) > 2:
        yield f"k{skeleton}"
    for size in _ends(len(folded)):
        yield f"p{folded[:size]}"
        yield f"s{folded[-size:]}"
    if len(folded) > 4:
        yield f"e{folded[:2]}{folded[-2:]}"
    if name.person or name.script == "abjad":
        yield from _of_sounds(word)


def _ends(letters: int) -> tuple[int, ...]:
    """How many letters at either end of a word are keys: four tell little of a long one."""
    return () if letters < 4 else (4,) if letters < 9 else (4, 6)


def _of_sounds(word: str) -> Iterable[str]:
    for one in {word, phonetics.without_article(word), phonetics.as_in_arabic(word)}:
        if len(consonants := phonetics.abjad(one)) > 1:
            yield f"a{consonants}"
    if len(word) <= 9 and (korean := phonetics.korean(word)):
        yield f"h{korean}"


def _of_run(word: str, name: Name) -> Iterable[str]:
    yield f"f{phonetics.spelling(word)}"
    if name.person and len(word) <= 12:
        yield f"h{phonetics.korean(word)}"
    if name.script == "abjad":
        yield f"a{phonetics.abjad(word)}"


def _telling(name: Name) -> list[str]:
    """The words that say something; all of them where none does."""
    kept = [word for word in name.tokens if weight(word, name.person) > 0.3]
    return kept or list(name.tokens)


@lru_cache(500_000)
def _number(text: str) -> int:
    """63 bits, to fit any database's integers."""
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
