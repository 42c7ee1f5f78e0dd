"""Rules out names of persons that cannot be similar enough, before they are compared in full.

Nine of ten names that share a key with a query are other names, and comparing them takes most of the
time of a screening. Words without a partner limit the score. So it is enough to know which words may
have one. The limit is never lower than the score, so no result changes with it. It holds for names
of persons in Latin letters. In other names words match in more ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from checks.screening import tunables
from checks.screening.matching import names, scoring, similarity
from checks.screening.matching.names import Name
from checks.screening.matching.pairing import joined, shortened
from checks.screening.matching.parts import titles
from checks.screening.matching.scoring import Pair
from checks.screening.matching.weights import weight
from checks.screening.romanisation import phonetics, traditions


class _Word(NamedTuple):
    """A word with its signs: two words without a common sign are not similar.

    `signs` is empty for a word that is compared in another way: a number, an initial, a form.
    `is_loss`: without a partner it costs as much as a full name.
    """

    text: str
    signs: frozenset[str]
    sound: str
    outline: str
    weight: float
    is_loss: bool


def can_reach(
    least: float,
    pairs: Sequence[Pair],
    query: Name,
    entry: Name,
    free_query: set[int],
    free_entry: set[int],
) -> bool:
    """Whether the score of two names of persons in Latin letters may be `least` or more.

    `pairs` are their equal words. The positions of the other words are free.
    """
    # A word may be a title of the other name, or run on into one.
    if query.titles or entry.titles:
        return True
    words_of_query = _words_of_query(query.tokens)
    words_of_entry = _words(entry.tokens)
    if not words_of_query or not words_of_entry:
        return True
    mine = [words_of_query[i] for i in free_query]
    theirs = [words_of_entry[j] for j in free_entry]
    alike = _with_common_sign(mine, theirs)
    # Signs first: for most names they are enough, and words need not be compared.
    if _is_enough(least, pairs, mine, theirs, alike):
        alike = [(word, other) for word, other in alike if _may_be_pair(word, other)]
        if _is_enough(least, pairs, mine, theirs, alike):
            return True
    # Words that are one word of the other name need no partner of their own.
    return bool(
        joined.candidates(query.tokens, entry.tokens, free_query, free_entry, "")
    )


@lru_cache(tunables.CACHED_NAMES)
def _words_of_query(tokens: tuple[str, ...]) -> list[_Word]:
    return _words(tokens)


def _words(tokens: tuple[str, ...]) -> list[_Word]:
    """Return the words of a name; none if they are not enough to judge by.

    So it is if a word has no signs, or if two words sound the same, as one of them is no loss then.
    """
    words = []
    sounds = set()
    for token in tokens:
        word = _word(token)
        if not word.signs:
            return []
        words.append(word)
        sounds.add(word.sound)
    if len(sounds) < len(words):
        return []
    return words


_Alike = Sequence[tuple[_Word, _Word]]


def _with_common_sign(words: Sequence[_Word], others: Sequence[_Word]) -> _Alike:
    """Return the words of two names that have a sign in common."""
    alike = []
    for word in words:
        signs = word.signs
        for other in others:
            # Most pairs of words end here.
            if not signs.isdisjoint(other.signs):
                alike.append((word, other))
    return alike


def _is_enough(
    least: float,
    pairs: Sequence[Pair],
    mine: Sequence[_Word],
    theirs: Sequence[_Word],
    alike: _Alike,
) -> bool:
    """Whether the score may be `least` if these words are alike."""
    most_pairs = _most_pairs(alike)
    loss_query = _losses(mine) - most_pairs
    loss_entry = _losses(theirs) - most_pairs
    # With a loss on one side only, words count less in many ways.
    if loss_query <= 0 or loss_entry <= 0:
        return True
    # A pair gains its weight at most, which is that of the heavier word.
    gain = most_pairs * max([word.weight for word in (*mine, *theirs)])
    for pair in pairs:
        gain += pair.weight
    cost = scoring.cost(loss_query, loss_entry, person=True)
    return gain >= least * (gain + cost)


def _most_pairs(alike: _Alike) -> int:
    """Return how many pairs there may be, if each word is in one pair at most."""
    if len(alike) < 2:
        return len(alike)
    words = {word.text for word, _ in alike}
    others = {other.text for _, other in alike}
    return min(len(words), len(others))


def _may_be_pair(word: _Word, other: _Word) -> bool:
    score, _ = similarity.compare_words(word.text, other.text, "")
    if score > 0:
        return True
    is_one_outline = word.outline == other.outline
    return is_one_outline and traditions.score(word.text, other.text) > 0


def _losses(words: Sequence[_Word]) -> int:
    count = 0
    for word in words:
        if word.is_loss:
            count += 1
    return count


@lru_cache(tunables.CACHED_SOUNDS)
def _word(text: str) -> _Word:
    sound = phonetics.spelling(text)
    outline = traditions.outline(text)
    signs: set[str] = set()
    if not _is_special(text):
        # One end sounds the same, a machine reads the words alike, they are forms of one name, or
        # the letters are the same that every tradition of spelling writes.
        signs = {f"{sound[0]}-", f"-{sound[-1]}", f"{outline}*"}
        signs.add(phonetics.as_read(text))
        signs.add(f"={text}")
        for form in similarity.forms_of(text):
            signs.add(f"={form}")
    weight_of_word = weight(text, True)  # noqa: FBT003
    is_loss = weight_of_word >= 1 and not _costs_less(text)
    return _Word(text, frozenset(signs), sound, outline, weight_of_word, is_loss)


def _is_special(word: str) -> bool:
    """Whether a word is compared in another way than by its letters and sound."""
    if len(word) == 1 or word == "abdul" or word.isdigit():
        return True
    return word in names.form_classes() or shortened.may_be_initials(word, person=True)


def _costs_less(word: str) -> bool:
    return titles.is_nearly(word) or names.is_patronymic(word)
