"""Whether two names may belong to one subject: for finding a subject again, not for screening it.

A list is searched with a whole name. A person who looks for a case may know less or more of the
name than the case has: a middle name, a second family name, "Inc". So both directions are compared,
and a name whose words are all in the other is the same name in part.
"""

from __future__ import annotations

from collections.abc import Sequence

from checks.screening import engine, tunables
from checks.screening.matching import names
from checks.screening.matching.scoring import Alignment
from checks.screening.matching.weights import full_words, weight


def is_same(first: str, second: str, *, person: bool) -> bool:
    """Whether the names may belong to one subject. The order of the names does not matter."""
    schema, least = "Organization", tunables.SAME_COMPANY
    if person:
        schema, least = "Person", tunables.SAME_PERSON
    forwards = engine.explain(first, second, schema=schema)
    backwards = engine.explain(second, first, schema=schema)
    if max(forwards.score, backwards.score) >= least:
        return True
    if not person:
        return False
    script = _script(first) or _script(second)
    return _is_part(forwards, script) or _is_part(backwards, script)


def _script(name: str) -> str:
    return names.parse(name, person=True).script


def _is_part(alignment: Alignment, script: str) -> bool:
    """Whether one name has no word that the other lacks, and they share enough words."""
    shared = 0
    only_query: list[str] = []
    only_entry: list[str] = []
    for pair in alignment.pairs:
        if not pair.entry:
            only_query.append(pair.query)
        elif not pair.query:
            only_entry.append(pair.entry)
        elif pair.score < tunables.SAME_WORD:
            return False
        elif pair.weight > tunables.FULL_WORD:
            shared += len(pair.query.split())
    if shared < tunables.SHARED_OF_PERSON:
        return False
    return _are_minor(only_query, script) or _are_minor(only_entry, script)


def _are_minor(words: Sequence[str], script: str) -> bool:
    """Whether all words are particles and initials, which are often left out."""
    return all(weight(word, True, script) <= tunables.FULL_WORD for word in words)  # noqa: FBT003


def shares_word(first: str, second: str, *, person: bool) -> bool:
    """Whether the names may belong to one subject, or have a specific word in common."""
    if is_same(first, second, person=person):
        return True
    words_of_first = telling(first, person=person)
    return not set(words_of_first).isdisjoint(telling(second, person=person))


def words(texts: Sequence[str], *, person: bool) -> list[str]:
    """Return the words of names as they are compared, each once."""
    tokens: dict[str, None] = {}
    for text in texts:
        name = names.parse(text, person=person)
        tokens.update(dict.fromkeys(name.tokens))
    return list(tokens)


def telling(name: str, *, person: bool) -> list[str]:
    """Return the specific words of a name, in order: no legal forms, particles or initials.

    If there are none, all words are returned.
    """
    parsed = names.parse(name, person=person)
    words = full_words(parsed, script=parsed.script) or parsed.tokens
    return list(dict.fromkeys(words))
