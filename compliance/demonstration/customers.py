"""Invents the customers of a demonstration. None of these people exists."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import product
from typing import Literal, NamedTuple

from checks.samples import passports
from checks.wire import Wire

# What is special about a customer:
# - plain: nothing
# - expired: the passport has expired
# - other_name: the passport has another family name
# - namesake: a listed person has the same or a similar name
# - listed: the customer is a listed person
# - no_passport: no passport was submitted
Trait = Literal["plain", "expired", "other_name", "namesake", "listed", "no_passport"]

# Each row: given names, family names, the country code of two letters (ISO 3166), and the code of
# three letters that passports have.
_NATIONS = (
    (("Ingrid", "Jonas", "Solveig", "Emil"), ("Bakken", "Haugen", "Lunde"), "NO", "NOR"),
    (("Clara", "Moritz", "Friederike", "Anton"), ("Ahlers", "Brandt", "Kessler"), "DE", "D<<"),
    (("Camille", "Hugo", "Manon", "Bastien"), ("Delorme", "Garnier", "Vasseur"), "FR", "FRA"),
    (("Lucia", "Alvaro", "Nerea", "Iker"), ("Cardona", "Ibarra", "Montalvo"), "ES", "ESP"),
    (("Harriet", "Callum", "Imogen", "Rhys"), ("Ashdown", "Pritchard", "Whitlock"), "GB", "GBR"),
    (("Giulia", "Matteo", "Serena", "Dario"), ("Bellandi", "Ferrante", "Tosi"), "IT", "ITA"),
    (("Wanda", "Marcin", "Halina", "Olek"), ("Sobczyk", "Wrona", "Zielonka"), "PL", "POL"),
    (("Aaltje", "Bram", "Femke", "Sjoerd"), ("Hofstra", "Terpstra", "Wiersma"), "NL", "NLD"),
    (("Abena", "Kwame", "Esi", "Yaw"), ("Asante", "Boateng", "Owusu"), "GH", "GHA"),
    (("Ananya", "Rohan", "Meera", "Vikram"), ("Deshpande", "Iyer", "Kulkarni"), "IN", "IND"),
    (("Haruka", "Kenji", "Natsumi", "Takumi"), ("Hayashi", "Morita", "Okada"), "JP", "JPN"),
    (("Beatriz", "Thiago", "Larissa", "Caio"), ("Almeida", "Nogueira", "Teixeira"), "BR", "BRA"),
    (("Ximena", "Emiliano", "Citlali", "Mateo"), ("Arriaga", "Olvera", "Zamudio"), "MX", "MEX"),
    (("Salma", "Youssef", "Imane", "Anas"), ("Benjelloun", "Chraibi", "Tazi"), "MA", "MAR"),
    # Written in other scripts. The passport has them in Latin letters, too.
    (("Оксана", "Тарас", "Леся", "Данило"), ("Бондаренко", "Гончар", "Мельник"), "UA", "UKR"),  # noqa: RUF001
    (("Ελένη", "Νίκος", "Δάφνη", "Στέλιος"), ("Δημητρίου", "Καραγιάννης", "Ρούσσος"), "GR", "GRC"),
)  # fmt: skip
# The names of other scripts as passports spell them.
_IN_LATIN = {
    "Оксана": "Oksana", "Тарас": "Taras", "Леся": "Lesia", "Данило": "Danylo",  # noqa: RUF001
    "Бондаренко": "Bondarenko", "Гончар": "Honchar", "Мельник": "Melnyk",
    "Ελένη": "Eleni", "Νίκος": "Nikos", "Δάφνη": "Dafni", "Στέλιος": "Stelios",
    "Δημητρίου": "Dimitriou", "Καραγιάννης": "Karagiannis", "Ρούσσος": "Roussos",
}  # fmt: skip
# How common each trait is among the invented customers.
_SHARES: tuple[tuple[Trait, int], ...] = (
    ("plain", 16), ("expired", 2), ("other_name", 2), ("no_passport", 1),
)  # fmt: skip


class _Person(NamedTuple):
    given: str
    family: str
    country: str  # ISO 3166, two letters
    state: str  # as machine-readable zones have it


@dataclass(frozen=True)
class Customer:
    """The self-attested data of a customer, and the trait.

    `reason`: for a namesake, why the listed person is somebody else.
    """

    data: Wire
    trait: Trait
    reason: str = ""


def invent(pick: random.Random, days: Sequence[date]) -> list[Customer]:
    """Invent a customer for each of the days. No two of them have the same name.

    There are 192 names: more days than that get no customer.
    """
    people = _people()
    pick.shuffle(people)
    traits = [trait for trait, _ in _SHARES]
    shares = [share for _, share in _SHARES]
    customers = []
    for day, person in zip(days, people, strict=False):
        [trait] = pick.choices(traits, shares)
        customers.append(_customer(pick, day, person, trait))
    return customers


def _people() -> list[_Person]:
    people = []
    for given_names, family_names, country, state in _NATIONS:
        for given, family in product(given_names, family_names):
            people.append(_Person(given, family, country, state))
    return people


def _customer(
    pick: random.Random, day: date, person: _Person, trait: Trait
) -> Customer:
    born = date(1955, 1, 1) + timedelta(days=pick.randrange(17_500))
    data: Wire = {
        "first_name": person.given,
        "last_name": person.family,
        "date_of_birth": born.isoformat(),
        "country_of_nationality": person.country,
        "country_of_residence": person.country,
    }
    if trait == "no_passport":
        return Customer(data, trait)
    holder = data | {
        "first_name": _IN_LATIN.get(person.given, person.given),
        "last_name": _IN_LATIN.get(person.family, person.family),
    }
    if trait == "other_name":
        # The passport has the name from before a marriage.
        holder["last_name"] = "Abramczyk"
    expires = day + timedelta(days=pick.randrange(200, 3000))
    if trait == "expired":
        expires = day - timedelta(days=20)
    number = f"{pick.choice('CHKLNPX')}{pick.randrange(10**7):07d}"
    zone = passports.zone(holder, number, expires, state=person.state)
    card = {
        "document_type": "passport",
        "issuing_country": person.country,
        "mrz": list(zone),
    }
    return Customer(
        data | {"government_id_verification_data": {"id_data": card}}, trait
    )
