"""What the pairs of words, and the words without a partner, come to for two names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from checks.screening import tunables
from checks.screening.matching import names, phonetics, typo_repair
from checks.screening.matching.names import Name
from checks.screening.matching.weights import full_words, is_abd_compound, weight

_ARTICLES = frozenset({"al", "el", "ul"})
_NO_WORDS: frozenset[str] = frozenset()


class Pair(NamedTuple):
    """Words that stand for one another; an empty side means that the other side lacks it."""

    query: str
    entry: str
    how: str
    score: float
    weight: float

    def to_wire(self) -> dict[str, str | float]:
        return {
            "query": self.query,
            "listed": self.entry,
            "how": self.how,
            "score": round(self.score, 2),
            "weight": round(self.weight, 2),
        }


class Alignment(NamedTuple):
    score: float
    pairs: tuple[Pair, ...]


def score(
    pairs: Sequence[Pair],
    free_query: Sequence[str],
    free_entry: Sequence[str],
    query: Name,
    entry: Name,
    script: str,
) -> float:
    """The score of two names, from 0 to 1: what their pairs gain of what all words could."""
    person = query.person
    gain = 0.0
    total = 0.0
    for pair in pairs:
        gain += pair.score * pair.weight
        total += pair.weight
    # Arabic and Hebrew write the article with its word, from which it was removed.
    is_across = (query.script == "abjad") != (entry.script == "abjad")
    articles = _ARTICLES if is_across else _NO_WORDS
    loss_query = 0.0
    for word in free_query:
        if word not in articles:
            loss_query += _loss(word, query.tokens, person, script)
    loss_entry = 0.0
    for word in free_entry:
        if word not in articles:
            loss = _loss(word, entry.tokens, person, script)
            if word.isdigit():
                loss *= tunables.UNMATCHED_NUMBER
            loss_entry += loss
    total += _cost(loss_query, loss_entry, person=person)
    if not total:
        return 0.0
    is_partial = bool(free_query or free_entry)
    return gain / total * _share(pairs, person=person, is_partial=is_partial)


def _cost(loss_query: float, loss_entry: float, *, person: bool) -> float:
    """What the words without a partner cost together."""
    unmatched_entry = tunables.UNMATCHED_LISTED_OF_COMPANY
    if person:
        unmatched_entry = tunables.UNMATCHED_LISTED
    losses = tunables.UNMATCHED_QUERY * loss_query + unmatched_entry * loss_entry
    conflict = tunables.CONFLICT * min(loss_query, loss_entry)
    return losses + conflict


def _share(pairs: Sequence[Pair], *, person: bool, is_partial: bool) -> float:
    """How much of the score counts where too few names, or no name, stand on both sides."""
    count = 0.0
    for pair in pairs:
        if pair.weight > tunables.COUNTED_PAIR:
            count += _count(pair)
    if not person:
        if count < 1:
            return tunables.ONE_NAME_OF_COMPANY
        return 1.0
    if count >= tunables.NAMES_OF_PERSON:
        return 1.0
    if not is_partial and _is_initial_and_name(pairs):
        return tunables.INITIAL_AND_NAME
    # Who is called by one name alone is the same person by it.
    beside_titles = [pair for pair in pairs if pair.how != typo_repair.TITLE]
    if is_partial or len(beside_titles) > 1:
        return tunables.ONE_NAME_OF_PERSON
    return 1.0


def _is_initial_and_name(pairs: Sequence[Pair]) -> bool:
    """B. Rashid: an initial in the query, and the same name on both sides."""
    has_initial = False
    for pair in pairs:
        if pair.how == "initial":
            has_initial = has_initial or len(pair.query) == 1
        elif pair.score < tunables.SAME_WORD:
            return False
    return has_initial


def _count(pair: Pair) -> float:
    """For how many names a pair counts: an initial is none by itself."""
    if pair.score < tunables.FAINT_PAIR or pair.how == "initial":
        return 0.5
    if is_abd_compound(pair.query) or is_abd_compound(pair.entry):
        return 2.0
    return 1.0


@lru_cache(50_000)
def _loss(
    word: str,
    words: tuple[str, ...],
    person: bool,  # noqa: FBT001
    script: str,
) -> float:
    """What a word without a partner costs; next to nothing where the name repeats it, or a title."""
    full = weight(word, person, script)
    if full <= tunables.WEIGHT_OF_REPETITION:
        return full
    if not person or len(words) < tunables.WORDS_FOR_REPETITION:
        return full
    if names.is_nearly_title(word):
        return tunables.WEIGHT_OF_REPETITION
    folded = phonetics.spelling(word)
    times = 0
    for other in words:
        if other[0] == word[0] and phonetics.spelling(other) == folded:
            times += 1
    if times > 1:
        return tunables.WEIGHT_OF_REPETITION
    return full


def score_of_whole(query: Name, entry: Name) -> float:
    """Names whose letters are the same but for one or two, however they are split into words."""
    a, b = query.joined, entry.joined
    shortest, longest = sorted((len(a), len(b)))
    if longest < tunables.SHORTEST_WHOLE or longest - shortest > 2:
        return 0.0
    if not query.person:
        telling = min(_telling_letters(query), _telling_letters(entry))
        if telling < tunables.TELLING_LETTERS:
            return 0.0
    if _digits(a) != _digits(b):
        return 0.0
    distance = OSA.distance(a, b, score_cutoff=2)
    if distance == 0:
        return 1.0
    if distance == 1:
        return tunables.WHOLE_WITH_ONE_SLIP
    if distance == 2 and longest >= tunables.WHOLE_FOR_TWO_SLIPS:
        return tunables.WHOLE_WITH_TWO_SLIPS
    return 0.0


def _telling_letters(name: Name) -> int:
    """How many letters of a company stand in words of its own."""
    return sum(map(len, full_words(name)))


def _digits(text: str) -> list[str]:
    return [letter for letter in text if letter.isdigit()]
