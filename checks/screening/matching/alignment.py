"""How similar two names are, word by word.

The alignment is the evidence: it explains every point.
"""

from __future__ import annotations

from collections.abc import Sequence

from checks.screening import tunables
from checks.screening.matching import readings, scoring
from checks.screening.matching import tunables as word_tunables
from checks.screening.matching.names import Name
from checks.screening.matching.pairing import pairs as pairing
from checks.screening.matching.pairing import shortened, whole_names
from checks.screening.matching.parts import titles
from checks.screening.matching.scoring import Alignment, Pair
from checks.screening.matching.weights import SYLLABLES, weight
from checks.screening.romanisation import coarse


def align(query: Name, entry: Name, *, least: float = 0.0) -> Alignment:
    """Compare two names and return the score with the pairs of words.

    The search is greedy: the most similar words first, and each word once. Below `least` only the
    score is returned, because most names that share a key are different names and nobody reads
    their pairs.
    """
    if not query.tokens or not entry.tokens:
        return Alignment(0.0, ())
    alignment = _of_names(query, entry, least)
    if not query.person:
        return alignment
    most = tunables.MAYBE_TWO_PEOPLE
    if alignment.score > most and _are_father_and_son(query.tokens, entry.tokens):
        alignment = Alignment(most, alignment.pairs)
    if query.titles and entry.titles:
        return _by_generation(alignment, query, entry)
    return alignment


def _are_father_and_son(query: Sequence[str], entry: Sequence[str]) -> bool:
    """Whether the names before and behind bin have changed places: Ahmad bin Ismail is the son of
    Ismail bin Ahmad, or of another Ismail.
    """
    mine, theirs = _generations(query), _generations(entry)
    return all(mine) and mine != theirs and mine == theirs[::-1]


def _generations(words: Sequence[str]) -> list[tuple[str, ...]]:
    """The names of child, father and so on, as bin, ibn and the like part them."""
    generations: list[tuple[str, ...]] = [()]
    for word in words:
        if word in titles.words_of("filiation"):
            generations.append(())
        else:
            generations[-1] = (*generations[-1], word)
    return generations


def _by_generation(alignment: Alignment, query: Name, entry: Name) -> Alignment:
    """Limit the score of father and son: Juan Reyes Jr. and Juan Reyes Sr.

    It is a hit all the same, because few people write it always.
    """
    mine, theirs = titles.generation(query.titles), titles.generation(entry.titles)
    if not mine or not theirs or mine == theirs:
        return alignment
    score = min(alignment.score, tunables.MAYBE_TWO_PEOPLE)
    if not alignment.pairs:
        return Alignment(score, ())
    minor = tunables.WEIGHT_OF_REPETITION
    differing = (
        Pair(mine, "", "not listed", 0.0, minor),
        Pair("", theirs, "not in the query", 0.0, minor),
    )
    return Alignment(score, (*alignment.pairs, *differing))


def _of_names(query: Name, entry: Name, least: float) -> Alignment:
    # Shortcuts for equal names, which need no alignment: equal words, equal letters, the same
    # syllables.
    if query.tokens == entry.tokens:
        return _of_whole(query, entry, "equal", _score_of_equal(query, entry))
    if query.joined == entry.joined:
        return _of_whole(query, entry, "written together", tunables.WRITTEN_TOGETHER)
    if _is_shuffled(query, entry):
        return _of_whole(
            query, entry, "syllables in another order", tunables.OTHER_ORDER
        )
    return _of_words(query, entry, least)


def _score_of_equal(query: Name, entry: Name) -> float:
    """Return the score of two names with the same words.

    Many people are called Reza alone, so such a name scores less. Haji Reza is more specific, if
    the list has the title, too.
    """
    has_titles = bool(entry.titles) and set(entry.titles) <= set(query.titles)
    if query.person and not has_titles:
        return scoring.share_of_one(query.tokens)
    return 1.0


