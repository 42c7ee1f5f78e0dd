"""Words of one name that are one word of the other: Abu Bakr and Abubakr, van der Merwe."""

from __future__ import annotations

import re

from checks.screening import tunables
from checks.screening.matching import typo_repair
from checks.screening.matching.names import Name
from checks.screening.matching.pairing.candidates import Candidate
from checks.screening.matching.parts import titles
from checks.screening.matching.similarity import compare_words
from checks.screening.matching.weights import SYLLABLES
from checks.screening.romanisation import coarse, phonetics


def candidates(
    a: tuple[str, ...],
    b: tuple[str, ...],
    free_a: set[int],
    free_b: set[int],
    script: str,
) -> list[Candidate]:
    """Return candidates for adjacent words that are one word on the other side."""
    if not script:
        return _in_latin_letters(a, b, free_a, free_b)
    candidates: list[Candidate] = []
    # A Korean or Chinese name of three syllables may be one word in Latin letters. Elsewhere two
    # words are enough.
    is_syllabic = script in SYLLABLES
    # The words with vowels may be on either side.
    apart = tunables.VOWELS_APART if script == "abjad" else tunables.LETTERS_APART
    # No word of the other side is that of a run if all are shorter; a syllable of Hangul may be.
    shortest = 0 if script == "hangul" else tunables.SHORTEST_JOINED
    for run in _runs(a, free_a, b, free_b, is_syllabic, apart=apart, shortest=shortest):
        for score, k in _joined(a, run, b, free_b, script, least=tunables.JOINED_QUERY):
            candidates.append((score, "written together", run, (k,)))
    for run in _runs(b, free_b, a, free_a, three=False, apart=apart, shortest=shortest):
        for score, k in _joined(
            b, run, a, free_a, script, least=tunables.JOINED_LISTED
        ):
            candidates.append((score, "written together", (k,), run))
    return candidates


def _in_latin_letters(
    a: tuple[str, ...], b: tuple[str, ...], free_a: set[int], free_b: set[int]
) -> list[Candidate]:
    candidates: list[Candidate] = []
    # Most names have no such runs.
    for run, k in _latin_runs(a, free_a, b, free_b):
        score, _ = compare_words("".join([a[i] for i in run]), b[k], "")
        if score > tunables.JOINED_QUERY:
            score -= tunables.BEHIND_SINGLE_WORDS
            candidates.append((score, "written together", run, (k,)))
    for run, k in _latin_runs(b, free_b, a, free_a):
        score, _ = compare_words("".join([b[j] for j in run]), a[k], "")
        if score > tunables.JOINED_LISTED:
            score -= tunables.BEHIND_SINGLE_WORDS
            candidates.append((score, "written together", (k,), run))
    return candidates


def _latin_runs(
    words: tuple[str, ...],
    free: set[int],
    others: tuple[str, ...],
    others_free: set[int],
) -> list[tuple[tuple[int, ...], int]]:
    """Return adjacent free words, each with the position of a free word of the other side that is
    about as long, and begins or ends alike.

    Three words are such a run if the one in the middle is a particle.
    """
    pairs: list[tuple[tuple[int, ...], int]] = []
    if len(free) < 2 or not others_free:
        return pairs
    most = max([len(others[k]) for k in others_free]) + tunables.LETTERS_APART
    for first in free:
        second, third = first + 1, first + 2
        # Most runs end here: they are longer than any word of the other side.
        if second not in free or len(words[first]) + len(words[second]) > most:
            continue
        run = (first, second)
        for k in _places(words, run, others, others_free):
            pairs.append((run, k))
        if third in free and words[second] in titles.particles():
            longer = (first, second, third)
            for k in _places(words, longer, others, others_free):
                pairs.append((longer, k))
    return pairs


def _places(
    words: tuple[str, ...],
    run: tuple[int, ...],
    others: tuple[str, ...],
    free: set[int],
) -> list[int]:
    first = words[run[0]][0]
    last = words[run[-1]][-1]
    alike: list[int] = []
    for k in free:
        other = others[k]
        if other[0] == first or other[-1] == last:
            alike.append(k)
    # Most runs end here.
    if not alike:
        return alike
    size = sum([len(words[k]) for k in run])
    # Short words match the joined form of too many pairs.
    least = max(tunables.SHORTEST_JOINED, size - tunables.LETTERS_APART)
    most = size + tunables.LETTERS_APART
    return [k for k in alike if least <= len(others[k]) <= most]


