"""How alike two names are, word by word. The alignment is the evidence: every point is shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from nicknames import NickNamer
from rapidfuzz.distance import OSA, JaroWinkler

from checks.screening import names, sounds
from checks.screening.names import Name

# What a word counts for that the other side lacks: of the query, of the listed name, of both.
UNMATCHED_QUERY, UNMATCHED_LISTED, CONFLICT = 0.8, 0.3, 0.35


@dataclass(frozen=True, slots=True)
class Pair:
    """Words that stand for one another; an empty side means that the other side lacks it."""

    query: str
    listed: str
    how: str
    score: float
    weight: float

    def to_wire(self) -> dict[str, Any]:
        return {
            "query": self.query, "listed": self.listed, "how": self.how,
            "score": round(self.score, 2), "weight": round(self.weight, 2),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Alignment:
    score: float
    pairs: tuple[Pair, ...]


_Alike = tuple[float, str]
_NOT_ALIKE: _Alike = (0.0, "")


def align(query: Name, listed: Name) -> Alignment:
    """Compare two names. Greedy: the most alike words first, each used once."""
    a, b = query.tokens, listed.tokens
    if not a or not b:
        return Alignment(0.0, ())
    if a == b:
        return Alignment(1.0, (Pair(" ".join(a), " ".join(b), "equal", 1.0, 1.0),))
    if query.joined == listed.joined:
        return Alignment(0.98, (Pair(" ".join(a), " ".join(b), "written together", 0.98, 1.0),))
    script = _script(query, listed)
    pairs, free_a, free_b = _pairs(a, b, script, query.person)
    score = _score(pairs, free_a, free_b, query)
    whole = 0.0 if script or score >= 0.9 else _whole(query, listed)
    if whole > score:
        return Alignment(whole, (Pair(" ".join(a), " ".join(b), "spelling", whole, 1.0),))
    person = query.person
    lacking = [
        *(Pair(word, "", "not listed", 0.0, weight(word, person)) for word in free_a),
        *(Pair("", word, "not in the query", 0.0, weight(word, person)) for word in free_b),
    ]
    return Alignment(score, (*pairs, *lacking))


def weight(word: str, person: bool) -> float:  # noqa: FBT001
    """How much a word says about who it is."""
    if person:
        if _is_servant(word):
            return 1.5
        return 0.15 if word in names.particles() else 0.4 if len(word) == 1 else 1.0
    if word in names.form_classes() or word in names.form_parts():
        return 0.15
    if word in names.company_particles():
        return 0.1
    if word.isdigit():
        return 0.9
    return 0.5 if word in names.generic_words() else 1.0


def _script(query: Name, listed: Name) -> str:
    """Which sounds to compare by: of two names in one script its letters say enough."""
    if query.script != listed.script:
        return query.script or listed.script
    return {"abjad": "abjad", "hangul": "syllables", "han": "syllables"}.get(query.script, "")


def _pairs(
    a: tuple[str, ...],
    b: tuple[str, ...],
    script: str,
    person: bool,  # noqa: FBT001
) -> tuple[list[Pair], list[str], list[str]]:
    used_a: set[int] = set()
    used_b: set[int] = set()
    pairs = []
    for score, how, i, j in sorted(_candidates(a, b, script), key=_best_first):
        if used_a.isdisjoint(i) and used_b.isdisjoint(j):
            used_a.update(i)
            used_b.update(j)
            words_a, words_b = [a[k] for k in i], [b[k] for k in j]
            counts = max(
                sum(weight(word, person) for word in words_a),
                sum(weight(word, person) for word in words_b),
            )
            pairs.append(Pair(" ".join(words_a), " ".join(words_b), how, score, counts))
    free_a = [word for k, word in enumerate(a) if k not in used_a]
    free_b = [word for k, word in enumerate(b) if k not in used_b]
    return pairs, free_a, free_b


_Candidate = tuple[float, str, tuple[int, ...], tuple[int, ...]]


def _best_first(one: _Candidate) -> tuple[float, int]:
    return -one[0], -len(one[2]) - len(one[3])


def _candidates(a: tuple[str, ...], b: tuple[str, ...], script: str) -> list[_Candidate]:
    """Every two words that are alike, and words that are one word on the other side."""
    found: list[_Candidate] = []
    for i, word in enumerate(a):
        for j, other in enumerate(b):
            score, how = alike(word, other, script)
            if score > 0:
                found.append((score, how, (i,), (j,)))
    longest = 3 if script in {"hangul", "han"} else 2
    for size in range(2, longest + 1):
        for i in range(len(a) - size + 1):
            run = tuple(range(i, i + size))
            found += _joined("".join(a[i : i + size]), run, b, script, least=0.74, swap=False)
    for j in range(len(b) - 1):
        found += _joined(b[j] + b[j + 1], (j, j + 1), a, script, least=0.85, swap=True)
    return found


def _joined(
    word: str,
    run: tuple[int, ...],
    others: tuple[str, ...],
    script: str,
    *,
    least: float,
    swap: bool,
) -> list[_Candidate]:
    found: list[_Candidate] = []
    for k, other in enumerate(others):
        if len(other) <= 3 and script != "hangul":
            continue
        score, _ = alike(word, other, script)
        if score > least:
            i, j = ((k,), run) if swap else (run, (k,))
            found.append((score - 0.01, "written together", i, j))
    return found


def _score(pairs: list[Pair], free_a: list[str], free_b: list[str], query: Name) -> float:
    person = query.person
    gained = sum(pair.score * pair.weight for pair in pairs)
    counted = sum(pair.weight for pair in pairs)
    full = sum(_fullness(pair) for pair in pairs if pair.weight > 0.4)
    lost_a = sum(weight(word, person) for word in free_a)
    lost_b = sum(weight(word, person) * (2.0 if word.isdigit() else 1.0) for word in free_b)
    counted += UNMATCHED_QUERY * lost_a + UNMATCHED_LISTED * lost_b + CONFLICT * min(lost_a, lost_b)
    score = gained / counted if counted else 0.0
    if person:
        # One name of several is not yet a person.
        return score * 0.8 if full < 2 and (free_a or free_b or len(pairs) > 1) else score
    return score * 0.6 if full < 1 else score


def _fullness(pair: Pair) -> float:
    """How much of a word's evidence a pair is: an initial is none by itself."""
    if pair.score <= 0.75 or pair.how == "initial":
        return 0.5
    return 2.0 if _is_servant(pair.query) or _is_servant(pair.listed) else 1.0


