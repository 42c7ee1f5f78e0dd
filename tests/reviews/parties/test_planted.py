"""Planted duplicates: what the desk merges by itself is right, and what it proposes is nearly all."""

from __future__ import annotations

import os

import pytest

from reviews.intake import cases
from reviews.models import Case, Party
from reviews.parties import profile, recording
from reviews.parties.merges import duplicates
from tests.factories import make_case, make_connection
from tests.reviews.parties.planted import Planted, pairs
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db
# More of them for a measurement.
COUNT = int(os.environ.get("PLANTED_PAIRS", "80"))


def recorded(connection, kind: str, reference: str, data) -> int:
    """The party of the subject of a case with these data."""
    subject = cases.subject_of(data)
    case: Case = make_case(
        connection, kind=kind, reference=reference, subject=subject,
        self_attested_data=data,
    )  # fmt: skip
    case.make_searchable()
    recording.record(case)
    return case.case_parties.get(place="subject").party_id


@pytest.fixture
def planted() -> list[tuple[Planted, int, int]]:
    connection = make_connection()
    rows = []
    for number, pair in enumerate(pairs(COUNT, seed=4711)):
        first = recorded(connection, pair.kind, f"{number}a", pair.first)
        second = recorded(connection, pair.kind, f"{number}b", pair.second)
        rows.append((pair, first, second))
    return rows


def test_planted_duplicates(planted):
    user = someone("analyst")
    # By itself the desk merges those with a strong number, and nobody else.
    merged = [pair.how for pair, first, second in planted if first == second]
    assert merged == [pair.how for pair, _, _ in planted if pair.merges]
    parties = [{first, second} for _, first, second in planted]
    assert len(set().union(*parties)) == sum(map(len, parties))
    # It proposes the others that are the same, and no relatives or companies of one group.
    missed, wrong = [], []
    for pair, first, second in planted:
        if first == second:
            continue
        read = profile.read(user, Party.objects.get(pk=second))
        rows = [row.party.pk for row in duplicates.duplicates(user, read)]
        if pair.is_same and first not in rows:
            missed.append(pair)
        if pair.how in {"family", "group", "no number"} and first in rows:
            wrong.append(pair)
    assert missed == []
    assert wrong == []


def test_a_similar_name_on_the_page(client, settings):
    settings.MASKED_ROLES = frozenset({"integrator"})
    connection = make_connection()
    born = {"date_of_birth": "1971-03-04"}
    first = {"first_name": "Katharina", "last_name": "Hollenstein", **born}
    second = {"first_name": "Catharina Maria", "last_name": "Hollenstien", **born}
    client.force_login(someone("analyst"))
    one = recorded(connection, "kyc", "1", first)
    other = recorded(connection, "kyc", "2", second)
    page = client.get(f"/parties/{one}/").content.decode()
    assert f"party {other} (similar name, same date of birth)" in page
    # Who sees no names does not learn whose is like another.
    client.force_login(someone("integrator", "erp"))
    assert "(similar name" not in client.get(f"/parties/{one}/").content.decode()


@pytest.mark.parametrize("number", ["unknown", "to be confirmed", "PENDING", "N/A 1"])
def test_a_word_in_the_place_of_a_number_makes_nobody_the_same(number):
    connection = make_connection()
    parties = set()
    for name in ("Northwind Ltd", "Kestrel Ltd"):
        data = {
            "business_name": name,
            "business_registration_number": number,
            "vat_number": number,
            "address_of_incorporation": {"country_code": "GB"},
        }
        parties.add(recorded(connection, "kyb", name, data))
    assert len(parties) == 2
