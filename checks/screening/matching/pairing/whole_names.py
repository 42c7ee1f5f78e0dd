"""The score of two names by their letters, however they are split into words."""

from __future__ import annotations

from rapidfuzz.distance import OSA

from checks.screening import tunables
from checks.screening.matching import similarity
from checks.screening.matching import tunables as word_tunables
from checks.screening.matching.names import Name
from checks.screening.matching.parts import frequent_names, frequent_words, titles
from checks.screening.matching.weights import full_words
from checks.screening.romanisation import phonetics


def score(query: Name, entry: Name) -> float:
    """Return the score of names whose letters differ by at most two, however they are split into
    words.
    """
    letters, listed = query.joined, entry.joined
    longest = max(len(letters), len(listed))
    # Short names are within two typos of many others.
    if longest < tunables.SHORTEST_WHOLE:
        return 0.0
    slips = _slips(letters, listed, _spelt_as(query, entry))
    # Nearly all names end here.
    if slips is None:
        return 0.0
    if not query.person:
        # Common words of companies make names similar, so enough letters must be in specific words.
        telling = min(_telling_letters(query), _telling_letters(entry))
        if telling < tunables.TELLING_LETTERS:
            return 0.0
    # Factory 5 and Factory 7 differ by one character, but are two companies.
    if _digits(letters) != _digits(listed):
        return 0.0
    score_of_letters = _score_of_slips(slips, longest)
    if not score_of_letters:
        return 0.0
    if len(query.tokens) != len(entry.tokens):
        return score_of_letters
    return _at_most_as_names(score_of_letters, query, entry)


def _slips(letters: str, listed: str, spelt: str) -> int | None:
    """Return by how many slips the letters differ; None if there are more than two.

    `spelt` is the listed name in the query's spelling.
    """
    slips = OSA.distance(letters, spelt, score_cutoff=2)
    # Beyond the cut-off the distance is reported as 3.
    if slips > 2:
        return None
    # Words that all sound the same are compared better one by one.
    if slips == 0 and spelt != listed:
        return None
    return slips


def _spelt_as(query: Name, entry: Name) -> str:
    """Return the listed name in letters, with the query's spelling of each word that sounds the same.

    So a slip in one word counts the same whichever spelling another word has: Mehdi Rezai and
    Mahdi Rezaee.
    """
    if not query.person or len(query.tokens) != len(entry.tokens):
        return entry.joined
    words = []
    for mine, theirs in zip(query.tokens, entry.tokens, strict=True):
        is_same = phonetics.spelling(mine) == phonetics.spelling(theirs)
        words.append(mine if is_same else theirs)
    return "".join(words)


def _score_of_slips(slips: int, letters: int) -> float:
    if slips == 0:
        return 1.0
    if slips == 1:
        return tunables.WHOLE_WITH_ONE_SLIP
    if slips == 2 and letters >= tunables.WHOLE_FOR_TWO_SLIPS:
        return tunables.WHOLE_WITH_TWO_SLIPS
    return 0.0


def _at_most_as_names(score: float, query: Name, entry: Name) -> float:
    """Return a lower score if the typos turn one word into another name: James Korbut, Hamed
    Korbut.
    """
    for at, (a, b) in enumerate(zip(query.tokens, entry.tokens, strict=True)):
        if a == b:
            continue
        is_first = at == 0
        if query.person and _is_other(a, b, is_first=is_first):
            return min(score, tunables.WHOLE_WITH_OTHER_WORD)
        if not query.person and frequent_words.are_two(a, b):
            score = min(score, tunables.TWO_FREQUENT_NAMES)
        if not query.person and min(len(a), len(b)) <= word_tunables.ACRONYM:
            continue
        # Two frequent names are seldom typos of each other. Otherwise a name made of two listed
        # ones would be a hit of both.
        if frequent_names.are_two(a, b):
            score = min(score, tunables.TWO_FREQUENT_NAMES)
    return score


def _is_other(a: str, b: str, *, is_first: bool) -> bool:
    return _is_other_word(a, b) or (is_first and _is_one_particle(a, b))


def _is_other_word(a: str, b: str) -> bool:
    # William G. and William W. are two people.
    if len(a) == len(b) == 1:
        return True
    slips = min(
        OSA.distance(a, b),
        OSA.distance(phonetics.as_read(a), phonetics.as_read(b)),
    )
    if slips > _slips_of_one_word(min(len(a), len(b))):
        return True
    is_short = min(len(a), len(b)) <= word_tunables.LETTERS_WITH_ONE_SLIP
    return is_short and similarity.begin_otherwise(a, b)


def _is_one_particle(a: str, b: str) -> bool:
    """Whether one or both of two first words are particles, and so names: Van and Ian, Du and Di."""
    particles = titles.particles()
    if phonetics.spelling(a) == phonetics.spelling(b):
        return False
    first, second = a in particles, b in particles
    if first and second:
        return True
    other = b if first else a
    return (first or second) and frequent_names.is_frequent(other)


def _slips_of_one_word(letters: int) -> int:
    """Return how many of the typos of a whole name may be in one of its words."""
    if letters < word_tunables.LETTERS_OF_OTHER_WORD:
        return 1
    return similarity.slips_allowed(letters)


def _telling_letters(name: Name) -> int:
    """Return how many letters of a company's name stand in specific words."""
    return sum(map(len, full_words(name)))


def _digits(text: str) -> list[str]:
    return [letter for letter in text if letter.isdigit()]
