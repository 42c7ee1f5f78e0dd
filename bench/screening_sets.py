"""The sets of bench.screening: labelled pairs, damaged names, other scripts, clean customers."""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from agenthub.models.lists import ListEntity, ListName
from checks.screening import engine
from checks.screening.records import Entity, Identifier, Subject
from checks.screening.romanisation.scripts import is_latin
from papers import countries

Query = tuple[Subject, set[str]]
# Script → its letters, the recall that is required.
SCRIPTS = {
    "Cyrillic": (re.compile("[\u0400-\u04ff]"), 0.92),
    "Arabic": (re.compile("[\u0600-\u06ff]"), 0.72),
    "Hangul": (re.compile("[\uac00-\ud7af]"), 0.97),
}


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def pairs(path: Path) -> list[tuple[float, bool, bool]]:
    """For each pair: score, whether it is a match, whether its label is a strong one."""
    return [
        (
            engine.compare(row["name1"], row["name2"], schema=row["schema"]),
            row["is_match"] == "true",
            row["quality"] == "STRONG",
        )
        for row in rows(path)
    ]


def unseen() -> list[tuple[float, bool, bool]]:
    """The same of pairs in many scripts that were written for the bench; none is called a strong one."""
    result = []
    for row in rows(Path(__file__).parent / "screening_unseen.csv"):
        score = engine.compare(row["name1"], row["name2"], schema=row["schema"])
        result.append((score, row["is_match"] == "true", False))
    return result


def size() -> tuple[int, int]:
    return ListEntity.objects.count(), ListName.objects.count()


def recalls(
    corpus: Path, rng: random.Random, sample: int
) -> Iterator[tuple[str, str, float, Iterator[Query]]]:
    entities = listed()
    # Goal, description, least recall, queries.
    people = [one for one in entities if one.is_person]
    firms = [one for one in entities if one.schema == "Organization"]
    yield "S2", "damaged names of persons, recall", 0.985, damaged(people, rng, sample)
    yield "S6", "damaged names of companies, recall", 0.97, damaged(firms, rng, sample)
    yield "S7", "identifiers of entries, recall", 1.0, numbers(entities, rng, sample)
    yield (
        "S2",
        "names of the UN list as others write them",
        0.985,
        treated(corpus, entities),
    )


def listed() -> list[Entity]:
    return [Entity.from_wire(row.content) for row in ListEntity.objects.order_by("pk")]


def in_latin_letters() -> list[Entity]:
    """The entries without names in other scripts. Entries without any Latin name stay as they
    are.
    """
    return [
        replace(
            one, names=[name for name in one.names if is_latin(name.text)] or one.names
        )
        for one in listed()
    ]


def scripts(
    rng: random.Random, sample: int
) -> Iterator[tuple[str, str, float, Iterator[Query]]]:
    """Persons listed in Latin letters, too, queried by their name in another script."""
    people = [one for one in listed() if one.is_person]
    for script, (letters, bound) in SCRIPTS.items():
        queries = other_script(people, letters, rng, sample)
        yield "S4", f"persons asked in {script}, recall", bound, queries


def alarms(
    corpus: Path, rng: random.Random, sample: int
) -> Iterator[tuple[str, str, float, Iterator[Subject]]]:
    for name in ("negatives_us", "negatives_global"):
        result = rows(corpus / "dev" / f"{name}.csv")
        result = rng.sample(result, min(3 * sample, len(result)))
        latin = [row for row in result if is_latin(row["full_name"])]
        other = [row for row in result if not is_latin(row["full_name"])]
        yield "S3", f"{name}: alerts per 1,000, by name", 2, customers(latin)
        yield (
            "S3",
            f"{name}: the same with date of birth",
            0.5,
            customers(latin, born=True),
        )
        yield "S5", f"{name}: alerts per 1,000 in other scripts", 8, customers(other)


def given_names(corpus: Path) -> list[str]:
    """The first words of names of clean customers in Latin letters."""
    result = rows(corpus / "dev" / "negatives_global.csv")
    return [row["full_name"].split()[0] for row in result if is_latin(row["full_name"])]


