"""Parties made when a case is submitted, found again, joined by people, and erased with the case."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.utils.timezone import now

from reviews.audit import trail, verification
from reviews.intake import cases
from reviews.models import (
    CaseEvent,
    CaseParty,
    Party,
    PartyRelation,
    PartyStatement,
    Team,
)
from reviews.parties import identity, recording, relations, shares
from reviews.parties.merges import merging, separating
from reviews.parties.merges.merging import MergeError
from reviews.parties.relations import RelationError
from reviews.privacy import erasing
from tests.factories import make_agent, make_case, make_connection
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db
COMPANY: dict[str, Any] = {
    "business_name": "Acme Holdings Ltd",
    "business_registration_number": "HRB 12345",
    "address_of_incorporation": {"country_code": "DE"},
    "owners": [
        {
            "business_name": "Mid GmbH",
            "registration_number": "HRB 777",
            "country": "DE",
            "ownership_percentage": 60,
            "owners": [{"full_name": "Ann Lee", "percentage": 80}],
        },
        {"full_name": "Bob Stone", "percentage": 40},
    ],
}


# Numbers whose hashes of earlier versions are of another text than those of today.
STORED_EARLIER = [
    ("business_registration_number", "registration_number", "00044821", "GB"),
    ("tax_number", "tax_number", "GB 136 695 976", "GB"),
]


@pytest.fixture
def agent():
    return make_agent(make_connection())


def submit(agent, data, actor=None):
    subject = cases.subject_of(data)
    return cases.submit(
        actor=actor, agent=agent, subject=subject, data=data, documents=[]
    )


def party_at(case, place="subject"):
    return CaseParty.objects.get(case=case, place=place).party


def test_a_submitted_case_has_its_parties_in_its_line(agent):
    case = submit(agent, COMPANY)
    places = list(case.case_parties.values_list("place", "role"))
    assert places == [
        ("subject", "subject"),
        ("owners/0", "owner"),
        ("owners/0/owners/0", "owner"),
        ("owners/1", "owner"),
    ]
    shares_of = PartyRelation.objects.values_list(
        "holder__place", "held__place", "share_min"
    )
    assert set(shares_of) == {
        ("owners/0", "subject", Decimal(60)),
        ("owners/0/owners/0", "owners/0", Decimal(80)),
        ("owners/1", "subject", Decimal(40)),
    }
    line = CaseEvent.objects.get(case=case, what="submitted")
    tables = [entry["table"] for entry in line.bindings]
    assert tables.count("reviews_party") == 4
    assert tables.count("reviews_partyrelation") == 3
    trail.seal_all()
    assert list(verification.faults()) == []


def test_names_are_encrypted_and_hashed(agent):
    submit(agent, COMPANY)
    for row in PartyStatement.objects.values():
        sealed: Any = row["value"]
        assert b"Mid GmbH" not in bytes(sealed.token)
        assert "GmbH" not in str({**row, "value": ""})


def test_done_again_it_changes_nothing(agent):
    case = submit(agent, COMPANY)
    assert recording.record_with_line(case).rows == []


def test_changed_data_keep_what_was_stated_before(agent):
    case = submit(agent, COMPANY)
    owners = [{**COMPANY["owners"][0], "ownership_percentage": 100}]
    case.self_attested_data = {**COMPANY, "owners": owners, "trade_name": "Acme"}
    case.save()
    changes = recording.record_with_line(case)
    assert changes.new_parties == 0
    standing = PartyRelation.objects.filter(replaced_at=None, held__place="subject")
    assert [row.share_min for row in standing] == [100]
    replaced = PartyRelation.objects.exclude(replaced_at=None)
    assert {row.share_min for row in replaced} == {Decimal(40), Decimal(60)}
    line = CaseEvent.objects.get(case=case, what="parties_recorded")
    assert len(line.bindings) == len(changes.rows)


def test_the_same_number_of_the_same_country_is_the_same_party(agent):
    first, second = submit(agent, COMPANY), submit(agent, COMPANY)
    assert party_at(first) == party_at(second)
    assert party_at(first, "owners/0") == party_at(second, "owners/0")
    # The same name alone is not.
    assert party_at(first, "owners/1") != party_at(second, "owners/1")


@pytest.mark.parametrize(
    "changes",
    [
        {"address_of_incorporation": {"country_code": "AT"}},
        {"business_registration_number": "HRB 12346"},
        {"address_of_incorporation": None},
    ],
)
def test_another_number_or_country_is_another_party(agent, changes):
    first, second = submit(agent, COMPANY), submit(agent, {**COMPANY, **changes})
    assert party_at(first) != party_at(second)


def stored_by_an_earlier_version(case, label, value, issuer) -> None:
    """Give the number of the case the hash that it had before zeros and country codes were left out."""
    plain = value.replace(" ", "")
    content = f"{label}:{issuer}:{plain}"
    digest = identity._hmac(identity._key(), content)
    rows = PartyStatement.objects.filter(case_party__case=case, label=label)
    assert rows.exclude(digest=digest).update(digest=digest) == 1


@pytest.mark.parametrize(("member", "label", "value", "issuer"), STORED_EARLIER)
def test_a_party_of_an_earlier_version_is_recognised(
    agent, member, label, value, issuer
):
    data = {
        "business_name": "Acme Ltd",
        "address_of_incorporation": {"country_code": issuer},
        member: value,
    }
    first = submit(agent, data)
    stored_by_an_earlier_version(first, label, value, issuer)
    second = submit(agent, data)
    assert party_at(first) == party_at(second)
    # The two are no more the same after a person said so, although their hashes are not equal.
    ana = someone("analyst", "ana")
    link = CaseParty.objects.get(case=second, place="subject")
    separating.separate(link, actor=ana, reason="Not the same.")
    third = submit(agent, data)
    assert party_at(third) == party_at(first)
    assert party_at(third) != party_at(second)
    [number] = PartyStatement.objects.filter(case_party=link, label=label)
    assert number.digest == ""


def test_a_number_that_was_typed_for_none_joins_nobody(agent):
    data = {**COMPANY, "business_registration_number": "000000000"}
    assert party_at(submit(agent, data)) != party_at(submit(agent, data))


@pytest.mark.parametrize(
    "number",
    [
        {"iban": "DE89370400440532013000"},
        {"wallet_address": "0x" + "ab" * 20},
        {"imo_number": "9187629"},
    ],
)
def test_owners_of_one_account_wallet_or_vessel_are_two_parties(agent, number):
    owners = [{"full_name": "Ann Lee", **number}, {"full_name": "Bob Lee", **number}]
    case = submit(agent, {"business_name": "Acme Ltd", "owners": owners})
    assert party_at(case, "owners/0") != party_at(case, "owners/1")


@pytest.mark.parametrize(
    ("number", "same"),
    [
        ({"wallet_address": "0x" + "ab" * 20}, {"wallet_address": "0x" + "Ab" * 20}),
        ({"wallet_address": "bc1qexample0001"}, {"wallet": "BC1QEXAMPLE0001"}),
        ({"imo_number": "9187629"}, {"vessel_imo": "IMO 9187629"}),
        ({"iban": "DE89370400440532013000"}, {"iban": "DE89 3704 0044 0532 0130 00"}),
    ],
)
def test_a_wallet_vessel_or_account_is_one_party_however_it_is_written(
    agent, number, same
):
    cases_of = []
    for owner in (number, same):
        data = {"business_name": "Acme Ltd", "subsidiaries": [owner]}
        cases_of.append(submit(agent, data))
    first, second = cases_of
    place = "subsidiaries/0"
    assert party_at(first, place) == party_at(second, place)
    assert party_at(first, place).kind in ("wallet", "vessel", "account")


def test_an_address_whose_capitals_count_is_kept_apart(agent):
    first, second = (
        "1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
        "1bOATslrhTknNGKDxeEOBr76B53letTPYt",
    )
    data = {"business_name": "Acme Ltd"}
    owner = submit(agent, {**data, "owners": [{"wallet_address": first}]})
    other = submit(agent, {**data, "owners": [{"wallet_address": second}]})
    assert party_at(owner, "owners/0") != party_at(other, "owners/0")


def test_people_join_parties_and_part_them_again(agent):
    actor = someone("analyst")
    first = party_at(submit(agent, COMPANY), "owners/1")
    second = party_at(submit(agent, COMPANY), "owners/1")
    third = party_at(submit(agent, COMPANY), "owners/1")
    merge = merging.merge(second, first, actor=actor, reason="Same passport.")
    other = merging.merge(third, second, actor=actor, reason="Same passport.")
    heads = dict(Party.objects.values_list("pk", "head"))
    assert (heads[first.pk], heads[second.pk], heads[third.pk]) == (
        None,
        first.pk,
        first.pk,
    )
    with pytest.raises(MergeError, match="one party already"):
        merging.merge(third, first, actor=actor, reason="Again.")
    merging.undo(merge, actor=actor, reason="Another date of birth.")
    heads = dict(Party.objects.values_list("pk", "head"))
    # The other merge stands.
    assert (heads[first.pk], heads[second.pk], heads[third.pk]) == (
        None,
        None,
        second.pk,
    )
    with pytest.raises(MergeError, match="undone before"):
        merging.undo(merge, actor=actor, reason="Again.")
    merging.undo(other, actor=actor, reason="Nor these.")
    assert not Party.objects.exclude(head=None).exists()
    trail.seal_all()
    assert list(verification.faults()) == []
    lines = CaseEvent.objects.filter(what__in=["parties_merged", "parties_parted"])
    assert [line.user for line in lines] == [actor] * 4


def test_a_merge_needs_a_reason_a_role_and_parties_of_one_kind(agent):
    case = submit(agent, COMPANY)
    ann, bob = party_at(case, "owners/0/owners/0"), party_at(case, "owners/1")
    with pytest.raises(MergeError, match="Say why"):
        merging.merge(ann, bob, actor=someone("analyst"), reason=" ")
    with pytest.raises(PermissionDenied):
        merging.merge(ann, bob, actor=someone("auditor"), reason="Why not.")
    with pytest.raises(MergeError, match="A company is no person"):
        merging.merge(ann, party_at(case), actor=someone("senior"), reason="Same.")


def test_another_team_joins_nothing_of_ours(agent):
    case = submit(agent, COMPANY)
    team = Team.objects.create(name="Ours")
    team.connections.add(agent.connection)
    ann, bob = party_at(case, "owners/0/owners/0"), party_at(case, "owners/1")
    with pytest.raises(PermissionDenied):
        merging.merge(ann, bob, actor=someone("analyst"), reason="Same.")


def test_people_add_and_end_relations(agent):
    actor = someone("analyst")
    case = submit(agent, COMPANY)
    row = relations.add(
        case,
        actor=actor,
        held=party_at(case, "owners/0"),
        kind="owner",
        name="Cora Dane",
        share=shares.read("20 %"),
    )
    assert (row.share_min, row.source, row.by) == (Decimal(20), "analyst", actor)
    today = now().date()
    # A day that has not come may be a typing error.
    relations.end(row, actor=actor, until=date(2999, 1, 1))
    relations.end(row, actor=actor, until=today - timedelta(days=1))
    with pytest.raises(RelationError, match="an end already"):
        relations.end(row, actor=actor, until=today)
    # What the case attests is as it was.
    assert recording.record_with_line(case).rows == []
    trail.seal_all()
    assert list(verification.faults()) == []


def test_nobody_owns_a_person_or_oneself(agent):
    actor = someone("analyst")
    case = submit(agent, COMPANY)
    company, person = party_at(case), party_at(case, "owners/1")
    with pytest.raises(RelationError, match="a person"):
        relations.add(case, actor=actor, held=person, kind="owner", holder=company)
    with pytest.raises(RelationError, match="the same party"):
        relations.add(case, actor=actor, held=company, kind="owner", holder=company)


def test_erasure_of_one_case_leaves_what_another_states(agent):
    first, second = submit(agent, COMPANY), submit(agent, COMPANY)
    erasing.erase(first, at=now())
    values = PartyStatement.objects.filter(case_party__case=first)
    assert {row.value for row in values} == {"[erased]"}
    assert {row.digest for row in values} == {""}
    rows = PartyRelation.objects.filter(holder__case=first)
    assert {row.share_min for row in rows} == {None}
    queryset = PartyStatement.objects.filter(case_party__case=second, label="name")
    assert "Mid GmbH" in {row.value for row in queryset}
    assert recording.record(first).rows == []


def test_earlier_cases_get_their_parties_by_a_command(agent):
    case = make_case(agent.connection, self_attested_data=COMPANY)

    call_command("record_parties")
    count = CaseParty.objects.filter(case=case).count()
    assert count == 4
    call_command("record_parties")
    assert CaseParty.objects.filter(case=case).count() == count