def _runs(
    words: tuple[str, ...],
    free: set[int],
    others: tuple[str, ...],
    others_free: set[int],
    three: bool,  # noqa: FBT001
    *,
    apart: int,
    shortest: int,
) -> list[tuple[int, ...]]:
    """Return runs of two adjacent free words that may be as long as a free word of the other side.

    Runs of three are returned with `three`.
    """
    runs: list[tuple[int, ...]] = []
    longest = max([len(others[k]) for k in others_free])
    if longest < shortest:
        return runs
    most = longest + apart
    for first in free:
        second = first + 1
        if second not in free:
            continue
        size = len(words[first]) + len(words[second])
        if size > most:
            continue
        runs.append((first, second))
        third = first + 2
        if third not in free or size + len(words[third]) > most:
            continue
        if three:
            runs.append((first, second, third))
    return runs


def _joined(
    words: tuple[str, ...],
    run: tuple[int, ...],
    others: tuple[str, ...],
    free: set[int],
    script: str,
    *,
    least: float,
) -> list[tuple[float, int]]:
    """Return the free words of the other side that are similar to the joined words of a run, with
    scores.
    """
    matches: list[tuple[float, int]] = []
    places = _worth_comparing(words, run, others, free, script)
    # Most runs end here.
    if not places:
        return matches
    word = "".join([words[k] for k in run])
    if script == "abjad":
        consonants = phonetics.abjad(word)
        # Few consonants match many words by chance. Words that end in Allah are few.
        if len(consonants) < tunables.SHORTEST_JOINED_CONSONANTS:
            places = [k for k in places if _end_in_allah(word, others[k])]
        places = _of_like_length(consonants, others, places)
    for k in places:
        score, _ = compare_words(word, others[k], script)
        if score > least:
            matches.append((score - tunables.BEHIND_SINGLE_WORDS, k))
    return matches


_ALLAH = re.compile("ll?ah?$")


def _end_in_allah(word: str, other: str) -> bool:
    """Whether both words end in Allah, the first without vowels: عزيز الله and Azizullah."""
    return word.endswith("llh") and bool(_ALLAH.search(other))


def _worth_comparing(
    words: tuple[str, ...],
    run: tuple[int, ...],
    others: tuple[str, ...],
    free: set[int],
    script: str,
) -> list[int]:
    """Return the positions of free words that may be the words of a run, by length and ends."""
    if script == "hangul":
        return [k for k in free if phonetics.syllables_fit(others[k], len(run))]
    if script == "abjad":
        return _of_about_so_many_consonants(words, run, others, free)
    if script in {"consonants", coarse.SCRIPT}:
        return [k for k in free if len(others[k]) >= tunables.SHORTEST_JOINED]
    return _places(words, run, others, free)


def _of_about_so_many_consonants(
    words: tuple[str, ...],
    run: tuple[int, ...],
    others: tuple[str, ...],
    free: set[int],
) -> list[int]:
    """Return the positions of words that may have the consonants of a run.

    They are counted word by word, because joining costs more and most runs end here. At the seam of
    two words a consonant may be lost or won: two equal ones, or the h at the end of a word.
    """
    consonants = sum([len(phonetics.abjad(words[k])) for k in run])
    most = tunables.CONSONANTS_APART + len(run)
    places = []
    for k in free:
        if len(others[k]) < tunables.SHORTEST_JOINED:
            continue
        if abs(len(phonetics.abjad(others[k])) - consonants) <= most:
            places.append(k)
    return places


def _of_like_length(
    consonants: str, others: tuple[str, ...], places: list[int]
) -> list[int]:
    """Return the positions of the words that have about as many consonants."""
    alike = []
    for k in places:
        apart = len(phonetics.abjad(others[k])) - len(consonants)
        if abs(apart) <= tunables.CONSONANTS_APART:
            alike.append(k)
    return alike


def run_on(
    query: Name, entry: Name, free_a: set[int], free_b: set[int]
) -> list[Candidate]:
    """Return pairs for a free word of the query in which a blank is missing.

    Such a word is a free word of the listed name with a title, a legal form or a number attached to
    it.
    """
    candidates: list[Candidate] = []
    if entry.person and not entry.titles:
        return candidates
    for i in free_a:
        word = query.tokens[i]
        if len(word) < tunables.SHORTEST_RUN_ON:
            continue
        for rest, form in typo_repair.split_off(word, entry):
            for j in free_b:
                score, _ = compare_words(rest, entry.tokens[j], "")
                if score > tunables.RUN_ON:
                    places = _with_neighbour(j, form, entry, free_b)
                    # Without this deduction two words that join by chance would win over a single
                    # similar word.
                    score -= tunables.BEHIND_SINGLE_WORDS
                    candidates.append((score, "written together", (i,), places))
    return candidates


def _with_neighbour(j: int, form: str, entry: Name, free: set[int]) -> tuple[int, ...]:
    """Return the position of a word together with that of the legal form beside it, if there is
    one.
    """
    for k in (j - 1, j + 1):
        if k in free and entry.tokens[k] == form:
            return (min(j, k), max(j, k))
    return (j,)
