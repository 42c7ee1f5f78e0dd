"""Generated names for bench.screening: names close to a listed one, and names with an additional
word.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from checks.screening.records import Entity, Subject
from checks.screening.romanisation.scripts import is_latin

Query = tuple[Subject, set[str]]
WHOLE_DATE = len("2000-12-31")


def near_misses(
    entities: list[Entity], rng: random.Random, sample: int
) -> Iterator[Subject]:
    """The given names of one listed person with the family name of another.

    `entities` are listed persons. Names that are listed themselves are left out.
    """
    listed = {_words(one.text) for entity in entities for one in entity.names}
    named = [words for words in map(_main_name, entities) if len(words) > 1]
    for words in rng.sample(named, min(sample, len(named))):
        other = rng.choice(named)
        # The family name of another person.
        mixed = (*words[:-1], other[-1])
        if tuple(sorted(mixed)) not in listed:
            yield Subject([" ".join(mixed)])


def extra_names(
    entities: list[Entity], more: list[str], rng: random.Random, sample: int
) -> Iterator[Query]:
    """A listed person with an additional given name from `more`, and the listed date of birth."""
    born = [one for one in entities if _birth_date(one) and len(_main_name(one)) > 1]
    for entity in rng.sample(born, min(sample, len(born))):
        first, *rest = _main_name(entity)
        name = " ".join((first, rng.choice(more), *rest))
        yield Subject([name], birth_date=_birth_date(entity)), {entity.id}


def _main_name(entity: Entity) -> tuple[str, ...]:
    """The words of the entity's first name; empty if it is not in Latin letters."""
    text = entity.names[0].text
    return tuple(text.split()) if is_latin(text) else ()


def _birth_date(entity: Entity) -> str:
    """A complete date of birth, or ""."""
    whole = [
        one.date
        for one in entity.birth_dates
        if len(one.date) == WHOLE_DATE and not one.circa
    ]
    return whole[0] if whole else ""


def _words(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split()))
