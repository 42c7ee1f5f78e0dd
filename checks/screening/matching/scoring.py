"""The score of two names, from the pairs of words and the words without a partner."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from checks.screening import tunables
from checks.screening.matching import names, typo_repair
from checks.screening.matching import tunables as word_tunables
from checks.screening.matching.names import Name
from checks.screening.matching.parts import frequent_names, titles
from checks.screening.matching.weights import (
    SYLLABLES,
    is_abd_compound,
    weight,
)
from checks.screening.romanisation import coarse, phonetics

# Two names of many people that are spelt alike.
OTHER_NAME = "another common name"
# The same of words of companies.
OTHER_WORD = "another common word"
_OTHER = frozenset({OTHER_NAME, OTHER_WORD})
_ARTICLES = frozenset({"al", "el", "ul"})
_NO_WORDS: frozenset[str] = frozenset()


class Pair(NamedTuple):
    """Words that match. An empty side means that this name has no word for the other."""

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
    """Return the score of two names, from 0 to 1: the gain of the pairs divided by the weight of
    all words.
    """
    person = query.person
    gain = 0.0
    total = 0.0
    for pair in pairs:
        gain += pair.score * pair.weight
        total += pair.weight
    # Words without a partner add to the total, but gain nothing.
    loss_query, loss_entry = _losses(
        pairs, free_query, free_entry, query, entry, script
    )
    total += cost(loss_query, loss_entry, person=person)
    if not total:
        return 0.0
    # Too few matching names lower the whole score.
    is_partial = bool(free_query or free_entry)
    share = _share(pairs, person=person, is_partial=is_partial)
    score_of_names = gain / total * share
    if any(pair.how in _OTHER for pair in pairs):
        score_of_names = min(score_of_names, _most_of_frequent(pairs, person=person))
    if not person or script:
        return score_of_names
    if _lacks_what_tells(pairs, free_entry, entry):
        return min(score_of_names, tunables.COMMON_NAMES_ALONE)
    if _are_two_families(pairs, free_query, free_entry):
        return min(score_of_names, tunables.TWO_FREQUENT_NAMES)
    if _may_be_two_people(pairs, query, entry):
        return min(score_of_names, tunables.MAYBE_TWO_PEOPLE)
    return score_of_names


def _most_of_frequent(pairs: Sequence[Pair], *, person: bool) -> float:
    """Return the most that two names score of which one word is another frequent one: no hit alone.

    Beside three names that are the same, a letter left out is a slip as often as not: Luis and Lis
    Hernando Gomez Bustamante.
    """
    same = 0
    for pair in pairs:
        is_other = pair.how in _OTHER
        if is_other and not frequent_names.is_usual_slip(pair.query, pair.entry):
            return tunables.TWO_FREQUENT_NAMES
        if pair.weight > tunables.FULL_WORD and pair.score >= tunables.SAME_WORD:
            same += 1
    if person and same >= tunables.NAMES_WITHIN:
        return tunables.MAYBE_TWO_PEOPLE
    return tunables.TWO_FREQUENT_NAMES


def _are_two_families(
    pairs: Sequence[Pair], free_query: Sequence[str], free_entry: Sequence[str]
) -> bool:
    """Whether names of syllables differ in a family name that is a particle elsewhere: Le, Do."""
    if len(free_query) != 1 or len(free_entry) != 1:
        return False
    particles = titles.particles()
    if free_query[0] not in particles or free_entry[0] not in particles:
        return False
    return all(_is_syllable(pair.entry) for pair in pairs)


def _may_be_two_people(pairs: Sequence[Pair], query: Name, entry: Name) -> bool:
    """Whether the names differ in the way in which two people of one family or country differ.

    It is a hit all the same, because a slip makes the same difference.
    """
    if _are_in_another_order(query.tokens, entry.tokens):
        return True
    are_syllables = _are_syllables(query.tokens) and _are_syllables(entry.tokens)
    for pair in pairs:
        if pair.how not in _BY_LETTERS:
            continue
        if are_syllables or _have_other_endings(pair.query, pair.entry):
            return True
    return False


_BY_LETTERS = frozenset({"spelling", "spelling variant"})


def _are_in_another_order(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether the same words stand in an order in which forms and lists do not write one name.

    Ahmed Hassan Ali is the father of Hassan Ahmed Ali. A family name first is a rotation, and the
    European order of Nguyen Phu Trong is Trong Phu Nguyen.
    """
    if len(a) < tunables.WORDS_IN_ORDER or sorted(a) != sorted(b):
        return False
    rotations = [a[at:] + a[:at] for at in range(len(a))]
    return b not in rotations and b[::-1] not in rotations[:1]


