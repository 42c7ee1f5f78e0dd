"""Pairs the words of two names. The search is greedy: the most similar words first, and each word
once.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

from checks.screening import tunables
from checks.screening.matching import scoring, typo_repair
from checks.screening.matching import tunables as word_tunables
from checks.screening.matching.names import Name
from checks.screening.matching.pairing import (
    across_traditions,
    bounds,
    joined,
    shortened,
)
from checks.screening.matching.pairing.candidates import Candidate
from checks.screening.matching.parts import frequent_names, frequent_words, titles
from checks.screening.matching.scoring import Pair
from checks.screening.matching.similarity import WITHOUT_ABDUL, compare_words
from checks.screening.matching.weights import is_abd_compound, weight

Pairs = tuple[list[Pair], list[str], list[str]]


def of_words(query: Name, entry: Name, script: str, least: float) -> Pairs:
    """Return the pairs of matching words, and the words of each name that are left over.

    Nothing is returned of names whose score cannot be `least`.
    """
    a, b, person = query.tokens, entry.tokens, query.person
    # Equal words first: most names share one, and this is much cheaper than comparing.
    pairs, free_a, free_b = _equal_words(a, b, person, script)
    if person:
        scoring.weigh_first_particle(pairs, query, entry)
    is_bounded = least > 0 and person and not script and free_a and free_b
    if is_bounded and not bounds.can_reach(least, pairs, query, entry, free_a, free_b):
        return [], [], []
    if free_a and free_b:
        candidates = _candidates(a, b, free_a, free_b, script, person)
        if not script:
            candidates += joined.run_on(query, entry, free_a, free_b)
            candidates += shortened.initials_together(query, entry, free_a, free_b)
            candidates += across_traditions.candidates(
                query, entry, pairs, candidates, free_a, free_b
            )
        candidates.sort(key=_best_first)
        for score, how, i, j in candidates:
            # A better pair has already used one of these words.
            if not free_a.issuperset(i) or not free_b.issuperset(j):
                continue
            free_a.difference_update(i)
            free_b.difference_update(j)
            weight_a = _weight_of(a, i, person, script)
            weight_b = _weight_of(b, j, person, script)
            # The heavier word decides: a poor match of a full name must cost as much as that name
            # weighs.
            heavier = max(weight_a, weight_b)
            if how == "initial":
                # “A.” fits Abdulhamid no better than Omar, though Abdulhamid has a higher weight.
                # “JC” fits two names.
                heavier = min(heavier, float(max(len(i), len(j))))
            pairs.append(Pair(_text_of(a, i), _text_of(b, j), how, score, heavier))
    _adjust(pairs, query, entry, free_a, free_b, script)
    left_a = [a[i] for i in sorted(free_a)]
    left_b = [b[j] for j in sorted(free_b)]
    return pairs, left_a, left_b


def _weight_of(
    words: tuple[str, ...],
    at: tuple[int, ...],
    person: bool,  # noqa: FBT001
    script: str,
) -> float:
    if len(at) == 1:
        return weight(words[at[0]], person, script)
    total = 0.0
    for k in at:
        total += weight(words[k], person, script)
    return total


def _text_of(words: tuple[str, ...], at: tuple[int, ...]) -> str:
    if len(at) == 1:
        return words[at[0]]
    return " ".join([words[k] for k in at])


def _equal_words(
    a: tuple[str, ...],
    b: tuple[str, ...],
    person: bool,  # noqa: FBT001
    script: str,
) -> tuple[list[Pair], set[int], set[int]]:
    """Return pairs of equal words, and the positions of the other words. Most words end here."""
    pairs: list[Pair] = []
    free_a = set(range(len(a)))
    free_b = set(range(len(b)))
    for i, word in enumerate(a):
        if word not in b:
            continue
        for j in free_b:
            if b[j] == word:
                free_a.discard(i)
                free_b.discard(j)
                weight_of_both = weight(word, person, script)
                pairs.append(Pair(word, word, "equal", 1.0, weight_of_both))
                break
    return pairs, free_a, free_b


def _best_first(
    candidate: Candidate,
) -> tuple[float, bool, int, tuple[int, ...], tuple[int, ...]]:
    score, how, i, j = candidate
    # Order by score. At the same score full words come before initials (of “A. Ghani”, Ghani
    # matches Abdulghani), then longer runs. The positions make the order deterministic.
    return -score, how == "initial", -len(i) - len(j), i, j


def _candidates(
    a: tuple[str, ...],
    b: tuple[str, ...],
    free_a: set[int],
    free_b: set[int],
    script: str,
    person: bool,  # noqa: FBT001
) -> list[Candidate]:
    """Return a candidate for every two similar free words, and for words that are one word on the
    other side.
    """
    candidates: list[Candidate] = []
    for i in free_a:
        for j in free_b:
            score, how = compare_words(a[i], b[j], script)
            if person and how in _BY_LETTERS and _is_one_particle(a[i], b[j]):
                continue
            if not person and how:
                score = _score_in_company(score, how, a[i], b[j])
            if how in _ALIKE:
                score, how = _as_two(score, how, a[i], b[j], person)
            if score > 0:
                candidates.append((score, how, (i,), (j,)))
    # Syllables of one script are never split or joined.
    if script != "syllables":
        candidates += joined.candidates(a, b, free_a, free_b, script)
    return candidates


_BY_LETTERS = frozenset({"spelling", "spelling variant"})
_ALIKE = _BY_LETTERS | {"same consonants"}


def _as_two(
    score: float,
    how: str,
    a: str,
    b: str,
    person: bool,  # noqa: FBT001
) -> tuple[float, str]:
    """Return the score of two words that are alike, and whether they are two names or words."""
    if person or _are_words(a, b):
        score, how = _as_names(score, how, a, b)
    if not person and frequent_words.are_two(a, b):
        return score, scoring.OTHER_WORD
    return score, how


def _are_words(a: str, b: str) -> bool:
    """Whether both words of companies are too long for acronyms: Hon Wai is no name of people."""
    return min(len(a), len(b)) > word_tunables.ACRONYM


def _as_names(score: float, how: str, a: str, b: str) -> tuple[float, str]:
    """Return the score of two words that are alike: less if both are frequent names.

    Ahmad and Hamad, and Ford and Lord, differ by one letter, and are two names.
    """
    if not frequent_names.are_two(a, b):
        return score, how
    if frequent_names.are_common(a, b):
        return word_tunables.OTHER_COMMON_NAME, scoring.OTHER_NAME
    return score, scoring.OTHER_NAME


def _is_one_particle(a: str, b: str) -> bool:
    """Whether exactly one of two words is a particle, as with al and Aall.

    They must not match by letters.
    """
    particles = titles.particles()
    return (a in particles) != (b in particles)


@lru_cache(tunables.CACHED_SELDOM)
def _score_in_company(score: float, how: str, a: str, b: str) -> float:
    """Return the score of two words of companies.

    Words of companies have typos as often as those of persons, but are seldom transliterated.
    """
    shortest, longest = sorted((len(a), len(b)))
    # Short words of companies are acronyms, in which every letter counts.
    if how == "spelling variant" and shortest <= word_tunables.ACRONYM:
        # A doubled letter is a typo. Any other difference makes a different acronym.
        if longest >= word_tunables.ACRONYM and _undoubled(a) == _undoubled(b):
            return word_tunables.ACRONYM_DOUBLED
        # Alfa and Alpha: an f is written so in a word, and not in an acronym.
        if a.replace("ph", "f") == b.replace("ph", "f"):
            return score
        return word_tunables.ACRONYM_VARIANT
    if how == "spelling" and shortest < word_tunables.ACRONYM:
        return word_tunables.ACRONYM_SLIP
    if how == "spelling" and OSA.distance(a, b, score_cutoff=1) <= 1:
        return max(score, 1 - word_tunables.SLIP_IN_COMPANY / longest)
    return score


def _undoubled(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", word)


def _adjust(
    pairs: list[Pair],
    query: Name,
    entry: Name,
    free_a: set[int],
    free_b: set[int],
    script: str,
) -> None:
    """Adjust the pairs by the words that are left over."""
    if free_b:
        _raise_without_abdul(pairs, entry, free_b)
    if query.person and (free_a or free_b):
        _lower_without_abdul(pairs, query, entry, free_a, free_b)
    if query.person and (query.titles or entry.titles):
        _pair_with_titles(pairs, query, entry, free_a, free_b, script)
    # Repairs come last, so that a word that is a name itself is never taken for a title with a
    # typo.
    if free_a and not script:
        _repair_typos(pairs, query, entry, free_a, free_b)
    if query.person:
        scoring.weigh_patronymics(pairs, query, entry)


def _raise_without_abdul(pairs: list[Pair], entry: Name, free: set[int]) -> None:
    """Raise a pair in which one side lacks Abdul, if a left-over word of the listed name has it.

    Both names then have Abdul, only before different words.
    """
    for at, pair in enumerate(pairs):
        if pair.how == WITHOUT_ABDUL:
            if any(is_abd_compound(entry.tokens[j]) for j in free):
                pairs[at] = pair._replace(score=tunables.ABD_WITH_OTHER_NAME)
            return


def _lower_without_abdul(
    pairs: list[Pair], query: Name, entry: Name, free_a: set[int], free_b: set[int]
) -> None:
    """Lower a pair in which one side lacks Abdul, if another name stands in its place.

    Abdul Khan and Padshah Khan are two people.
    """
    for at, pair in enumerate(pairs):
        if pair.how != WITHOUT_ABDUL or pair.score > word_tunables.WITHOUT_ABDUL:
            continue
        others, free = entry.tokens, free_b
        if is_abd_compound(pair.entry):
            others, free = query.tokens, free_a
        against = [others[k] for k in free if others[k] != "abdul"]
        if any(weight(word, True) > tunables.FULL_WORD for word in against):  # noqa: FBT003
            pairs[at] = pair._replace(score=tunables.ABD_AGAINST_NAME)


def _pair_with_titles(
    pairs: list[Pair],
    query: Name,
    entry: Name,
    free_a: set[int],
    free_b: set[int],
    script: str,
) -> None:
    """Pair words that are a title of the other name: Naeem Sheikh and Sheikh Naeem."""
    for i in sorted(free_a):
        word = query.tokens[i]
        title = typo_repair.title_of(word, entry.titles, script)
        if title:
            free_a.discard(i)
            pairs.append(
                Pair(word, title, typo_repair.TITLE, 1.0, _weight_of_title(word))
            )
    for j in sorted(free_b):
        word = entry.tokens[j]
        title = typo_repair.title_of(word, query.titles, script)
        if title:
            free_b.discard(j)
            pairs.append(
                Pair(title, word, typo_repair.TITLE, 1.0, _weight_of_title(word))
            )


def _weight_of_title(word: str) -> float:
    if titles.may_be_name(word):
        return 1.0
    return tunables.WEIGHT_OF_REPETITION


def _repair_typos(
    pairs: list[Pair], query: Name, entry: Name, free_a: set[int], free_b: set[int]
) -> None:
    """Pair left-over words that are a title, a legal form or Abdul with a typo."""
    abdul = any(pair.how == WITHOUT_ABDUL for pair in pairs)
    # Nothing to look for: only titles and Abdul of the listed name are repaired.
    if query.person and not entry.titles and not abdul:
        return
    repairs = typo_repair.repairs(query, entry, set(free_a), set(free_b), abdul=abdul)
    for places, stands_for, how in repairs:
        free_a.difference_update(places)
        for j in sorted(free_b):
            if entry.tokens[j] == stands_for:
                free_b.discard(j)
                break
        text = " ".join([query.tokens[k] for k in places])
        score = tunables.TYPO_IN_MINOR_WORD
        minor = tunables.WEIGHT_OF_REPETITION
        pairs.append(Pair(text, stands_for, how, score, minor))
