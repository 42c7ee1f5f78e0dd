"""Generated cases with planted duplicates, and with pairs that only look like one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


def words(text: str) -> list[str]:
    return text.split()


FIRST = words(
    "Katharina Alexander Margarete Sebastian Oluwaseun Ferdinand Gabriela Theodoros Annelise"
    " Bartholomew Christopher Dominique Emmanuel Francesca Giovanni Henrietta Isabella Johannes"
    " Konstantin Leopold Marguerite Nathaniel Octavian Penelope Raphaela Sigismund Tatjana"
    " Valentina Wilhelmina Zacharias"
)
LAST = words(
    "Hollenstein Kaltenbrunn Okonjuwa Petrossian Vandermeer Abernathy Brandstetter Castellano"
    " Drummond Eichelberg Fitzgerald Grunewald Hathaway Ingebrigtsen Jablonski Kowalczyk Lindqvist"
    " Montgomery Nakagawa Oberhauser Papadakis Quintanilla Rasmussen Schwarzkopf Thorvaldsen"
    " Underwood Villanueva Wainwright Yamashita Zimmermann"
)
MIDDLE = words("Maria Josef Anna Paul Luise Karl Elena Victor")
# Names in other letters, as a passport and a form have them.
SPELLINGS = (
    ("Иван Соколов", "Ivan Sokolov"),
    ("Ольга Петрова", "Olga Petrova"),
    ("Γιώργος Παπαδάκης", "Giorgos Papadakis"),
    ("Jürgen Müller-Lüdenscheidt", "Jurgen Muller Ludenscheidt"),
    ("Łukasz Wiśniewski", "Lukasz Wisniewski"),
    ("José Ñúñez", "Jose Nunez"),
    ("Dvořák Antonín", "Antonin Dvorak"),
    ("Владимир Кузнецов", "Vladimir Kuznetsov"),
)
TRADES = words(
    "Foods Marine Optics Timber Textiles Robotics Minerals Logistics Ceramics Solar"
)
FORMS = ("Ltd", "GmbH", "LLC", "Inc", "B.V.")
LONG_FORMS = {"Ltd": "Limited", "Inc": "Incorporated", "LLC": "L.L.C.", "GmbH": "G.m.b.H.", "B.V.": "BV"}  # fmt: skip


@dataclass(frozen=True)
class Planted:
    """Two cases. `is_same`: their subjects are one party. `merges`: by a strong number."""

    kind: str
    how: str
    first: dict[str, Any]
    second: dict[str, Any]
    is_same: bool
    merges: bool = False


def pairs(count: int, seed: int) -> Iterator[Planted]:
    rng = random.Random(seed)  # noqa: S311 - test data
    makers, weights = zip(*MAKERS, strict=True)
    for number in range(count):
        [make] = rng.choices(makers, weights)
        yield make(rng, number)


def person(rng: random.Random) -> dict[str, Any]:
    year, month, day = rng.randint(1940, 2004), rng.randint(1, 12), rng.randint(13, 28)
    return {
        "first_name": rng.choice(FIRST),
        "middle_name": rng.choice(MIDDLE),
        "last_name": rng.choice(LAST) + rng.choice(["", "er", "son", "ova"]),
        "date_of_birth": f"{year}-{month:02}-{day:02}",
        "country_of_nationality": rng.choice(["DE", "FR", "GB", "US"]),
    }


def company(rng: random.Random) -> dict[str, Any]:
    return {
        "business_name": f"{rng.choice(LAST)} {rng.choice(TRADES)} {rng.choice(FORMS)}",
        "address_of_incorporation": {"country_code": "DE"},
    }


def typo(rng: random.Random, word: str) -> str:
    at = rng.randrange(1, len(word) - 2)
    return rng.choice([
        word[:at] + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + rng.choice("aeiou") + word[at:],
    ])  # fmt: skip


def _typo(rng: random.Random, _: int) -> Planted:
    first = person(rng)
    member = rng.choice(["first_name", "last_name"])
    second = {**first, member: typo(rng, first[member])}
    return Planted("kyc", "typo", first, second, is_same=True)


def _without_middle(rng: random.Random, _: int) -> Planted:
    first = person(rng)
    second = {key: value for key, value in first.items() if key != "middle_name"}
    return Planted("kyc", "without the second name", first, second, is_same=True)


def _order(rng: random.Random, _: int) -> Planted:
    first = person(rng)
    second = {
        **first,
        "first_name": first["last_name"],
        "last_name": first["first_name"],
    }
    return Planted("kyc", "order", first, second, is_same=True)


def _letters(rng: random.Random, number: int) -> Planted:
    one, other = SPELLINGS[number % len(SPELLINGS)]
    data = person(rng)
    del data["middle_name"]
    first, second = (_named(data, name) for name in (one, other))
    return Planted("kyc", "letters", first, second, is_same=True)


def _named(data: dict[str, Any], name: str) -> dict[str, Any]:
    begin, _, end = name.partition(" ")
    return {**data, "first_name": begin, "last_name": end}


def _day_and_month(rng: random.Random, _: int) -> Planted:
    first = person(rng)
    year, month, _ = first["date_of_birth"].split("-")
    first["date_of_birth"] = f"{year}-{month}-0{rng.randint(1, 9)}"
    year, month, day = first["date_of_birth"].split("-")
    second = {**first, "date_of_birth": f"{year}-{day}-{month}"}
    return Planted("kyc", "day and month", first, second, is_same=True)


def _legal_form(rng: random.Random, _: int) -> Planted:
    first = company(rng)
    name, _, form = first["business_name"].rpartition(" ")
    second = {**first, "business_name": f"{name} {LONG_FORMS[form]}"}
    return Planted("kyb", "legal form", first, second, is_same=True)


def _typo_of_company(rng: random.Random, _: int) -> Planted:
    first = company(rng)
    words = first["business_name"].split()
    words[0] = typo(rng, words[0])
    second = {**first, "business_name": " ".join(words)}
    return Planted("kyb", "typo of a company", first, second, is_same=True)


def _number(rng: random.Random, number: int) -> Planted:
    first = company(rng)
    first["business_registration_number"] = f"HRB {rng.randint(10_000, 99_999)}{number}"
    plain = first["business_registration_number"].replace(
        " ", rng.choice(["", "-", "  "])
    )
    second = {**first, "business_registration_number": plain.lower()}
    return Planted("kyb", "number", first, second, is_same=True, merges=True)


def _registered_again(rng: random.Random, number: int) -> Planted:
    """Under another name, in a country with one register, and in one with many."""
    country = rng.choice(["GB", "FR", "DE", "US"])
    seat = {"address_of_incorporation": {"country_code": country}}
    digits = f"{rng.randint(100_000, 999_999)}{number}"
    first = {**company(rng), **seat, "business_registration_number": digits}
    second = {**company(rng), **seat, "business_registration_number": digits}
    merges = country in {"GB", "FR"}
    return Planted("kyb", "again", first, second, is_same=True, merges=merges)


def _passport(rng: random.Random, number: int) -> Planted:
    paper = {"document_type": "passport", "issuing_country": "DE",
             "document_number": f"C01X{rng.randint(1000, 9999)}{number}"}  # fmt: skip
    first = {**person(rng), "government_id_verification_data": {"id_data": paper}}
    spaced = " ".join(paper["document_number"]).lower()
    again = {"id_data": {**paper, "document_number": spaced}}
    second = {**first, "government_id_verification_data": again}
    second["last_name"] = rng.choice(LAST)
    return Planted("kyc", "passport", first, second, is_same=True, merges=True)


def _namesake(rng: random.Random, _: int) -> Planted:
    first = person(rng)
    second = {**first, "date_of_birth": person(rng)["date_of_birth"]}
    return Planted("kyc", "namesake", first, second, is_same=False)


def _family(rng: random.Random, _: int) -> Planted:
    first, other = person(rng), person(rng)
    address = {"address": {"street_1": "1 High Street", "city": "Ghent"}}
    second = {**other, "last_name": first["last_name"], **address}
    return Planted("kyc", "family", {**first, **address}, second, is_same=False)


def _group(rng: random.Random, number: int) -> Planted:
    name = f"{rng.choice(LAST)} Group {number}"
    first = {
        **company(rng),
        "business_name": f"{name} Foods Ltd",
        "tin_number": f"{number:06}1",
    }
    second = {
        **company(rng),
        "business_name": f"{name} Marine Ltd",
        "tin_number": f"{number:06}2",
    }
    return Planted("kyb", "group", first, second, is_same=False)


def _same_number_elsewhere(rng: random.Random, number: int) -> Planted:
    digits = f"{rng.randint(100_000, 999_999)}{number}"
    first = {**company(rng), "business_registration_number": digits}
    second = {**company(rng), "business_registration_number": digits,
              "address_of_incorporation": {"country_code": "FR"}}  # fmt: skip
    return Planted("kyb", "number of two countries", first, second, is_same=False)


def _no_number(rng: random.Random, _: int) -> Planted:
    word = rng.choice(
        ["000000000", "99-9999999", "N/A", "none", "11111", "pending", "unknown"]
    )
    first = {**company(rng), "business_registration_number": word}
    second = {**company(rng), "business_registration_number": word}
    return Planted("kyb", "no number", first, second, is_same=False)


# Each maker with its weight.
MAKERS = (
    (_typo, 4), (_without_middle, 3), (_order, 2), (_letters, 1), (_day_and_month, 2),
    (_legal_form, 2), (_typo_of_company, 2), (_number, 2), (_registered_again, 2), (_passport, 2), (_namesake, 2),
    (_family, 1), (_group, 2), (_same_number_elsewhere, 1), (_no_number, 2),
)  # fmt: skip