def _are_syllables(words: tuple[str, ...]) -> bool:
    """Whether a name has three words or more, all of one syllable: Nguyen Thi Lan, Park Sung Ho.

    In these each letter makes another name.
    """
    if len(words) < tunables.WORDS_IN_ORDER:
        return False
    return all(map(_is_syllable, words))


def _is_syllable(word: str) -> bool:
    return len(_VOWELS.findall(word)) == 1


_VOWELS = re.compile("[aeiouy]+")


def _have_other_endings(a: str, b: str) -> bool:
    """Whether one word is the other with an ending: Daniel and Daniela, Kozlov and Kozlovsky.

    Slavic family names end in -ova, -eva and -ina if a woman has them.
    """
    shorter, longer = sorted((a, b), key=len)
    if len(shorter) == len(longer):
        return shorter[:-1] == longer[:-1] and {shorter[-1], longer[-1]} == {"a", "o"}
    if not longer.startswith(shorter):
        return False
    ending = longer.removeprefix(shorter)
    if ending == "a":
        return not shorter.endswith(("ov", "ev", "in"))
    return len(ending) > 1


def _losses(
    pairs: Sequence[Pair],
    free_query: Sequence[str],
    free_entry: Sequence[str],
    query: Name,
    entry: Name,
    script: str,
) -> tuple[float, float]:
    """Return the cost of the words without a partner, in the query and in the listed name."""
    person = query.person
    # Arabic and Hebrew attach the article to its word, and it was removed there. So a missing
    # article on the other side costs nothing.
    is_across = (query.script == "abjad") != (entry.script == "abjad")
    articles = _ARTICLES if is_across else _NO_WORDS
    fathers = _fathers_of_one_side(query, entry, free_query, free_entry)
    middle = _NO_WORDS
    if person and not script and not free_entry:
        middle = _middle_names(pairs, query) - fathers
    losses_query = []
    against_query = _tells(free_entry, person=person)
    against_entry = _tells(free_query, person=person)
    for word in _without(free_query, articles):
        loss = _loss(word, query.tokens, person, script, against_query)
        if word in middle:
            loss *= tunables.UNMATCHED_MIDDLE
        losses_query.append(loss * _share_of_father(word, fathers))
    loss_query = sum(losses_query)
    if person and losses_query and not free_entry:
        # The first name too many says that somebody else may be meant; the next ones hardly more.
        most = max(losses_query)
        loss_query = most + tunables.UNMATCHED_FURTHER * (loss_query - most)
    loss_entry = 0.0
    for word in _without(free_entry, articles):
        loss = _loss(word, entry.tokens, person, script, against_entry)
        # A number that only the list has may be that of a branch or factory, so it costs more.
        if word.isdigit():
            loss *= tunables.UNMATCHED_NUMBER
        elif script in SYLLABLES and person and _is_syllable(word):
            loss *= tunables.UNMATCHED_SYLLABLE
        loss_entry += loss * _share_of_father(word, fathers)
    return loss_query, loss_entry


def _tells(words: Sequence[str], *, person: bool) -> bool:
    return any(weight(word, person) > tunables.FULL_WORD for word in words)


def _without(words: Sequence[str], articles: frozenset[str]) -> list[str]:
    return [word for word in words if word not in articles]


