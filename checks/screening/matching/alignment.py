"""How similar two names are, word by word.

The alignment is the evidence: it explains every point.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz.distance import OSA

from checks.screening import tunables
from checks.screening.matching import (
    names,
    phonetics,
    scoring,
    shortened,
    typo_repair,
)
from checks.screening.matching import tunables as word_tunables
from checks.screening.matching.names import Name
from checks.screening.matching.scoring import Alignment, Pair
from checks.screening.matching.shortened import Candidate
from checks.screening.matching.similarity import (
    WITHOUT_ABDUL,
    are_two_names,
    compare_words,
)
from checks.screening.matching.weights import SYLLABLES, is_abd_compound, weight
from checks.screening.romanisation import readings, traditions


def align(query: Name, entry: Name, *, least: float = 0.0) -> Alignment:
    """Compare two names and return the score with the pairs of words.

    The search is greedy: the most similar words first, and each word once. Below `least` only the
    score is returned, because most names that share a key are different names and nobody reads
    their pairs.
    """
    if not query.tokens or not entry.tokens:
        return Alignment(0.0, ())
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
    pairs, free_query, free_entry = _pairs(query, entry, script)
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
    another order of them.
    """
    most = tunables.OTHER_SYLLABLES
    if script == "hangul" and score > most and readings.contradict(query, entry):
        return most
    most = tunables.OTHER_ORDER
    if script in SYLLABLES and score > most and _are_shuffled(pairs, query, entry):
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
    whole = scoring.score_of_whole(query, entry)
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
    if query.script != entry.script:
        return query.script or entry.script
    return _SCRIPT_OF_BOTH.get(query.script, "")