def customers(result: list[dict[str, str]], *, born: bool = False) -> Iterator[Subject]:
    for row in result:
        yield Subject(
            [row["full_name"]], birth_date=row["date_of_birth"] if born else ""
        )


def damaged(entities: list[Entity], rng: random.Random, sample: int) -> Iterator[Query]:
    """Names that are mistyped, reordered, shortened, or written as one word."""
    for entity in rng.sample(entities, min(sample, len(entities))):
        names = [n.text for n in entity.names if n.kind != "weak" and is_latin(n.text)]
        long = [name for name in names if len(name.split()) > 1 and len(name) > 7]
        if long:
            yield Subject([damage(rng.choice(long), rng)], entity.schema), {entity.id}


def damage(name: str, rng: random.Random) -> str:
    words = name.split()
    kind = rng.choice(("slip", "slip", "order", "short", "joined", "doubled"))
    # The damaged word is random, but longer than three letters if there is one.
    at = max(range(len(words)), key=lambda i: (len(words[i]) > 3, rng.random()))
    if kind == "slip":
        words[at] = slip(words[at], rng)
    elif kind == "order":
        words = [words[-1], *words[:-1]]
    elif kind == "short" and len(words) > 3:
        del words[1]
    elif kind == "joined" and len(words) > 2:
        words[0:2] = ["".join(words[0:2])]
    elif kind == "doubled":
        place = rng.randrange(len(words[at]))
        words[at] = words[at][: place + 1] + words[at][place:]
    return " ".join(words)


def slip(word: str, rng: random.Random) -> str:
    place = rng.randrange(len(word))
    letter = rng.choice("abcdefghijklmnoprstuvyz")
    kinds = (
        word[:place] + word[place + 1 :],
        word[:place] + letter + word[place:],
        word[:place] + letter + word[place + 1 :],
        word[:place]
        + word[place + 1 : place + 2]
        + word[place : place + 1]
        + word[place + 2 :],
    )
    return rng.choice(kinds)


def other_script(
    people: list[Entity], letters: re.Pattern[str], rng: random.Random, sample: int
) -> Iterator[Query]:
    items = [
        (name.text, entity)
        for entity in people
        for name in entity.names
        if letters.search(name.text) and not re.search("[A-Za-z]", name.text)
    ]
    for text, entity in rng.sample(items, min(sample, len(items))):
        latin = [name.text for name in entity.names if is_latin(name.text)]
        if latin:
            yield Subject([text]), {entity.id}


def numbers(entities: list[Entity], rng: random.Random, sample: int) -> Iterator[Query]:
    """Identifiers with other spaces and lower case, together with an unrelated name."""
    items = [
        (one, entity)
        for entity in entities
        for one in entity.identifiers
        if one.type != "other" and len(one.normalised) > 5
    ]
    for one, entity in rng.sample(items, min(sample, len(items))):
        value = " ".join(re.findall(".{1,3}", one.normalised))
        if one.kind != "wallet":  # wallet addresses are case-sensitive
            value = value.lower()
        identifier = Identifier(one.type, value, one.country)
        yield (
            Subject(["Somebody Else"], entity.schema, identifiers=[identifier]),
            {entity.id},
        )


def treated(corpus: Path, entities: list[Entity]) -> Iterator[Query]:
    # The listed name, without case, leads to the ids of its entries.
    by_name: dict[str, set[str]] = {}
    for entity in entities:
        for name in entity.names:
            by_name.setdefault(" ".join(name.text.casefold().split()), set()).add(
                entity.id
            )
    for row in rows(corpus / "dev" / "un_treated_positives.csv"):
        wanted = by_name.get(" ".join(row["listed_name"].casefold().split()))
        if wanted:
            nation = countries.code(row["nationality"])
            yield (
                Subject([row["query"]], nationalities=[nation] if nation else []),
                wanted,
            )
