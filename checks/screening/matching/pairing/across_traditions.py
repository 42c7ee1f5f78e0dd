"""Words of two names that are the same in two traditions of spelling."""

from __future__ import annotations

from collections.abc import Sequence

from checks.screening import tunables
from checks.screening.matching import tunables as word_tunables
from checks.screening.matching.names import Name
from checks.screening.matching.pairing.candidates import Candidate
from checks.screening.matching.parts import frequent_names
from checks.screening.matching.scoring import Pair
from checks.screening.matching.weights import weight
from checks.screening.romanisation import traditions


def candidates(
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
    matches: list[Candidate] = []
    if not pairs and min(len(free_a), len(free_b)) < 2:
        return matches
    outlines = [(j, traditions.outline(b[j])) for j in free_b]
    for i in free_a:
        outline = traditions.outline(a[i])
        for j, other in outlines:
            if outline != other:
                continue
            score = traditions.score(a[i], b[j])
            if score and not frequent_names.are_two(a[i], b[j]):
                matches.append((score, traditions.HOW, (i,), (j,)))
    if not matches or any(_tells(pair.query, person=person) for pair in pairs):
        return matches
    beside = [*matches, *candidates]
    return [match for match in matches if _agree_beside(match, beside)]


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