def _of_words(query: Name, entry: Name, least: float) -> Alignment:
    script = _script(query, entry)
    pairs, free_query, free_entry = pairing.of_words(query, entry, script, least)
    score = 0.0
    if pairs:
        score = scoring.score(pairs, free_query, free_entry, query, entry, script)
        score = _at_most_as_read(score, pairs, query, entry, script)
    # The letters of a name from another script are only a transliteration, so that the names are
    # compared letter by letter only within one script.
    if not script and score < tunables.ENOUGH_BY_WORDS:
        whole, how = _letter_by_letter(query, entry)
        # Wrong spaces and narrow fields move letters between words. Then the whole names are more
        # similar than any pair of words.
        if whole > score:
            return _of_whole(query, entry, how, whole)
    score = _at_most_in_pinyin(score, query, entry)
    # Names in Chinese or Korean characters have several readings; the best of them may beat the
    # words.
    reading = readings.compare(query, entry)
    if reading.score > score:
        syllables = [Pair(*syllable, 1.0) for syllable in reading.pairs]
        return Alignment(reading.score, tuple(syllables))
    if score < least:
        return Alignment(score, ())
    for word in free_query:
        loss = weight(word, query.person, script)
        pairs.append(Pair(word, "", "not listed", 0.0, loss))
    for word in free_entry:
        loss = weight(word, query.person, script)
        pairs.append(Pair("", word, "not in the query", 0.0, loss))
    return Alignment(score, tuple(pairs))


def _at_most_as_read(
    score: float, pairs: Sequence[Pair], query: Name, entry: Name, script: str
) -> float:
    """Limit the score of a name in Hangul or Han that sounds similar, but has other syllables or
    another order of them, and of one that is alike in coarse classes of consonants.
    """
    if any(pair.how == coarse.HOW for pair in pairs):
        return min(score, word_tunables.COARSE)
    most = tunables.OTHER_SYLLABLES
    if script == "hangul" and score > most and readings.contradict(query, entry):
        return most
    most = tunables.OTHER_ORDER
    if script in SYLLABLES and score > most and _are_shuffled(pairs, query, entry):
        return most
    return score


def _at_most_in_pinyin(score: float, query: Name, entry: Name) -> float:
    """Limit the score of two names in pinyin that differ in a letter: Xiaoping and Xiaoming."""
    most = tunables.TWO_FREQUENT_NAMES
    if score > most and readings.are_two_in_pinyin(query, entry):
        return most
    return score


def _are_shuffled(pairs: Sequence[Pair], query: Name, entry: Name) -> bool:
    """Whether the syllables match one by one in another order: 광수 is not Su-gwang.

    The family name may be first or last. A name with one syllable twice has no order to judge by.
    """
    a, b = query.tokens, entry.tokens
    size = len(pairs)
    if not size == len(a) == len(b) == len(set(a)) == len(set(b)):
        return False
    of_entry = {pair.query: pair.entry for pair in pairs}
    if not of_entry.keys() >= set(a):
        return False
    in_order = tuple(of_entry[word] for word in a)
    return b not in [in_order[at:] + in_order[:at] for at in range(size)]


def _letter_by_letter(query: Name, entry: Name) -> tuple[float, str]:
    whole = whole_names.score(query, entry)
    short, how = shortened.compare(query, entry)
    if short > whole:
        return short, how
    return whole, "spelling"


def _of_whole(query: Name, entry: Name, how: str, score: float) -> Alignment:
    query_text = " ".join(query.tokens)
    entry_text = " ".join(entry.tokens)
    pair = Pair(query_text, entry_text, how, score, 1.0)
    return Alignment(score, (pair,))


def _is_shuffled(query: Name, entry: Name) -> bool:
    """Whether both names have the same syllables in another order.

    An order in which only the family name moved to the other end does not count.
    """
    a, b = query.tokens, entry.tokens
    # In other scripts each word is a whole name, and another order only puts the family name first.
    if query.script not in SYLLABLES or entry.script not in SYLLABLES:
        return False
    if sorted(a) != sorted(b):
        return False
    for first in range(len(a)):
        # A rotation only moves the family name to the other end: that is the same name.
        if a[first:] + a[:first] == b:
            return False
    return True


_SCRIPT_OF_BOTH = {"abjad": "consonants", "hangul": "syllables", "han": "syllables"}


def _script(query: Name, entry: Name) -> str:
    """Return by which sounds to compare.

    For two names in one script, its letters are usually enough.
    """
    if entry.script == coarse.SCRIPT:
        return entry.script
    if query.script != entry.script:
        return query.script or entry.script
    return _SCRIPT_OF_BOTH.get(query.script, "")
