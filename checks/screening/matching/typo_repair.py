"""Words without a partner that may be a title, a legal form or a number with a typo.

Only what the other name has is searched. A typo in a word that hardly identifies anyone must not
count as much as another name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

from rapidfuzz.distance import OSA

from checks.screening import tunables
from checks.screening.matching import names
from checks.screening.matching import tunables as word_tunables
from checks.screening.matching.names import Name
from checks.screening.matching.parts import frequent_names
from checks.screening.matching.similarity import compare_words

TITLE = "title"
# The positions of the words, what they stand for, and the reason.
Repair = tuple[tuple[int, ...], str, str]


def split_off(word: str, entry: Name) -> Iterator[tuple[str, str]]:
    """Yield a word without a title, legal form or number of the other name at its beginning or end.

    Each result has the form or number. For a title it is "", because titles are not among the words
    of a name.
    """
    if entry.person:
        yield from _without_title(word, entry)
        return
    spellings_of = names.every_spelling()
    # Only legal forms of the listed name are tried, which keeps the search small.
    for form in set(entry.tokens) & spellings_of.keys():
        for spelling in spellings_of[form]:
            if len(spelling) < word_tunables.SHORTEST_ENDING:
                continue
            for rest in _without(spelling, word):
                if len(rest) >= word_tunables.LEFT_BY_FORM:
                    yield rest, form


def _without_title(word: str, entry: Name) -> Iterator[tuple[str, str]]:
    for title in entry.titles:
        rest = word.removeprefix(title)
        if rest != word and len(rest) >= word_tunables.LEFT_BY_TITLE:
            yield rest, ""


def _without(spelling: str, word: str) -> Iterator[str]:
    if word.startswith(spelling):
        yield word.removeprefix(spelling)
    if word.endswith(spelling):
        yield word.removesuffix(spelling)


def repairs(
    query: Name,
    entry: Name,
    free: Collection[int],
    free_entry: Collection[int],
    *,
    abdul: bool,
) -> Iterator[Repair]:
    """Yield the free words that stand for something minor of the other name, with the reason.

    `abdul`: the other name has Abdul before a word of the query.
    """
    if query.person:
        yield from _titles(query, entry, free)
        if abdul:
            for i in free:
                if query.tokens[i] in _ABDUL:
                    yield (i,), "abdul", "Abdul"
        return
    # Con Traffic and Pro Traffic: a word that stands against another word is no typo of “Co”.
    if not any(_is_telling(entry.tokens[j]) for j in free_entry):
        yield from _forms(query, entry, free)


# “A. Ghani” may be Abdul Ghani.
_ABDUL = frozenset({"abdul", "a"})


def title_of(word: str, titles: Collection[str], script: str) -> str:
    """Return the title of the other name that is the same word; "" if there is none."""
    for title in titles:
        score, _ = compare_words(word, title, script)
        if score >= tunables.SAME_WORD:
            return title
    return ""


def _titles(query: Name, entry: Name, free: Collection[int]) -> Iterator[Repair]:
    for i in free:
        word = query.tokens[i]
        is_short = len(word) < word_tunables.SHORTEST_TITLE_TYPO
        # Of Tom James Ford the last word is no slip for Lord.
        if is_short or frequent_names.is_frequent(word):
            continue
        for title in entry.titles:
            if _is_one_slip(word, title):
                yield (i,), title, TITLE
                break


def _forms(query: Name, entry: Name, free: Collection[int]) -> Iterator[Repair]:
    forms = [word for word in entry.tokens if word in names.form_classes()]
    if not forms:
        return
    # “Co.” is left out of the class of “Co. Ltd.”, but may be mistyped, too
    forms.append("co")
    for places in _runs(query, free):
        text = "".join([query.tokens[i] for i in places])
        form = _form_with_slip(text, forms)
        others = [word for i, word in enumerate(query.tokens) if i not in places]
        # The only specific word is no typo: SAM Trading is not Trading S.A.
        if form and any(map(_is_telling, others)):
            yield places, form, "legal form"


def _runs(query: Name, free: Collection[int]) -> list[tuple[int, ...]]:
    """Return the positions of the free words that are not legal forms; neighbours form one run."""
    minor_words = names.form_classes() | names.company_particles()
    runs: list[list[int]] = []
    for i in sorted(free):
        if query.tokens[i] in minor_words:
            continue
        if runs and runs[-1][-1] == i - 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    return [tuple(run) for run in runs]


def _form_with_slip(text: str, forms: Collection[str]) -> str:
    for form in forms:
        if _is_form(text, form):
            return form
    return ""


@lru_cache(tunables.CACHED_SELDOM)
def _is_telling(word: str) -> bool:
    if len(word) < 2:
        return False
    forms = names.form_classes() | names.form_parts()
    return word not in forms | names.company_particles() | names.generic_words()


@lru_cache(tunables.CACHED_SELDOM)
def _is_form(text: str, form: str) -> bool:
    """Whether the text is a legal form of this class with one typo, even if spaces split it."""
    if len(text) <= word_tunables.LONGEST_TORN_FORM:
        for spelling in names.every_spelling().get(form, ()):
            if _is_one_slip(text, spelling):
                return True
    for part in names.form_parts():
        if len(part) >= word_tunables.SHORTEST_FORM_PART and _is_one_slip(text, part):
            return True
    return False


def _is_one_slip(a: str, b: str) -> bool:
    return OSA.distance(a, b, score_cutoff=1) <= 1
