"""Whether two names may be one subject's: for finding a subject again, not for screening it.

A list is searched with a whole name. Who looks for a case may know less of the name than the case
does, or more: a middle name, a second family name, "Inc". So both directions are compared, and a
name whose words are all words of the other one is the same name, given in part.
"""

from __future__ import annotations

from collections.abc import Sequence

from checks.screening import engine
from checks.screening.matching import names
from checks.screening.matching.alignment import Alignment, weight

# At this score two names are one, written in another way.
SAME_PERSON, SAME_COMPANY = 0.88, 0.85
# Words that a person's name must share, when it is given in part: one family name is many people's.
SHARED_OF_PERSON = 2
# A word counts as a name of its own from this weight on; particles, initials and legal forms do not.
FULL_WORD = 0.5
# Words as alike as this are one word, written in another way.
SAME_WORD = 0.93


def is_same(one: str, other: str, *, person: bool) -> bool:
    """Whether the names may be one subject's; the same in both directions."""
    schema = "Person" if person else "Organization"
    least = SAME_PERSON if person else SAME_COMPANY
    pairs = (
        engine.explain(one, other, schema=schema),
        engine.explain(other, one, schema=schema),
    )
    if max(pair.score for pair in pairs) >= least:
        return True
    return person and any(_is_part(pair, one, other) for pair in pairs)


def _is_part(found: Alignment, one: str, other: str) -> bool:
    """Whether one name has no word that the other lacks, and shares enough of them."""
    matched = [pair for pair in found.pairs if pair.query and pair.listed]
    if not matched or any(pair.score < SAME_WORD for pair in matched):
        return False
    shared = sum(len(pair.query.split()) for pair in matched if pair.weight > FULL_WORD)
    if shared < SHARED_OF_PERSON:
        return False
    words = [names.parse(name, person=True) for name in (one, other)]
    script = next((name.script for name in words if name.script), "")
    lacking_query = [pair for pair in found.pairs if pair.query and not pair.listed]
    lacking_listed = [pair for pair in found.pairs if pair.listed and not pair.query]
    return any(
        all(weight(pair.query or pair.listed, True, script) <= FULL_WORD for pair in lacking)  # noqa: FBT003
        for lacking in (lacking_query, lacking_listed)
    )


def shares_word(one: str, other: str, *, person: bool) -> bool:
    """Whether the names may be one subject's, or have a telling word in common."""
    if is_same(one, other, person=person):
        return True
    return bool({*telling(one, person=person)} & {*telling(other, person=person)})


def words(texts: Sequence[str], *, person: bool) -> list[str]:
    """The words of names as they are compared, each once."""
    found = (word for text in texts for word in names.parse(text, person=person).tokens)
    return list(dict.fromkeys(found))


def telling(name: str, *, person: bool) -> list[str]:
    """The words of a name that tell it from others, in the order of the name: no legal form, no
    particle, no initial; all words where there is no such word."""
    tokens = names.parse(name, person=person).tokens
    script = names.parse(name, person=person).script
    full = [word for word in tokens if weight(word, person, script) > FULL_WORD]
    return list(dict.fromkeys(full or tokens))
