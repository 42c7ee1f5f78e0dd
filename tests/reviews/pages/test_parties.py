"""The pages of parties."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reviews import tasks
from reviews.api.views.parties import _party
from reviews.findings import dismissals
from reviews.findings.review_state import ReviewState
from reviews.intake import cases
from reviews.models import Case, CaseParty, Party, PartyRelation, RiskBand, Team
from reviews.pages.parties.picture import Link, Node, draw
from reviews.parties import relations
from reviews.parties.sanctioned import listed
from reviews.periodic import news
from reviews.results import Hit
from reviews.risk import overrides
from tests.factories import make_agent, make_connection
from tests.reviews.decisions.test_same_customer import clean
from tests.reviews.pages.case.rows import add_check_result, plain
from tests.reviews.parties.test_recording import COMPANY
from tests.reviews.risk.rows import add_screening, hit, newest, rated
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db


def section(pattern: str, page: str) -> str:
    match = re.search(pattern, page, re.DOTALL)
    assert match is not None
    return match[0]


@pytest.fixture
def analyst(client):
    client.force_login(someone("analyst"))
    return client


@pytest.fixture
def agent():
    return make_agent(make_connection())


def submit(agent, data=COMPANY):
    subject = cases.subject_of(data)
    return cases.submit(
        actor=None, agent=agent, subject=subject, data=data, documents=[]
    )


def party_at(case, place="subject"):
    return CaseParty.objects.get(case=case, place=place).party


def words(response) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(text.split())


def test_the_page_of_a_company_says_who_owns_it(analyst, agent):
    case = submit(agent)
    response = analyst.get(f"/parties/{party_at(case).pk}/")
    page = words(response)
    assert "Registration number HRB 12345 Germany" in page
    # 60 % of 80 %, and 40 %; of the rest of Mid GmbH nobody is named.
    assert re.search(r"Ann Lee 48 % owns at least a quarter", page)
    # Names of any script stand in the direction of the arrows.
    names = " → ".join(
        f"<bdi>{name}</bdi>" for name in ("Ann Lee", "Mid GmbH", "Acme Holdings Ltd")
    )
    content = " ".join(response.content.decode().split())
    assert f'dir="ltr">{names}</bdi>: 48 %' in content
    assert re.search(r"Bob Stone 40 % owns at least a quarter", page)
    assert "Mid GmbH : owners are named for a part only; this concerns 12 %" in page
    assert "12 % of it comes to no person who is named." in page
    assert case.reference in page


def test_the_picture_and_the_table_say_the_same(analyst, agent):
    case = submit(agent)
    page = analyst.get(f"/parties/{party_at(case).pk}/").content.decode()
    picture = section(r"<svg class=\"holders\".*?</svg>", page)
    table = section(r"<table class=\"data\" id=\"relations\">.*?</table>", page)
    for place in ("owners/0", "owners/0/owners/0", "owners/1"):
        address = f"/parties/{party_at(case, place).pk}/"
        assert address in picture
        assert address in table
    for share in ("60 %", "80 %", "40 %"):
        assert share in picture
        assert share in table
    assert "style=" not in picture


def test_a_picture_of_many_owners_fits_on_paper():
    nodes = {key: Node(f"Party {key}", "Person") for key in range(61)}
    links = [Link(key, 0, "1 %") for key in range(1, 61)]
    drawn = draw(0, nodes, links)
    assert drawn.width < 1_300
    assert len({(box.x, box.y) for box in drawn.boxes}) == 61
    bottom = max(drawn.boxes, key=lambda box: box.y)
    assert bottom.is_center
    for line in drawn.lines:
        inside = [
            box for box in drawn.boxes
            if box.x < line.label_x < box.x + 184 and box.y < line.label_y < box.y + 52
        ]  # fmt: skip
        assert inside == []


def test_the_case_leads_to_its_party(analyst, agent):
    case = submit(agent)
    page = analyst.get(f"/cases/{case.pk}/?tab=related").content.decode()
    assert f'href="/parties/{party_at(case).pk}/"' in page


def test_the_list_finds_whole_names_and_numbers(analyst, agent):
    submit(agent)
    assert "Mid GmbH" in words(analyst.get("/parties/"))
    # Without the order of words, accents and case.
    assert "Ann Lee" in words(
        analyst.post("/parties/search/", {"q": "LEE, ann"}, follow=True)
    )
    assert "Mid GmbH" in words(
        analyst.post("/parties/search/", {"q": "hrb 777"}, follow=True)
    )
    assert "Mid GmbH" not in words(
        analyst.post("/parties/search/", {"q": "HRB 12345"}, follow=True)
    )
    assert "No party has exactly" in words(
        analyst.post("/parties/search/", {"q": "Mid"}, follow=True)
    )
    people = words(analyst.get("/parties/", {"kind": "person"}))
    assert "Ann Lee" in people
    assert "Mid GmbH" not in people


def test_the_list_shows_the_highest_risk_and_the_next_review(analyst, agent):
    case = submit(agent)
    Case.objects.filter(pk=case.pk).update(
        risk_band=RiskBand.HIGH, review_on=date(2031, 5, 6)
    )
    rows = analyst.get("/parties/").content.decode().split("<tr>")
    address = f'href="/parties/{party_at(case).pk}/"'
    of_subject = next(row for row in rows if address in row)
    of_owner = next(row for row in rows if "Ann Lee" in row)
    assert "High" in of_subject
    assert "2031" in of_subject
    # Cases about others say nothing of an owner.
    assert "High" not in of_owner
    assert "2031" not in of_owner


@pytest.mark.parametrize(
    "query", ["?before=x", "?before=99999999999999999999", "?kind=x", "?sealed=%00%ff"]
)
def test_a_strange_address_is_survived(analyst, agent, query):
    submit(agent)
    assert analyst.get(f"/parties/{query}").status_code == 200


def person(birth: str) -> dict[str, str]:
    names = {"first_name": "Ines", "last_name": "Caldeira"}
    return {**names, "date_of_birth": birth} if birth else names


@pytest.mark.parametrize(
    ("birth", "reasons"),
    [
        ("1980-02-03", "same name, same date of birth"),
        ("1981-02-03", "same name, another date of birth"),
        ("", "same name"),
    ],
)
def test_a_possible_duplicate_says_whether_the_birth_dates_agree(
    analyst, agent, birth, reasons
):
    party = party_at(submit(agent, person("1980-02-03")))
    other = party_at(submit(agent, person(birth)))
    page = words(analyst.get(f"/parties/{party.pk}/"))
    assert f"Possible duplicate: Ines Caldeira , party {other.pk} ({reasons})" in page


def test_who_was_born_on_another_day_comes_last(analyst, agent):
    party = party_at(submit(agent, person("1980-02-03")))
    later = party_at(submit(agent, person("1999-01-01")))
    same = party_at(submit(agent, person("1980-02-03")))
    page = words(analyst.get(f"/parties/{party.pk}/"))
    assert re.findall(r"Caldeira , party (\d+)", page) == [str(same.pk), str(later.pk)]


def test_a_refused_merge_or_separation_keeps_its_reason(analyst, agent):
    party = party_at(submit(agent))
    sent = {"other": "999", "link": "999", "reason": "Same passport,\nsame address."}
    for act in ("merge", "separate"):
        response = analyst.post(f"/parties/{party.pk}/{act}/", sent)
        assert response.status_code == 422
        assert "Same passport,<br>same address." in response.content.decode()


def test_duplicates_are_merged_and_separated_on_the_page(analyst, agent):
    first = party_at(submit(agent), "owners/1")
    second = party_at(submit(agent), "owners/1")
    page = words(analyst.get(f"/parties/{first.pk}/"))
    assert f"Possible duplicate: Bob Stone , party {second.pk} (same name)" in page
    data = {"other": second.pk, "reason": "Same passport."}
    response = analyst.post(f"/parties/{second.pk}/merge/", {**data, "other": first.pk})
    assert response.headers["Location"] == f"/parties/{first.pk}/"
    # The address of the other leads there, too.
    moved = analyst.get(f"/parties/{second.pk}/")
    assert moved.headers["Location"] == f"/parties/{first.pk}/"
    page = analyst.get(f"/parties/{first.pk}/").content.decode()
    undo = section(r"/parties/merges/\d+/undo/", page)
    analyst.post(undo, {"reason": "Another date of birth."})
    assert not Party.objects.exclude(head=None).exists()
    assert ": undone" in words(analyst.get(f"/parties/{first.pk}/"))


def test_a_fault_is_said_and_nothing_typed_is_lost(analyst, agent):
    party = party_at(submit(agent))
    data = {"name": "Cora Dane", "kind": "owner", "share": "120 %"}
    response = analyst.post(f"/parties/{party.pk}/relations/", data)
    assert response.status_code == 422
    # It names forms that are read: a range and a bound say what is not known exactly.
    message = "Enter a share from 0 to 100 %, such as 25, 25-50 %, &gt; 50 %, or none."
    assert message in words(response)
    assert 'value="Cora Dane"' in response.content.decode()
    response = analyst.post(f"/parties/{party.pk}/relations/", {**data, "holder": "0"})
    assert "There is no such party." in words(response)


def test_a_relation_is_added_and_ended(analyst, agent):
    case = submit(agent)
    mid = party_at(case, "owners/0")
    data = {
        "name": "Cora Dane",
        "kind": "owner",
        "share": "20 %",
        "holder_kind": "person",
    }
    analyst.post(f"/parties/{mid.pk}/relations/", data)
    page = words(analyst.get(f"/parties/{party_at(case).pk}/"))
    assert "Every part of it comes to a person who is named." in page
    assert "Cora Dane 12 %" in page
    row = PartyRelation.objects.get(source="analyst")
    analyst.post(f"/parties/relations/{row.pk}/end/", {"until": "2020-01-01"})
    page = words(analyst.get(f"/parties/{mid.pk}/"))
    assert "1 earlier statement, not counted" in page
    assert "Cora Dane → Mid GmbH : Owner" in page
    # It is shown before it begins, also where nothing else is.
    bob = party_at(case, "owners/1")
    data = {"name": "Dan Poe", "kind": "relative", "since": "2999-01-01"}
    analyst.post(f"/parties/{bob.pk}/relations/", {**data, "holder_kind": "person"})
    relations.end(
        PartyRelation.objects.get(holder__party=bob),
        actor=someone("analyst", "other"),
        until=date(2020, 1, 1),
    )
    page = words(analyst.get(f"/parties/{bob.pk}/"))
    assert "Dan Poe → Bob Stone : Relative" in page
    assert "2999" in page


def test_the_newest_case_that_names_owners_counts(analyst, agent):
    submit(agent)
    owners = [{"full_name": "Bob Stone", "percentage": 100}]
    case = submit(agent, {**COMPANY, "owners": owners})
    page = words(analyst.get(f"/parties/{party_at(case).pk}/"))
    assert "Bob Stone 100 %" in page
    assert "more than 100 %" not in page
    assert "2 earlier statements, not counted" in page
    # A case more reads its results, for hits, and nothing else for the table.
    submit(agent, COMPANY)
    with CaptureQueriesContext(connection) as context:
        analyst.get(f"/parties/{party_at(case).pk}/")
    pauses = [row for row in context if 'FROM "reviews_pause"' in row["sql"]]
    assert pauses == []


@pytest.mark.parametrize("source", ["analyst", "file"])
def test_owners_that_people_recorded_count_beside_those_of_any_case(
    analyst, agent, source
):
    """A periodic review opens a newer case, which attests what the older one attests."""
    first = submit(agent)
    held = party_at(first)
    relations.add(
        first,
        actor=someone("analyst", "recorder"),
        held=held,
        kind="owner",
        name="Cora Dane",
        source=source,
    )
    submit(agent)
    page = words(analyst.get(f"/parties/{held.pk}/"))
    assert "Cora Dane Owner Acme Holdings Ltd share not known" in page
    # One in a newer case that attests no owner does not replace those of the older.
    third = submit(agent, {**COMPANY, "owners": []})
    relations.add(
        third,
        actor=someone("analyst", "other recorder"),
        held=held,
        kind="owner",
        name="Eve Fox",
        source=source,
    )
    page = words(analyst.get(f"/parties/{held.pk}/"))
    assert "Bob Stone Owner Acme Holdings Ltd 40 %" in page
    assert "Eve Fox Owner" in page
    # A file replaces an earlier one.
    assert ("Cora Dane Owner" in page) is (source == "analyst")


def test_nobody_sees_parties_of_another_team(analyst, agent):
    case = submit(agent)
    team = Team.objects.create(name="Ours")
    team.connections.add(agent.connection)
    assert analyst.get(f"/parties/{party_at(case).pk}/").status_code == 404
    assert "Mid GmbH" not in words(analyst.get("/parties/"))


def test_a_nominee_is_no_beneficial_owner(analyst, agent):
    owners = [
        {"full_name": "Ann Lee", "percentage": 60, "role": "nominee shareholder"},
        {"full_name": "Bob Stone", "percentage": 40},
    ]
    case = submit(agent, {**COMPANY, "owners": owners})
    response = analyst.get(f"/parties/{party_at(case).pk}/")
    table = section(
        r"<table class=\"data\" id=\"owners\">.*?</table>", response.content.decode()
    )
    assert "Bob Stone" in table
    assert "Ann Lee" not in table
    page = words(response)
    assert (
        "whoever Ann Lee holds for : a nominee holds for somebody who is not named"
        in page
    )
    assert "60 % of it comes to no person who is named." in page
    assert "A further beneficial owner may be among those who are not named." in page


def test_what_a_person_records_again_is_not_added_to_what_the_case_attests(
    analyst, agent
):
    """The register says what the case says: Bob Stone has 20 %, and not twice that."""
    owners = [{"full_name": "Bob Stone", "percentage": 20}]
    case = submit(agent, {**COMPANY, "owners": owners})
    bob = party_at(case, "owners/0").pk
    address = f"/parties/{party_at(case).pk}/"
    analyst.post(
        f"{address}relations/", {"holder": bob, "kind": "owner", "share": "20 %"}
    )
    page = words(analyst.get(address))
    assert "No person is known to be a beneficial owner." in page
    assert "Bob Stone 20 %" in page
    # Where they differ, both are possible.
    analyst.post(
        f"{address}relations/", {"holder": bob, "kind": "owner", "share": "5 %"}
    )
    page = words(analyst.get(address))
    assert "20 % to 45 %" in page
    assert "not certain" in page


def test_what_came_in_between_is_placed_on_the_page(analyst, agent):
    first, second = submit(agent), submit(agent)
    one, two = party_at(first, "owners/0"), party_at(second, "owners/1")
    other = party_at(first, "owners/1")
    analyst.post(f"/parties/{other.pk}/merge/", {"other": two.pk, "reason": "Same."})
    data = {"name": "Cora Dane", "kind": "relative", "case": second.pk}
    analyst.post(f"/parties/{other.pk}/relations/", data)
    row = PartyRelation.objects.get(source="analyst")
    page = analyst.get(f"/parties/{other.pk}/").content.decode()
    assert "Came in while" not in page
    undo = section(r"/parties/merges/\d+/undo/", page)
    analyst.post(undo, {"reason": "Another date of birth."})
    for party in (other, two):
        page = words(analyst.get(f"/parties/{party.pk}/"))
        assert "Came in while it was merged with another party" in page
        assert "Cora Dane: Relative of Bob Stone" in page
    # One that was never among them is no answer.
    place = f"/parties/relations/{row.pk}/place/"
    assert analyst.post(place, {"party": one.pk}).status_code == 422
    assert analyst.post(place, {"party": other.pk}).status_code == 302
    page = words(analyst.get(f"/parties/{other.pk}/"))
    assert "Came in while" not in page
    assert "Cora Dane" in page
    assert "Cora Dane" not in words(analyst.get(f"/parties/{two.pk}/"))


def test_no_case_stays_with_the_party_that_a_relation_was_not_about(analyst, agent):
    """While two people were one, one of them was recorded as owner of a third company."""
    first, second = submit(agent), submit(agent)
    one, two = party_at(first, "owners/1"), party_at(second, "owners/1")
    analyst.post(f"/parties/{one.pk}/merge/", {"other": two.pk, "reason": "Same."})
    third = submit(agent, {"business_name": "Third Ltd"})
    held = party_at(third)
    data = {"holder": one.pk, "kind": "owner", "share": "30", "case": third.pk}
    analyst.post(f"/parties/{held.pk}/relations/", data)
    page = analyst.get(f"/parties/{one.pk}/").content.decode()
    undo = section(r"/parties/merges/\d+/undo/", page)
    analyst.post(undo, {"reason": "Another date of birth."})
    row = PartyRelation.objects.get(source="analyst")
    place = f"/parties/relations/{row.pk}/place/"
    assert analyst.post(place, {"party": two.pk}).status_code == 302
    assert third.reference in words(analyst.get(f"/parties/{two.pk}/"))
    assert third.reference not in words(analyst.get(f"/parties/{one.pk}/"))
    assert one.pk not in news.heads_of(third)
    assert two.pk in news.heads_of(third)


@pytest.mark.parametrize("is_listed_itself", [False, True])
def test_a_listed_owner_counts_whether_or_not_the_party_is_on_a_list_itself(
    analyst, agent, is_listed_itself
):
    case = submit(agent)
    job = case.jobs.get()
    subject = {"names": ["Acme Holdings Ltd"], "schema": "Organization"}
    own = [hit("strong", "ACME HOLDINGS LTD")] if is_listed_itself else []
    own_screening = {"what": "sanctions", "subject": subject, "matches": own}
    add_check_result(
        job,
        {"passed": not own, "payload": {"screening": own_screening}},
        check_id="kyb.sanctions_screening_check_v2",
    )
    person = {
        "name": "Ann Lee",
        "what": "sanctions",
        "verdict": "fail",
        "screening": {"what": "sanctions", "matches": [hit("strong", "Ann LEE")]},
    }
    add_check_result(
        job,
        {"passed": False, "payload": {"people_screening": {"people": [person]}}},
        check_id="kyb.associated_individuals_screening_check",
    )
    page = words(analyst.get(f"/parties/{party_at(case).pk}/"))
    assert "Ann Lee on a sanctions list" in page
    # She holds 80 % of Mid GmbH, which therefore passes on its 60 % in full.
    assert "OFAC 50 % rule Counts as listed Mid GmbH 60 %" in page
    assert "Does not count as listed" not in page


def test_a_hit_on_a_wallet_stands_on_the_wallet(analyst, agent):
    address = "0x" + "ab" * 20
    owner = {"wallet_address": address, "percentage": 60}
    case = submit(agent, {"business_name": "Acme Holdings Ltd", "owners": [owner]})
    wallet = {
        "name": address,
        "what": "sanctions",
        "verdict": "fail",
        "screening": {"what": "sanctions", "matches": [hit("strong", "LAZARUS")]},
    }
    add_check_result(
        case.jobs.get(),
        {"passed": False, "payload": {"people_screening": {"people": [wallet]}}},
        check_id="kyb.associated_individuals_screening_check",
    )
    page = words(analyst.get(f"/parties/{party_at(case).pk}/"))
    assert "Wallet, on a sanctions list" in page
    assert f"OFAC 50 % rule Counts as listed {address} 60 %" in page
    page = words(analyst.get(f"/parties/{party_at(case, 'owners/0').pk}/"))
    assert f"{address} · Parties" in page


def test_a_wrong_number_is_parted_from_its_party_and_put_back(analyst, agent):
    from reviews.audit import verification

    def about(name, **more):
        # Of a country with one register, where the number alone makes a company the same.
        seat = {"address_of_incorporation": {"country_code": "GB"}, "owners": []}
        return submit(agent, {**COMPANY, **seat, "business_name": name, **more})

    # The case with the typing error came first.
    wrong = about("Zeta Trading SA")
    right = about("Acme Holdings Ltd")
    shared = party_at(right)
    assert party_at(wrong) == shared
    page = analyst.get(f"/parties/{shared.pk}/").content.decode()
    link = wrong.case_parties.get(place="subject")
    choices = section(r'<form[^>]*id="separate-party">.*?</form>', page)
    assert f'value="{link.pk}">' in choices
    address = f"/parties/{shared.pk}/separate/"
    assert analyst.post(address, {"link": link.pk, "reason": ""}).status_code == 422
    assert analyst.post(address, {"link": "0", "reason": "x"}).status_code == 422
    analyst.post(address, {"link": link.pk, "reason": "One digit is wrong."})
    own = party_at(wrong)
    assert own != shared
    assert party_at(right) == shared
    page = words(analyst.get(f"/parties/{own.pk}/"))
    assert "One digit is wrong." in page
    assert "Possible duplicate" not in page
    assert "HRB 12345" in page
    text = words(analyst.get(f"/cases/{wrong.pk}/?tab=activity"))
    # PostgreSQL keeps members in another order.
    assert f"Before {shared.pk}" in text
    assert f"After {own.pk}" in text
    assert "Second person" not in text
    # The number leads to the other party, and a review of the case to its own.
    assert party_at(about("Acme Holdings AG")) == shared
    data = wrong.self_attested_data
    review = cases.submit(
        actor=None, agent=agent, subject="Zeta", data=data, documents=[], original=wrong
    )
    assert party_at(review) == own
    assert "Possible duplicate" not in words(analyst.get(f"/parties/{own.pk}/"))
    assert not list(verification.faults())
    analyst.post(f"/parties/links/{link.pk}/back/", {"reason": "It was right."})
    assert party_at(wrong) == shared
    assert not list(verification.faults())
    response = analyst.post(f"/parties/links/{link.pk}/back/", {"reason": "Twice."})
    assert response.status_code == 422


def test_the_page_answers_why_who_what_changed_and_when(client):
    """The questions of a compliance officer, without a way through the pages of the cases."""
    one_person()
    ana, sia = someone("analyst", "ana"), someone("senior", "sia")
    agent = make_agent(make_connection())
    case = clean(agent)
    first = newest(case)
    add_screening(case.jobs.get(), hit("strong"), verdict="review")
    band = rated(case).band
    assert band != first.band
    state = ReviewState.of(case)
    [found] = [f for part in state.parts for f in part.findings if isinstance(f, Hit)]
    key = state.dismissed.key(found)
    dismissals.dismiss(case, found, key=key, actor=ana, reason="Born elsewhere.")
    rated(case)
    overrides.make(case, actor=sia, band="high", reason="Cash business.")
    decide(case, ana)
    tasks.open_periodic_reviews()
    client.force_login(sia)
    address = f"/parties/{party_at(case).pk}/"
    html = client.get(address).content.decode()
    text = plain(section('id="party-risk".*?</section>', html))
    text = re.sub("[\u2068\u2069]", "", text)
    assert f"Score {newest(case).score} of 100, by the policy medium" in text
    assert "sia rates it high : Cash business." in text.replace("high:", "high :")
    assert "hits that people cleared (Sanctions screening" in text
    [_now, before, *_] = case.ratings.all()
    assert f"score {before.score}, policy" in text
    case.refresh_from_db()
    assert f'datetime="{case.review_on}"' in html
    assert "The next one is due on" in text
    page = plain(html)
    assert re.search(r"Dismissed: .*? a strong hit of case .*? \(ana, ", page)


def test_the_hits_of_a_party_are_read_before_those_of_its_owners(client):
    """A bank may own it that has more cases than are read. Page and interface say the same."""
    agent = make_agent(make_connection())
    bank = {"business_name": "Big Bank Ltd", "lei": "529900T8BM49AURSDO55"}
    case = clean(agent, 1, hit("possible"), owners=[bank])
    for _number in range(listed.MOST_CASES + 1):
        submit(agent, bank)
    senior = someone("senior")
    client.force_login(senior)
    party = party_at(case)
    page = words(client.get(f"/parties/{party.pk}/"))
    assert "Perhaps on a sanctions list" in page
    assert "a possible hit" in page
    assert "Hits of 1 older case of" in page
    assert _party(senior, party)["is_listed"] == "perhaps"