def _is_servant(word: str) -> bool:
    """Abd al-Rahman is written as one word or as three; it counts for more than one."""
    return len(word) > 7 and word.startswith("abdul")


def _whole(query: Name, listed: Name) -> float:
    """Names whose letters are the same but for one or two, however they are split into words."""
    a, b = query.joined, listed.joined
    longest = max(len(a), len(b))
    if longest < 8 or abs(len(a) - len(b)) > 2:
        return 0.0
    if [c for c in a if c.isdigit()] != [c for c in b if c.isdigit()]:
        return 0.0
    distance = OSA.distance(a, b, score_cutoff=2)
    return (1.0, 0.87, 0.84)[distance] if distance <= (1 if longest < 14 else 2) else 0.0


@lru_cache(500_000)
def alike(a: str, b: str, script: str) -> _Alike:
    """How alike two words are, and in which way; 0 where they are not."""
    if a == b:
        return 1.0, "equal"
    if a.isdigit() or b.isdigit():
        return _NOT_ALIKE
    if len(a) == 1 or len(b) == 1:
        return (0.8, "initial") if a[0] == b[0] else _NOT_ALIKE
    if script == "syllables":
        return _NOT_ALIKE
    if script == "abjad":
        return _alike_abjad(sounds.abjad(a), sounds.abjad(b))
    if script == "hangul":
        return _alike_korean(sounds.korean(a), sounds.korean(b))
    if script == "han":
        same = sounds.spelling(a) == sounds.spelling(b)
        return (0.95, "romanisation") if same else _NOT_ALIKE
    return _alike_letters(a, b)


def _alike_letters(a: str, b: str) -> _Alike:
    fa, fb = sounds.spelling(a), sounds.spelling(b)
    if fa == fb:
        return 0.96, "spelling variant"
    if is_nickname(a, b):
        return 0.85, "nickname"
    shortest, longest = sorted((len(a), len(b)))
    budget = 0 if shortest <= 2 else 1 if shortest <= 5 else 2 if shortest <= 9 else 3
    plain, folded = OSA.distance(a, b), OSA.distance(fa, fb)
    if plain <= budget or folded <= budget - (shortest <= 4):
        return max(1 - min(plain, folded + 0.5) / longest * 1.1, 0.0), "spelling"
    if len(sounds.skeleton(a)) > 2 and sounds.skeleton(a) == sounds.skeleton(b):
        return 0.82, "same consonants"
    if shortest >= 5:
        if JaroWinkler.similarity(a, b) > 0.92:
            return 0.8, "spelling"
        if a.startswith(b) or b.startswith(a):
            return 0.75, "cut short"
    return _NOT_ALIKE


def _alike_abjad(a: str, b: str) -> _Alike:
    if not a or not b:
        return (0.6, "transliteration") if a == b else _NOT_ALIKE
    if a == b:
        return (0.93 if len(a) > 1 else 0.87), "transliteration"
    shortest = min(len(a), len(b))
    if shortest >= 3 and OSA.distance(a, b, score_cutoff=1) <= 1:
        if shortest > 3:
            return 0.78, "transliteration"
        if a[0] == b[0]:
            return 0.6, "transliteration"
    return _NOT_ALIKE


def _alike_korean(a: str, b: str) -> _Alike:
    if a and a == b:
        return 0.93, "romanisation"
    if min(len(a), len(b)) > 1 and OSA.distance(a, b, score_cutoff=1) <= 1:
        return 0.7, "romanisation"
    return _NOT_ALIKE


@lru_cache(100_000)
def is_nickname(a: str, b: str) -> bool:
    if min(len(a), len(b)) < 3:
        return False
    return b in _nicknames().nicknames_of(a) or a in _nicknames().nicknames_of(b)


@cache
def _nicknames() -> NickNamer:
    return NickNamer()
