"""What words that found no partner may be: a title, a legal form or a number with a slip in it.

Only what the other name says is looked for. A slip in a word that hardly says who somebody is
must not weigh as much as another name does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache, partial
from itertools import groupby

from rapidfuzz.distance import OSA

from checks.screening.matching import names
from checks.screening.matching.names import Name

# Letters of a legal form that is torn apart: S.AA., LT.D.
LONGEST_FORM = 5
TITLE = "title"


def taken_apart(word: str, listed: Name) -> Iterator[tuple[str, str]]:
    """A word without the title, legal form or number of the other name that it begins or ends with.

    With each, what was taken off.
    """
    if listed.person:
        for title in listed.titles:
            if len(word) - len(title) > 2 and word.startswith(title):
                yield word.removeprefix(title), ""
        return
    spellings = names.every_spelling()
    for stands_for in {*listed.tokens} & spellings.keys():
        for written in spellings[stands_for]:
            if len(written) > 2 and len(word) - len(written) > 1:
                yield from ((rest, stands_for) for rest in _without(word, written))


def _without(word: str, written: str) -> Iterator[str]:
    if word.startswith(written):
        yield word.removeprefix(written)
    if word.endswith(written):
        yield word.removesuffix(written)


def left_over(
    query: Name,
    listed: Name,
    free: Collection[int],
    rivals: Collection[int],
    *,
    servant: bool,
) -> Iterator[tuple[tuple[int, ...], str, str]]:
    """Which free words stand for something of the other name that hardly counts, and how.

    `rivals`: the free words of the other name. `servant`: a word was found to be what the other name has with Abdul.
    """
    if query.person:
        yield from _titles(query, listed, free)
        if servant:
            yield from (((i,), "abdul", "Abdul") for i in free if query.tokens[i] == "abdul")
    elif not any(_tells(listed.tokens[j]) for j in rivals):
        # Con Traffic and Pro Traffic: what stands against another word is no slip in Co.
        yield from _forms(query, listed, free)


def _titles(
    query: Name, listed: Name, free: Collection[int]
) -> Iterator[tuple[tuple[int, ...], str, str]]:
    for i in free:
        for title in listed.titles:
            if len(query.tokens[i]) > 2 and _one_slip(query.tokens[i], title):
                yield (i,), title, TITLE
                break


def _forms(
    query: Name, listed: Name, free: Collection[int]
) -> Iterator[tuple[tuple[int, ...], str, str]]:
    forms = [word for word in listed.tokens if word in names.form_classes()]
    if not forms:
        return
    forms.append("co")  # which is left out of the class of Co. Ltd.
    known = names.form_classes() | names.company_particles()
    words = [i for i in sorted(free) if query.tokens[i] not in known]
    for _, run in groupby(enumerate(words), key=lambda one: one[1] - one[0]):
        places = tuple(i for _, i in run)
        text = "".join(query.tokens[i] for i in places)
        form = next((form for form in forms if _is_form(text, form)), "")
        # What alone tells who it is, is no slip: SAM Trading is not Trading S.A.
        if form and any(_tells(query.tokens[i]) for i in {*range(len(query.tokens))} - {*places}):
            yield places, form, "legal form"


@lru_cache(50_000)
def _tells(word: str) -> bool:
    said = names.form_classes() | names.form_parts() | names.company_particles()
    return len(word) > 1 and word not in said | names.generic_words()


@lru_cache(20_000)
def _is_form(text: str, form: str) -> bool:
    """Is it a legal form of that class with a slip in it, however it is torn apart?"""
    written = names.every_spelling().get(form, ())
    if len(text) <= LONGEST_FORM and any(map(partial(_one_slip, text), written)):
        return True
    return any(_one_slip(text, part) for part in names.form_parts() if len(part) > 3)


def _one_slip(one: str, other: str) -> bool:
    return OSA.distance(one, other, score_cutoff=1) <= 1