def _share_of_father(word: str, fathers: frozenset[str]) -> float:
    return tunables.WEIGHT_OF_PATRONYMIC if word in fathers else 1.0


def _fathers_of_one_side(
    query: Name, entry: Name, free_query: Sequence[str], free_entry: Sequence[str]
) -> frozenset[str]:
    """Return the patronymics that the other name lacks, which cost less.

    The result is empty if both names have one and they differ: both then count in full.
    """
    patronymics = _patronymics(query, entry)
    # Petrovich and Ivanovich: different fathers, so different people.
    if len(patronymics) > 1 and patronymics <= {*free_query, *free_entry}:
        return _NO_WORDS
    return patronymics


def _middle_names(pairs: Sequence[Pair], query: Name) -> frozenset[str]:
    """Return the names between first and last name, if both of these match words of the list.

    Middle names are often left out, so they cost less.
    """
    same = [pair.query for pair in pairs if pair.score >= tunables.SAME_WORD]
    words = " ".join(same).split()
    # An unmatched word at either end may be the family name, which distinguishes people.
    if query.tokens[0] in words and query.tokens[-1] in words:
        return frozenset(query.tokens[1:-1])
    return _NO_WORDS


def _lacks_what_tells(
    pairs: Sequence[Pair], free_entry: Sequence[str], entry: Name
) -> bool:
    """Whether only very common names match and the family name of the listed person is missing.

    Example: Ali Hassan for Ali Hassan Korbuti.
    """
    family = entry.tokens[-1]
    common = frequent_names.common()
    if family not in free_entry or family in common:
        return False
    # A patronymic at the end is not a family name, and already costs half as much.
    if family == names.patronymic(entry.tokens):
        return False
    if weight(family, True) <= tunables.FULL_WORD:  # noqa: FBT003
        return False
    for pair in pairs:
        if pair.weight > tunables.FULL_WORD and pair.entry not in common:
            return False
    return True


def _patronymics(query: Name, entry: Name) -> frozenset[str]:
    words = max(len(query.tokens), len(entry.tokens))
    if not query.person or words < tunables.WORDS_WITH_PATRONYMIC:
        return _NO_WORDS
    both = names.patronymic(query.tokens), names.patronymic(entry.tokens)
    return frozenset(filter(None, both))


def weigh_patronymics(pairs: list[Pair], query: Name, entry: Name) -> None:
    """Reduce the weight of patronymics: the same father counts half as much as the same name."""
    patronymics = _patronymics(query, entry)
    if not patronymics:
        return
    for at, pair in enumerate(pairs):
        if pair.query in patronymics or pair.entry in patronymics:
            weight_of_pair = pair.weight * tunables.WEIGHT_OF_PATRONYMIC
            pairs[at] = pair._replace(weight=weight_of_pair)


def weigh_first_particle(pairs: list[Pair], query: Name, entry: Name) -> None:
    """Count a particle that begins two names of two words as the name that it is: Ben Carter."""
    first = query.tokens[0]
    if len(query.tokens) != 2 or len(entry.tokens) != 2 or first != entry.tokens[0]:
        return
    if first not in titles.particles():
        return
    for at, pair in enumerate(pairs):
        if pair.query == pair.entry == first:
            pairs[at] = pair._replace(weight=1.0)


def cost(loss_query: float, loss_entry: float, *, person: bool) -> float:
    """Return the joint cost of the words without a partner."""
    unmatched_entry = tunables.UNMATCHED_LISTED_OF_COMPANY
    if person:
        unmatched_entry = tunables.UNMATCHED_LISTED
    losses = tunables.UNMATCHED_QUERY * loss_query + unmatched_entry * loss_entry
    # A word left over on both sides is a conflict, not an omission, and costs extra.
    conflict = tunables.CONFLICT * min(loss_query, loss_entry)
    return losses + conflict


