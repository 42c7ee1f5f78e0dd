"""How alike two names are, word by word. The alignment is the evidence: every point is shown."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from rapidfuzz.distance import OSA

from checks.screening.matching import names, phonetics, typo_repair
from checks.screening.matching.names import Name
from checks.screening.matching.similarity import WITHOUT_ABDUL, alike
from checks.screening.romanisation import readings

# What a word counts for that the other side lacks: of the query, of the listed name, of both.
UNMATCHED_QUERY, UNMATCHED_LISTED, CONFLICT = 0.8, 0.3, 0.5
# A company is called by fewer words than it has more often than a person is.
UNMATCHED_OF_COMPANY = 0.28
REPEATED = 0.15
ARTICLES = {"al", "el", "ul"}
# Two words that are one on the other side have at most as many letters more or less.
LONGER = 4
SYLLABLES = {"hangul", "han", "syllables"}
# The same syllables in an order that is neither family name first nor last: alike, and not equal.
OTHER_ORDER = 0.85
# A word of a company with as few letters is an acronym as often as not: SKF sounds like SCF.
ACRONYM = 4
# What a slip costs in a word of a company, of one in as many letters.
SLIP = 0.85
# Letters that say who a company is, for two names of it to be compared as a whole.
FEWEST = 7


class Pair(NamedTuple):
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


class Alignment(NamedTuple):
    score: float
    pairs: tuple[Pair, ...]


def align(query: Name, listed: Name, *, least: float = 0.0) -> Alignment:
    """Compare two names. Greedy: the most alike words first, each used once.

    Below `least` only the score is told: most names that share a key are others.
    """
    a, b = query.tokens, listed.tokens
    if not a or not b:
        return Alignment(0.0, ())
    if a == b:
        return Alignment(1.0, (Pair(" ".join(a), " ".join(b), "equal", 1.0, 1.0),))
    if query.joined == listed.joined:
        return Alignment(0.98, (Pair(" ".join(a), " ".join(b), "written together", 0.98, 1.0),))
    if _is_shuffled(query, listed):
        pair = Pair(" ".join(a), " ".join(b), "syllables in another order", OTHER_ORDER, 1.0)
        return Alignment(OTHER_ORDER, (pair,))
    script = _script(query, listed)
    pairs, free_a, free_b = _pairs(query, listed, script)
    score = _score(pairs, free_a, free_b, query, listed, script) if pairs else 0.0
    whole = 0.0 if script or score >= 0.9 else _whole(query, listed)
    if whole > score:
        return Alignment(whole, (Pair(" ".join(a), " ".join(b), "spelling", whole, 1.0),))
    spelt = readings.compare(query, listed)
    if spelt.score > score:
        return Alignment(spelt.score, tuple(Pair(*pair, 1.0) for pair in spelt.pairs))
    if score < least:
        return Alignment(score, ())
    person = query.person
    lacking = [
        *(Pair(word, "", "not listed", 0.0, weight(word, person, script)) for word in free_a),
        *(Pair("", word, "not in the query", 0.0, weight(word, person, script)) for word in free_b),
    ]
    return Alignment(score, (*pairs, *lacking))


def _is_shuffled(query: Name, listed: Name) -> bool:
    """Are these the same syllables, and neither name the other with its family name moved?"""
    a, b = query.tokens, listed.tokens
    if query.script not in SYLLABLES or listed.script not in SYLLABLES or sorted(a) != sorted(b):
        return False
    return not any(a[k:] + a[:k] == b for k in range(len(a)))


@lru_cache(100_000)
def weight(word: str, person: bool, script: str = "") -> float:  # noqa: FBT001
    """How much a word says about who it is."""
    if person and script in SYLLABLES:
        return 1.0  # U and Do are names there
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
    if len(word) == 1:
        return 0.5
    return 0.5 if word in names.generic_words() else 1.0


def _script(query: Name, listed: Name) -> str:
    """Which sounds to compare by: of two names in one script its letters say enough."""
    if query.script != listed.script:
        return query.script or listed.script
    return {"abjad": "consonants", "hangul": "syllables", "han": "syllables"}.get(query.script, "")


def _pairs(query: Name, listed: Name, script: str) -> tuple[list[Pair], list[str], list[str]]:
    a, b, person = query.tokens, listed.tokens, query.person
    pairs, free_a, free_b = _equal(a, b, person, script)
    if free_a and free_b:
        found = _candidates(a, b, free_a, free_b, script, person)
        if not script:
            found += _run_on(query, listed, free_a, free_b)
        for score, how, i, j in sorted(found, key=_best_first):
            if free_a.issuperset(i) and free_b.issuperset(j):
                free_a.difference_update(i)
                free_b.difference_update(j)
                counts = max(_weighs(a, i, person, script), _weighs(b, j, person, script))
                pairs.append(Pair(_said(a, i), _said(b, j), how, score, counts))
    if free_b and any(pair.how == WITHOUT_ABDUL for pair in pairs):
        _serve(pairs, listed, free_b)
    if free_a and not script:
        _mend(pairs, query, listed, free_a, free_b)
    return pairs, [a[k] for k in sorted(free_a)], [b[k] for k in sorted(free_b)]


def _weighs(words: tuple[str, ...], at: tuple[int, ...], person: bool, script: str) -> float:  # noqa: FBT001
    if len(at) == 1:
        return weight(words[at[0]], person, script)
    return sum([weight(words[k], person, script) for k in at])


def _said(words: tuple[str, ...], at: tuple[int, ...]) -> str:
    return words[at[0]] if len(at) == 1 else " ".join([words[k] for k in at])


def _equal(
    a: tuple[str, ...],
    b: tuple[str, ...],
    person: bool,  # noqa: FBT001
    script: str,
) -> tuple[list[Pair], set[int], set[int]]:
    """The words that are equal, and where the others stand: most words are done with here."""
    pairs: list[Pair] = []
    free_a, free_b = {*range(len(a))}, {*range(len(b))}
    for i, word in enumerate(a):
        if word in b:
            j = next((k for k in free_b if b[k] == word), None)
            if j is not None:
                free_a.discard(i)
                free_b.discard(j)
                pairs.append(Pair(word, word, "equal", 1.0, weight(word, person, script)))
    return pairs, free_a, free_b


_Candidate = tuple[float, str, tuple[int, ...], tuple[int, ...]]


def _run_on(query: Name, listed: Name, free_a: set[int], free_b: set[int]) -> list[_Candidate]:
    """A free word that is a free word of the other side with a title, a legal form or a number."""
    found: list[_Candidate] = []
    for i in free_a:
        word = query.tokens[i]
        if len(word) < 5:
            continue
        for rest, also in typo_repair.taken_apart(word, listed):
            for j in free_b:
                score, _ = alike(rest, listed.tokens[j], "")
                if score > 0.8:
                    both = (
                        j,
                        *(k for k in (j - 1, j + 1) if k in free_b and listed.tokens[k] == also),
                    )
                    found.append((score - 0.01, "written together", (i,), tuple(sorted(both[:2]))))
    return found


def _serve(pairs: list[Pair], listed: Name, free: set[int]) -> None:
    """Abdul is said on both sides: what it serves was left out, and another name follows it."""
    if any(_is_servant(listed.tokens[j]) for j in free):
        at = next(k for k, pair in enumerate(pairs) if pair.how == WITHOUT_ABDUL)
        pairs[at] = pairs[at]._replace(score=0.95)


def _mend(pairs: list[Pair], query: Name, listed: Name, free_a: set[int], free_b: set[int]) -> None:
    """Words left over that are a title, a legal form or Abdul with a slip in it."""
    servant = any(pair.how == WITHOUT_ABDUL for pair in pairs)
    for i, stands_for, how in typo_repair.left_over(
        query, listed, {*free_a}, {*free_b}, servant=servant
    ):
        free_a.difference_update(i)
        said = next((j for j in sorted(free_b) if listed.tokens[j] == stands_for), None)
        free_b.discard(-1 if said is None else said)
        text = " ".join(query.tokens[k] for k in i)
        pairs.append(Pair(text, stands_for, how, 0.85, REPEATED))


@lru_cache(50_000)
def _in_company(score: float, how: str, a: str, b: str) -> float:
    """Words of companies are mistyped as those of persons are, and seldom transliterated."""
    if how == "spelling variant" and min(len(a), len(b)) <= ACRONYM:
        # ABB and AAB are two companies; in a word of four letters a doubled one may be a slip.
        doubled = max(len(a), len(b)) >= ACRONYM and _undoubled(a) == _undoubled(b)
        return 0.9 if doubled else 0.8
    if how == "spelling" and OSA.distance(a, b, score_cutoff=1) <= 1:
        return max(score, 1 - SLIP / max(len(a), len(b)))
    return score


def _undoubled(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", word)


def _best_first(one: _Candidate) -> tuple[float, int, tuple[int, ...], tuple[int, ...]]:
    return -one[0], -len(one[2]) - len(one[3]), one[2], one[3]


def _candidates(
    a: tuple[str, ...],
    b: tuple[str, ...],
    free_a: set[int],
    free_b: set[int],
    script: str,
    person: bool,  # noqa: FBT001
) -> list[_Candidate]:
    """Every two free words that are alike, and words that are one word on the other side."""
    found: list[_Candidate] = []
    for i in free_a:
        for j in free_b:
            score, how = alike(a[i], b[j], script)
            if not person and how:
                score = _in_company(score, how, a[i], b[j])
            if score > 0:
                found.append((score, how, (i,), (j,)))
    if script == "syllables":
        return found
    longest = 3 if script in {"hangul", "han"} else 2
    for run in _runs(a, free_a, b, free_b, longest):
        found += _joined("".join(a[i] for i in run), run, b, free_b, script, least=0.74, swap=False)
    for run in _runs(b, free_b, a, free_a, 2):
        found += _joined("".join(b[j] for j in run), run, a, free_a, script, least=0.85, swap=True)
    return found


def _runs(
    words: tuple[str, ...],
    free: set[int],
    others: tuple[str, ...],
    others_free: set[int],
    longest: int,
) -> list[tuple[int, ...]]:
    """Free words that stand beside one another, and may be as long as one of the other side."""
    found: list[tuple[int, ...]] = []
    most = max(len(others[k]) for k in others_free) + LONGER
    for i in free:
        if i + 1 in free and (size := len(words[i]) + len(words[i + 1])) <= most:
            found.append((i, i + 1))
            if longest > 2 and i + 2 in free and size + len(words[i + 2]) <= most:
                found.append((i, i + 1, i + 2))
    return found


def _joined(
    word: str,
    run: tuple[int, ...],
    others: tuple[str, ...],
    free: set[int],
    script: str,
    *,
    least: float,
    swap: bool,
) -> list[_Candidate]:
    found: list[_Candidate] = []
    if script == "abjad" and len(phonetics.abjad(word)) < 3:
        return found  # two consonants are written together in too many words
    by_sound = script in {"hangul", "abjad", "consonants"}
    for k in free:
        other = others[k]
        if len(other) <= 3 and script != "hangul":
            continue
        if script == "hangul" and not phonetics.syllables_fit(other, len(run)):
            continue
        # Letters that run on are as many as the word has, and begin or end as it does.
        if not by_sound and (
            abs(len(word) - len(other)) > LONGER or (word[0] != other[0] and word[-1] != other[-1])
        ):
            continue
        score, _ = alike(word, other, script)
        if score > least:
            i, j = ((k,), run) if swap else (run, (k,))
            found.append((score - 0.01, "written together", i, j))
    return found


def _score(
    pairs: list[Pair],
    free_a: list[str],
    free_b: list[str],
    query: Name,
    listed: Name,
    script: str,
) -> float:
    person = query.person
    gained = counted = full = 0.0
    for pair in pairs:
        gained += pair.score * pair.weight
        counted += pair.weight
        if pair.weight > 0.4:
            full += _fullness(pair)
    # Arabic and Hebrew write the article with its word, from which it was taken.
    articles = ARTICLES if (query.script == "abjad") != (listed.script == "abjad") else ()
    lost_a = lost_b = 0.0
    for word in free_a:
        if word not in articles:
            lost_a += _loss(word, query.tokens, person, script)
    for word in free_b:
        if word not in articles:
            lost_b += _loss(word, listed.tokens, person, script) * (2.0 if word.isdigit() else 1.0)
    beyond = UNMATCHED_LISTED if person else UNMATCHED_OF_COMPANY
    counted += UNMATCHED_QUERY * lost_a + beyond * lost_b + CONFLICT * min(lost_a, lost_b)
    score = gained / counted if counted else 0.0
    if person:
        # One name of several is not yet a person.
        others = sum(pair.how != typo_repair.TITLE for pair in pairs) > 1
        return score * 0.8 if full < 2 and (free_a or free_b or others) else score
    return score * 0.6 if full < 1 else score


@lru_cache(50_000)
def _loss(
    word: str,
    words: tuple[str, ...],
    person: bool,  # noqa: FBT001
    script: str,
) -> float:
    """What is lost with a word that has no partner; of one said twice, or a title, nearly nothing."""
    said = weight(word, person, script)
    if said <= REPEATED or not person or len(words) < 3:
        return said
    if names.is_nearly_title(word):
        return REPEATED
    same = [other for other in words if other[0] == word[0]]
    if len(same) < 2:
        return said
    folded = phonetics.spelling(word)
    times = sum(phonetics.spelling(other) == folded for other in same)
    return REPEATED if times > 1 else said


def _fullness(pair: Pair) -> float:
    """How much of a word's evidence a pair is: an initial is none by itself."""
    if pair.score < 0.7 or pair.how == "initial":
        return 0.5
    return 2.0 if _is_servant(pair.query) or _is_servant(pair.listed) else 1.0


def _is_servant(word: str) -> bool:
    """Abd al-Rahman is written as one word or as three; it counts for more than one."""
    return len(word) > 7 and word.startswith("abdul")


def _told(name: Name) -> int:
    """How many letters of a company say who it is."""
    return sum(len(word) for word in name.tokens if weight(word, name.person) > 0.5)


def _whole(query: Name, listed: Name) -> float:
    """Names whose letters are the same but for one or two, however they are split into words."""
    a, b = query.joined, listed.joined
    longest = max(len(a), len(b))
    if longest < 8 or abs(len(a) - len(b)) > 2:
        return 0.0
    if not query.person and min(_told(query), _told(listed)) < FEWEST:
        return 0.0
    if [c for c in a if c.isdigit()] != [c for c in b if c.isdigit()]:
        return 0.0
    distance = OSA.distance(a, b, score_cutoff=2)
    return (1.0, 0.87, 0.84)[distance] if distance <= (1 if longest < 14 else 2) else 0.0
