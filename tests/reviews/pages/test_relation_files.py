"""Relations from a CSV file: shown first, with what is wrong; recorded as a whole or not at all."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from reviews.audit import trail, verification
from reviews.models import Party, PartyRelation, Team
from tests.factories import make_user
from tests.reviews.periodic.rows import submitted

pytestmark = pytest.mark.django_db
GOOD = (
    "name,relation,party_kind,share,votes,since,until,detail\n"
    "Dora Vance,owner,person,40 %,,2024-01-02,,\n"
    "Vale GmbH,Owner,company,25-50 %,30,,,By the register\n"
    "Emil Ross,director,,,,,,\n"
)


@pytest.fixture
def case():
    return submitted()


@pytest.fixture
def analyst(client):
    client.force_login(make_user("ana"))
    return client


def party_of(case) -> Party:
    return case.case_parties.get(place="subject").party


def show(client, case, content: str | bytes):
    content = content.encode() if isinstance(content, str) else content
    file = SimpleUploadedFile("a.csv", content)
    party = party_of(case)
    return client.post(f"/parties/{party.pk}/preview/", {"file": file, "case": case.pk})


def take(client, case, content: str):
    address = f"/parties/{party_of(case).pk}/import/"
    return client.post(address, {"content": content, "case": case.pk})


def test_the_file_is_shown_before_anything_is_written(analyst, case):
    before = PartyRelation.objects.count()
    answer = show(analyst, case, GOOD)
    text = " ".join(answer.content.decode().split())
    assert answer.status_code == 200
    assert "Record 3 relations" in text
    assert "<td>25 to 50 %</td>" in text
    assert "new, company" in text
    assert PartyRelation.objects.count() == before


def test_what_was_shown_is_recorded_with_its_source_and_lines(analyst, case):
    result = show(analyst, case, GOOD.replace(",", ";"))
    assert "Record 3 relations" in result.content.decode()
    assert take(analyst, case, GOOD).status_code == 303
    rows = PartyRelation.objects.filter(source="file").order_by("pk")
    assert [row.kind for row in rows] == ["owner", "owner", "director"]
    bounds = (rows[1].share_min, rows[1].share_max, rows[1].votes_min)
    assert bounds == (Decimal(25), Decimal(50), Decimal(30))
    assert rows[1].holder.party.kind == "company"
    assert rows[0].since == date(2024, 1, 2)
    assert case.events.filter(what="relation_added").count() == 3
    trail.seal_all()
    assert not [fault for fault in verification.faults() if "party" in fault]


def test_a_party_that_there_is_is_named_by_its_number(analyst, case):
    owner = case.case_parties.get(place="owners/0").party
    take(analyst, case, f"party,name,relation\n{owner.pk},,director\n")
    row = PartyRelation.objects.get(source="file")
    assert row.holder.party == owner


def test_a_new_party_may_be_called_like_the_number_of_another(analyst, case):
    owner = case.case_parties.get(place="owners/0").party
    rows = f"party,name,relation\n{owner.pk},,director\n,{owner.pk},director\n"
    assert take(analyst, case, rows).status_code == 303
    assert PartyRelation.objects.filter(source="file").count() == 2


@pytest.mark.parametrize(
    "content", ["name,relation," + "x," * 60_000, "name,relation\n" + "A,b,c\n" * 150]
)
def test_the_page_names_the_first_faults_of_a_hostile_file(analyst, case, content):
    answer = show(analyst, case, content)
    assert answer.status_code == 422
    assert len(answer.content) < 100_000
    assert "more." in answer.content.decode()


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "A column is missing: name."),
        ("name,relation\n", "no row below its heading"),
        ("name,relation,colour\nA,owner,red\n", "There is no column &#x27;colour&#x27;"),
        ("name,relation\nA,friend\n", "Line 2: relation must be one of"),
        ("name,relation\n,owner\n", "Line 2: enter a name"),
        ("name,relation,share\nA,owner,120 %\n", "Line 2: share must be from 0"),
        ("name,relation,since\nA,owner,3 May\n", "Line 2: since must be a day"),
        ("name,relation,since,until\nA,owner,2024-02-02,2023-01-01\n", "ends before"),
        ("name,relation\nAnn,owner\nann,owner\n", "Line 3: the same as line 2."),
        ("name,relation,party\nA,owner,99999\n", "there is no party"),
        ("name,relation,party_kind\nA,owner,robot\n", "party_kind must be one of"),
        ("name,relation\nA,owner,more\n", "Line 2: more cells than columns."),
        ("name,relation,share\nA,owner\n", "Line 2: The row has 2 cells, the header 3. Missing: share."),
        ("name,relation\n" + "A,owner\n" * 300, "more than 200 rows"),
        (b"name,relation\n\xff\xfe,owner\n", "The file is not text in UTF-8. Save it as CSV UTF-8."),
        (b"PK\x03\x04workbook", "The file is a workbook, not a CSV file. Save it as CSV UTF-8."),
        (b"x" * (200 << 10), "more than 128 KiB"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(analyst, case, content, fault):
    before = PartyRelation.objects.count(), Party.objects.count()
    answer = show(analyst, case, content)
    assert answer.status_code == 422
    assert fault in answer.content.decode()
    assert "Record" not in answer.content.decode().partition("<main")[2]
    if isinstance(content, str):
        assert take(analyst, case, content).status_code == 422
    assert (PartyRelation.objects.count(), Party.objects.count()) == before


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_of_a_spreadsheet_is_read_as_a_batch_is(analyst, case, encoding):
    """Excel writes "Unicode text" as UTF-16 with tabs."""
    answer = show(analyst, case, "name\trelation\nZoë Müller\towner\n".encode(encoding))
    assert answer.status_code == 200
    assert "Zoë Müller" in answer.content.decode()


def test_one_bad_row_leaves_nothing_of_the_good_ones(analyst, case):
    before = PartyRelation.objects.count(), Party.objects.count()
    answer = take(analyst, case, f"{GOOD}Bad One,owner,,lots,,,,\n")
    assert answer.status_code == 422
    assert (PartyRelation.objects.count(), Party.objects.count()) == before


def test_the_party_itself_is_no_owner_of_its_own(analyst, case):
    own = party_of(case).pk
    answer = show(analyst, case, f"party,name,relation\n{own},,owner\n")
    assert "Both are the same party." in answer.content.decode()


def test_shares_of_more_than_the_whole_are_noted(analyst, case):
    answer = show(analyst, case, "name,relation,share\nA,owner,70\nB,owner,60\n")
    assert answer.status_code == 200
    assert "The shares add up to at least 130 %." in answer.content.decode()


def test_only_who_may_state_relations_takes_a_file(client, case):
    client.force_login(make_user("audrey", role="auditor"))
    assert show(client, case, GOOD).status_code == 403
    assert take(client, case, GOOD).status_code == 403
    team = Team.objects.create(name="Others")
    team.connections.add(case.connection)
    client.force_login(make_user("zoe"))
    assert show(client, case, GOOD).status_code == 404


def test_names_are_shown_and_not_run(analyst, case):
    bad = '"<script>alert(1)</script></textarea>",owner\n'
    text = show(analyst, case, f"name,relation\n{bad}").content.decode()
    assert "<script>alert(1)" not in text