def _share(pairs: Sequence[Pair], *, person: bool, is_partial: bool) -> float:
    """Return the share of the score that counts if too few names, or none, stand on both sides."""
    count = sum(_count(pair, person=person) for pair in pairs)
    if person and all(pair.how == "initial" for pair in pairs):
        return word_tunables.INITIALS_ALONE
    if not person:
        if count < 1:
            return tunables.ONE_NAME_OF_COMPANY
        return 1.0
    if count >= tunables.NAMES_OF_PERSON:
        return 1.0
    # One in twenty people shares an initial by chance, so nothing else may be left over.
    if not is_partial and _is_initial_and_name(pairs):
        return word_tunables.INITIAL_AND_NAME
    beside_titles = [pair for pair in pairs if pair.how != typo_repair.TITLE]
    if is_partial or len(beside_titles) > 1:
        return tunables.ONE_NAME_OF_PERSON
    # A person who has only one name is identified by it, if it is the same.
    [pair] = beside_titles
    if pair.score < tunables.SAME_WORD:
        return tunables.ONE_NAME_OF_PERSON
    return share_of_one([pair.entry])


def share_of_one(words: Sequence[str]) -> float:
    """Return the share of the score that counts if a person has only these words as a name."""
    if (
        len(words) == 1
        and words[0] in frequent_names.common()
        and not is_abd_compound(words[0])
    ):
        return tunables.ONE_COMMON_NAME
    return 1.0


def _is_initial_and_name(pairs: Sequence[Pair]) -> bool:
    """Whether the match is an initial in the query and the same name on both sides: B. Rashid."""
    has_initial = False
    for pair in pairs:
        if pair.how == "initial":
            has_initial = has_initial or len(pair.query) == 1
        elif pair.score < tunables.SAME_WORD:
            return False
    return has_initial


def _count(pair: Pair, *, person: bool) -> float:
    """Return for how many names a pair counts: an initial and a patronymic count half."""
    # Particles and legal forms count for no name.
    if pair.weight <= tunables.COUNTED_PAIR:
        return 0.0
    if person and pair.weight <= tunables.FULL_WORD:
        return pair.weight
    if pair.how == "initial":
        return _initials_in(pair) / 2
    if person:
        return _count_of_person(pair)
    is_faint = pair.score < tunables.FAINT_PAIR_OF_COMPANY and pair.how != "acronym"
    return 0.5 if is_faint else 1.0


def _initials_in(pair: Pair) -> int:
    """One, or two in JC for Jean Claude."""
    return max(len(pair.query.split()), len(pair.entry.split()))


def _count_of_person(pair: Pair) -> float:
    # Such a pair is never certain, and the name is a hit by no number of them.
    if pair.how == coarse.HOW:
        return 1.0
    if pair.score < tunables.FAINT_PAIR:
        return tunables.COUNT_OF_FAINT_PAIR
    if pair.score < tunables.SAME_WORD:
        return 1.0
    # Abd al-Rahman is one word here, but two names to people who write it.
    if is_abd_compound(pair.query) or is_abd_compound(pair.entry):
        return 2.0
    return 1.0


@lru_cache(tunables.CACHED_PAIRS)
def _loss(
    word: str,
    words: tuple[str, ...],
    person: bool,  # noqa: FBT001
    script: str,
    is_against: bool,  # noqa: FBT001
) -> float:
    """Return the cost of a word without a partner. A title or a repeated word costs almost nothing.

    `is_against`: the other name has such a word, too. Mohamed Mohamed Ali and Mohamed Osman Ali are
    two people, because the repeated word stands against another name.
    """
    full = weight(word, person, script)
    if full <= tunables.WEIGHT_OF_REPETITION:
        return full
    if not person or len(words) < tunables.WORDS_FOR_REPETITION:
        return full
    if titles.is_nearly(word):
        return tunables.WEIGHT_OF_REPETITION
    if is_against:
        return full
    folded = phonetics.spelling(word)
    times = 0
    for other in words:
        if other[0] == word[0] and phonetics.spelling(other) == folded:
            times += 1
    if times > 1:
        return tunables.WEIGHT_OF_REPETITION
    return full