def _pairs(
    query: Name, entry: Name, script: str
) -> tuple[list[Pair], list[str], list[str]]:
    """Return the pairs of matching words, and the words of each name that are left over."""
    a, b, person = query.tokens, entry.tokens, query.person
    # Equal words first: most names share one, and this is much cheaper than comparing.
    pairs, free_a, free_b = _equal_words(a, b, person, script)
    if free_a and free_b:
        candidates = _candidates(a, b, free_a, free_b, script, person)
        if not script:
            candidates += _run_on(query, entry, free_a, free_b)
            candidates += shortened.initials_together(query, entry, free_a, free_b)
            candidates += _in_other_traditions(
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
    _settle(pairs, query, entry, free_a, free_b, script)
    left_a = [a[i] for i in sorted(free_a)]
    left_b = [b[j] for j in sorted(free_b)]
    return pairs, left_a, left_b


def _settle(
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
    # Repairs come last, so that a word that is a name itself is never taken for a title with a
    # typo.
    if free_a and not script:
        _repair_typos(pairs, query, entry, free_a, free_b)
    if query.person:
        scoring.weigh_patronymics(pairs, query, entry)


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


def _run_on(
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


@lru_cache(tunables.CACHED_PAIRS)
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
        return word_tunables.ACRONYM_VARIANT
    if how == "spelling" and shortest < word_tunables.ACRONYM:
        return word_tunables.ACRONYM_SLIP
    if how == "spelling" and OSA.distance(a, b, score_cutoff=1) <= 1:
        return max(score, 1 - word_tunables.SLIP_IN_COMPANY / longest)
    return score


def _undoubled(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", word)


def _in_other_traditions(
    query: Name,
    entry: Name,
    pairs: Sequence[Pair],
    candidates: Sequence[Candidate],
    free_a: set[int],
    free_b: set[int],
) -> list[Candidate]:
    """Return candidates for words that are the same in two traditions of spelling.

    They count only beside another name that agrees, also in this way.
    """
    a, b, person = query.tokens, entry.tokens, query.person
    found: list[Candidate] = []
    if not pairs and min(len(free_a), len(free_b)) < 2:
        return found
    outlines = [(j, traditions.outline(b[j])) for j in free_b]
    for i in free_a:
        outline = traditions.outline(a[i])
        for j, other in outlines:
            if outline != other:
                continue
            score = traditions.score(a[i], b[j])
            if score and not are_two_names(a[i], b[j]):
                found.append((score, traditions.HOW, (i,), (j,)))
    if not found or any(_tells(pair.query, person=person) for pair in pairs):
        return found
    beside = [*found, *candidates]
    return [one for one in found if _agree_beside(one, beside)]


def _tells(word: str, *, person: bool) -> bool:
    return weight(word, person) > tunables.FULL_WORD


def _agree_beside(candidate: Candidate, others: Sequence[Candidate]) -> bool:
    _, _, i, j = candidate
    for score, how, other_i, other_j in others:
        if score < word_tunables.AGREES_BESIDE or how == "initial":
            continue
        if set(i).isdisjoint(other_i) and set(j).isdisjoint(other_j):
            return True
    return False


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
            # Ahmad and Hamad differ by one letter, but both are very common names.
            elif how == "spelling" and are_two_names(a[i], b[j]):
                score, how = word_tunables.OTHER_COMMON_NAME, "another common name"
            if score > 0:
                candidates.append((score, how, (i,), (j,)))
    # Syllables of one script are never split or joined.
    if script != "syllables":
        candidates += _candidates_of_runs(a, b, free_a, free_b, script)
    return candidates


_BY_LETTERS = frozenset({"spelling", "spelling variant"})


def _is_one_particle(a: str, b: str) -> bool:
    """Whether exactly one of two words is a particle, as with al and Aall.

    They must not match by letters.
    """
    particles = names.particles()
    return (a in particles) != (b in particles)


def _candidates_of_runs(
    a: tuple[str, ...],
    b: tuple[str, ...],
    free_a: set[int],
    free_b: set[int],
    script: str,
) -> list[Candidate]:
    """Return candidates for adjacent words that are one word on the other side."""
    candidates: list[Candidate] = []
    # A Korean or Chinese name of three syllables may be one word in Latin letters. Elsewhere two
    # words are enough, unless there is a particle between two others.
    is_syllabic = script in SYLLABLES
    apart = tunables.LETTERS_APART
    particles = _NO_PARTICLES
    # No word of the other side is that of a run if all are shorter; a syllable of Hangul may be.
    shortest = 0 if script == "hangul" else tunables.SHORTEST_JOINED
    if not script:
        particles = names.particles()
    for run in _runs(
        a, free_a, b, free_b, is_syllabic, particles, apart=apart, shortest=shortest
    ):
        for score, k in _joined(a, run, b, free_b, script, least=tunables.JOINED_QUERY):
            candidates.append((score, "written together", run, (k,)))
    if script == "abjad":
        apart = tunables.VOWELS_APART
    for run in _runs(
        b,
        free_b,
        a,
        free_a,
        three=False,
        particles=particles,
        apart=apart,
        shortest=shortest,
    ):
        for score, k in _joined(
            b, run, a, free_a, script, least=tunables.JOINED_LISTED
        ):
            candidates.append((score, "written together", (k,), run))
    return candidates


_NO_PARTICLES: frozenset[str] = frozenset()


def _runs(
    words: tuple[str, ...],
    free: set[int],
    others: tuple[str, ...],
    others_free: set[int],
    three: bool,  # noqa: FBT001
    particles: frozenset[str],
    *,
    apart: int,
    shortest: int,
) -> list[tuple[int, ...]]:
    """Return runs of two adjacent free words that may be as long as a free word of the other side.

    Runs of three are returned with `three`, or if the word in the middle is a particle (van der
    Merwe).
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
        if three or words[second] in particles:
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
    # Short words match the joined form of too many pairs.
    least = tunables.SHORTEST_JOINED
    if script == "consonants":
        return [k for k in free if len(others[k]) >= least]
    size = sum([len(words[k]) for k in run])
    least = max(least, size - tunables.LETTERS_APART)
    most = size + tunables.LETTERS_APART
    first = words[run[0]][0]
    last = words[run[-1]][-1]
    places = []
    for k in free:
        other = others[k]
        if least <= len(other) <= most and (first == other[0] or last == other[-1]):
            places.append(k)
    return places


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
