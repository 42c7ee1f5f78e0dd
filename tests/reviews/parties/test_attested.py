"""Parties read out of attested data, in whatever spelling it came."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checks.list_screening.parties.schema import parties_of
from reviews.models import Case
from reviews.parties import attested, shares


def case_of(data, *, kind="kyb", subject="Acme Holdings Ltd", extra=None):
    return Case(
        kind=kind, subject=subject, self_attested_data=data, schema_extra=extra or {}
    )


def by_place(case):
    return {entry.place: entry for entry in attested.entries(case)}


def name(entry):
    return next(one.value for one in entry.statements if one.kind == "name")


def test_owners_of_owners_with_their_shares():
    data = {
        "business_name": "Acme Holdings Ltd",
        "owners": [
            {
                "business_name": "Mid GmbH",
                "ownership_percentage": 60,
                "owners": [{"first_name": "Ann", "last_name": "Lee", "share": "80 %"}],
            },
            "Bob Stone, 40 %",
        ],
    }
    entries = by_place(case_of(data))
    mid, ann = entries["owners/0"], entries["owners/0/owners/0"]
    assert (mid.kind, mid.above, mid.share.low) == ("company", "subject", 60)
    assert (name(ann), ann.kind, ann.above, ann.share.low) == (
        "Ann Lee",
        "person",
        "owners/0",
        80,
    )
    bob = entries["owners/1"]
    assert (name(bob), bob.kind, bob.share.low) == ("Bob Stone", "person", 40)


@pytest.mark.parametrize(
    "member",
    [
        "owners",
        "beneficialOwners",
        "Ultimate Beneficial Owners",
        "shareholders",
        "UBOs",
    ],
)
def test_members_in_other_spellings(member):
    entries = attested.entries(case_of({member: [{"full_name": "Ann Lee"}]}))
    assert [(name(entry), entry.relation) for entry in entries[1:]] == [
        ("Ann Lee", "owner")
    ]


@pytest.mark.parametrize("key", ["business_name", "name", "full_name", "company_name"])
def test_company_owners_by_every_member(key):
    entries = attested.entries(case_of({"owners": [{key: "Mid Holding GmbH"}]}))
    assert (name(entries[1]), entries[1].kind) == ("Mid Holding GmbH", "company")


def test_associated_individuals_with_what_they_are():
    people = [
        {"kyc_schema": {"self_attested_data": {"first_name": "Dee", "title": "CEO"}}},
        {"self_attested_data": {"first_name": "Eve", "last_name": "Fox"}},
        {"full_name": "Guy Hay", "ownership_percentage": 30},
    ]
    case = case_of({}, extra={"associated_individuals": people})
    entries = attested.entries(case)[1:]
    assert [(name(entry), entry.relation) for entry in entries] == [
        ("Dee", "director"),
        ("Eve Fox", "associate"),
        ("Guy Hay", "owner"),
    ]


def test_a_subsidiary_is_held_by_the_subject():
    entry = attested.entries(case_of({"subsidiaries": ["Sub Ltd"]}))[1]
    assert (entry.is_held, entry.role, entry.kind) == (True, "owned", "company")


def test_a_mapping_of_names_to_shares():
    entries = attested.entries(case_of({"owners": {"Ann Lee": 60, "Mid Ltd": "40%"}}))
    shares_of: list[tuple[object, object]] = [
        (name(e), e.share and e.share.low) for e in entries[1:]
    ]
    assert shares_of == [
        ("Ann Lee", 60),
        ("Mid Ltd", 40),
    ]
    # The names are no part of the places, which stay after an erasure.
    assert [entry.place for entry in entries[1:]] == ["owners/0", "owners/1"]


def test_the_person_of_a_case_with_the_number_of_the_passport():
    data = {
        "first_name": "Marguerite",
        "last_name": "Oyelaran",
        "date_of_birth": "1988-04-17",
        "country_of_nationality": "Nigeria",
        "government_id_verification_data": {
            "id_data": {
                "document_type": "passport",
                "issuing_country": "NG",
                "document_number": "A04417823",
            }
        },
    }
    (entry,) = attested.entries(case_of(data, kind="kyc", subject="M O"))
    stated = {(one.label, one.value, one.issuer) for one in entry.statements}
    assert entry.kind == "person"
    assert stated == {
        ("name", "Marguerite Oyelaran", ""),
        ("date_of_birth", "1988-04-17", ""),
        ("nationality", "NG", ""),
        ("passport", "A04417823", "NG"),
    }


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        (60, "60", "60"),
        ("60%", "60", "60"),
        ("33,33 %", "33.33", "33.33"),
        ("25-50%", "25", "50"),
        # What is more than a half is a majority, and less than a quarter is none.
        ("more than 50 %", "50.000001", "100"),
        ("less than 25 %", "0", "24.999999"),
        ("at least 25 %", "25", "100"),
        ("75 % or more", "75", "100"),
        ("more than 25% but not more than 50%", "25.000001", "50"),
        ("50 % + 1 share", "50.000001", "51"),
        ("50 % minus one share", "49", "49.999999"),
        ("1,000 of 4,000 shares", "25", "25"),
        ("1.000 von 4.000", "25", "25"),
        ("one third", "33.333333", "33.333334"),
        ("Two-thirds", "66.666666", "66.666667"),
        ("half", "50", "50"),
        ("majority", "50.000001", "100"),
        ("sole owner", "100", "100"),
        ("\u0662\u0665\u066a", "25", "25"),
        ("\uff12\uff15\uff05", "25", "25"),
        ({"minimum": 25, "maximum": 50}, "25", "50"),
        ({"exact": 30}, "30", "30"),
        # 1 % or all of it?
        (1, "1", "100"),
        ("1 %", "1", "1"),
        ("1/4", "25", "25"),
        ("1/3", "33.333333", "33.333334"),
        # 0.6 % or 60 %?
        (0.6, "0.6", "60"),
    ],
)
def test_shares(value, low, high):
    share = shares.read(value)
    assert share is not None
    assert (share.low, share.high) == (Decimal(low), Decimal(high))


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        101,
        -1,
        "much",
        "120 %",
        "9/0",
        [],
        {},
        "25,000",
        "5,000 of 4,000",
        # How two owners divide the whole, and no fraction.
        "50/50",
        "40/60",
        "NaN",
        "1e3",
        float("nan"),
        float("inf"),
        10**400,
        "bearer",
        "9" * 500,
        {"x": 1},
        {"exact": {"exact": 5}},
    ],
)
def test_no_share(value):
    assert shares.read(value) is None


def test_a_sentence_about_owners_is_no_party():
    data = {"ownership": "the founders and their families", "management": "strict"}
    assert len(attested.entries(case_of(data))) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(
            ["owners", "name", "first_name", "share", "kyc_schema", "directors", "x",
             "address", "government_id_verification_data", "id_data", "lei", "role"]
        ),
        inner,
        max_size=5,
    ),
    max_leaves=25,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(JSON, JSON)
def test_whatever_was_sent_is_survived(data, extra):
    entries = attested.entries(case_of(data, extra=extra))
    assert entries[0].place == "subject"
    places = [entry.place for entry in entries]
    assert len(places) == len(set(places))
    for entry in entries[1:]:
        assert entry.above in places


def test_a_very_deep_and_wide_structure_ends():
    data: dict[str, object] = {"name": "Deep Ltd"}
    for _ in range(50):
        data = {"name": "Deep Ltd", "owners": [data] * 3}
    entries = attested.entries(case_of(data))
    assert len(entries) <= attested.MOST_PARTIES


@pytest.mark.parametrize(
    "name",
    ["Bearer shares", "Free float", "Other shareholders", "Unknown", "Streubesitz",
     "Various minority investors", "N/A", "Treasury shares"],
)  # fmt: skip
def test_a_name_of_nobody_is_no_person(name):
    data = {
        "name": "Acme Ltd",
        "owners": [{"name": name, "percentage": 40}, f"{name}, 40 %"],
    }
    _, first, second = attested.entries(case_of(data))
    assert (first.kind, second.kind) == ("unknown", "unknown")
    # Somebody of such a name is one.
    data = {"name": "Acme Ltd", "owners": ["Ann Float, 40 %"]}
    assert attested.entries(case_of(data))[1].kind == "person"


def test_a_share_that_cannot_be_read_is_told_in_words():
    owner = {"full_name": "Ann Lee", "role": "founder", "share": "a golden share"}
    _, entry = attested.entries(case_of({"name": "Acme Ltd", "owners": [owner]}))
    assert entry.share is None
    assert entry.detail == "founder; a golden share"


# The natures of control that Companies House publishes, in its codes and in its words, and what they
# say: the capital, the votes, other means.
ABOVE_25, ABOVE_50 = Decimal("25.000001"), Decimal("50.000001")
BELOW_75 = Decimal("74.999999")
BANDS: tuple[tuple[str, str, tuple[object, object]], ...] = (
    ("25-to-50", "More than 25% but not more than 50%", (ABOVE_25, 50)),
    ("50-to-75", "More than 50% but less than 75%", (ABOVE_50, BELOW_75)),
    ("75-to-100", "75% or more", (75, 100)),
)
ENDINGS = (
    "", "-as-trust", "-as-firm", "-limited-liability-partnership",
    "-as-trust-limited-liability-partnership", "-as-firm-limited-liability-partnership",
)  # fmt: skip
OVERSEAS = "-registered-overseas-entity"
OF_ENTITIES = ("", "-as-trust", "-as-firm", "-as-control-over-trust", "-as-control-over-firm")  # fmt: skip
PARTS_OF = {
    "ownership-of-shares": "capital",
    "voting-rights": "votes",
    "right-to-share-surplus-assets": "capital",
    "part-right-to-share-surplus-assets": "capital",
}
RIGHTS = (
    "right-to-appoint-and-remove-directors", "right-to-appoint-and-remove-members",
    "right-to-appoint-and-remove-person", "significant-influence-or-control",
)  # fmt: skip
WORDS_OF = {
    "Ownership of shares": "capital",
    "Ownership of voting rights": "votes",
    "Right to surplus assets": "capital",
}


Nature = tuple[str, str, tuple[object, object] | None]


def natures() -> Iterator[Nature]:
    for begin, ending in product(PARTS_OF, ENDINGS):
        for band, _words, bounds in BANDS:
            yield f"{begin}-{band}-percent{ending}", PARTS_OF[begin], bounds
    for begin, ending in product(("ownership-of-shares", "voting-rights"), OF_ENTITIES):
        code = f"{begin}-more-than-25-percent{ending}{OVERSEAS}"
        yield code, PARTS_OF[begin], (ABOVE_25, 100)
    of_entities = [f"{ending}{OVERSEAS}" for ending in OF_ENTITIES]
    for right, ending in product(RIGHTS, (*ENDINGS, *of_entities)):
        yield f"{right}{ending}", "means", None
    for begin, (_band, words, bounds) in product(WORDS_OF, BANDS):
        yield f"{begin} \u2013 {words}", WORDS_OF[begin], bounds
        yield f"{begin} - {words} as a member of a firm", WORDS_OF[begin], bounds


@pytest.mark.parametrize("member", ["natures_of_control", "naturesOfControl", "share"])
def test_each_nature_of_control_is_read_as_what_it_is(member):
    for nature, what, bounds in natures():
        owner = {"name": "Ann Lee", "type": "person", member: nature}
        _, entry = attested.entries(case_of({"name": "Acme Ltd", "pscs": [owner]}))
        share = entry.share and (entry.share.low, entry.share.high)
        votes = entry.votes and (entry.votes.low, entry.votes.high)
        result = (entry.relation, share, votes)
        if what == "means":
            assert (result, entry.detail) == (("controller", None, None), nature)
        elif what == "votes":
            assert result == ("owner", None, bounds), nature
        else:
            assert result == ("owner", bounds, None), nature


def test_a_person_of_the_register_of_companies_house():
    data = {
        "name": "Acme Ltd",
        "persons_with_significant_control": [
            {
                "name": "Mrs Ann Lee",
                "kind": "individual-person-with-significant-control",
                "natures_of_control": [
                    "ownership-of-shares-25-to-50-percent",
                    "ownership-of-shares-50-to-75-percent-as-trust",
                    "voting-rights-75-to-100-percent",
                    "right-to-appoint-and-remove-directors",
                ],
                "notified_on": "2016-04-06",
                "ceased_on": "2020-01-31",
            },
            {
                "name": "The Crown of Ruritania",
                "kind": "legal-person-person-with-significant-control",
                "natures_of_control": ["registered-owner-as-nominee-person-scotland"
                                       "-registered-overseas-entity"],
            },
        ],
    }  # fmt: skip
    _, ann, crown = attested.entries(case_of(data))
    # Some by herself, and more as a trust.
    assert ann.share == shares.Share(ABOVE_50, Decimal(100))
    assert ann.votes == shares.Share(Decimal(75), Decimal(100))
    assert ann.means == "right-to-appoint-and-remove-directors"
    assert (ann.kind, ann.since, ann.until) == ("person", "2016-04-06", "2020-01-31")
    # That land is held for it says nothing about shares, nor that it is a nominee itself.
    assert (crown.kind, crown.share, crown.votes) == ("company", None, None)
    assert (crown.relation, crown.detail) == ("owner", "")


@pytest.mark.parametrize(
    "name",
    ["The children of Ann Lee", "All descendants of the settlor", "Unborn issue",
     "minor grandchildren", "Employees", "heirs of Bob Stone"],
)  # fmt: skip
def test_a_class_of_beneficiaries_is_no_person(name):
    """Who they are is not known, so nobody may take the owners for known."""
    trust = {"trust_name": "Lee Trust", "beneficiaries": [{"name": name}, name.title()]}
    entries = attested.entries(case_of({"name": "Acme Ltd", "owners": [trust]}))
    assert {entry.kind for entry in entries[2:]} == {"unknown"}
    # A person may have such a name.
    data = {"name": "Acme Ltd", "owners": ["Ann Child, 40 %", "Issue Diop, 60 %"]}
    assert [e.kind for e in attested.entries(case_of(data))[1:]] == ["person"] * 2


@pytest.mark.parametrize(
    "text",
    ["Ann Lee 60%, Bob Stone 40%", "Ann Lee (60 %) and Bob Stone (40 %)",
     "Ann Lee: 60 %; Bob Stone: 40 %", "Ann Lee, 60 %\nBob Stone, 40 percent"],
)  # fmt: skip
@pytest.mark.parametrize("in_list", [False, True])
def test_several_owners_in_one_text(text, in_list):
    data = {"name": "Acme Ltd", "owners": [text] if in_list else text}
    entries = attested.entries(case_of(data))[1:]
    shares_of: list[tuple[object, object]] = [
        (name(e), e.share and e.share.low) for e in entries
    ]
    assert shares_of == [("Ann Lee", 60), ("Bob Stone", 40)]


def test_one_share_in_words_is_not_taken_apart():
    data = {"name": "Acme Ltd", "owners": ["Ann Lee (between 25% and 50%)"]}
    [entry] = attested.entries(case_of(data))[1:]
    assert name(entry) == "Ann Lee"
    assert entry.share == shares.Share(Decimal(25), Decimal(50))


def test_a_page_of_a_register_has_its_people_in_items():
    person = {
        "name": "Ann Lee",
        "natures_of_control": ["voting-rights-75-to-100-percent"],
    }
    for items in ([person], []):
        page = {"active_count": len(items), "items": items, "links": {"self": "/x"}}
        data = {"name": "Acme Ltd", "persons_with_significant_control": page}
        entries = attested.entries(case_of(data))[1:]
        assert [name(entry) for entry in entries] == ["Ann Lee"] * len(items)


def test_all_who_belong_to_a_trust_are_its_beneficial_owners():
    trust = {
        "name": "Lee Family Trust",
        "percentage": 30,
        "settlors": ["Ann Lee"],
        "trustees": [{"full_name": "Bob Stone", "role": "professional trustee"}],
        "beneficiaries": [{"full_name": "Cora Lee"}],
    }
    data = {"name": "Acme Ltd", "owners": [trust], "beneficiaries": ["Dan Poe"]}
    entries = attested.entries(case_of(data))
    found = {
        entry.statements[0].value: (entry.relation, entry.detail) for entry in entries
    }
    assert found["Ann Lee"] == ("controller", "settlors")
    assert found["Bob Stone"] == ("controller", "professional trustee")
    assert found["Cora Lee"] == ("controller", "beneficiaries")
    # Who gets money from a company does not own it.
    assert found["Dan Poe"][0] == "associate"


WALLET = "0x" + "aB" * 20
# A person, a company, a vessel and a wallet as customers state them.
STATED: tuple[tuple[object, str], ...] = (
    ({"first_name": "Ana", "middle_names": "Maria", "last_name": "Reyes"}, "person"),
    ({"given_names": "Ana Maria", "surname": "Reyes"}, "person"),
    ({"first_name": "Ana", "given_name": "Ana", "last_name": "Reyes"}, "person"),
    ({"forename": "Ana", "surname": "Reyes"}, "person"),
    ({"name": {"first": "Ana", "last": "Reyes"}}, "person"),
    ({"name": {"firstName": "Ana", "lastName": "Reyes"}}, "person"),
    ({"full_legal_name": "Ana Maria Reyes"}, "person"),
    ({"display_name": "Ana Reyes"}, "person"),
    ({"names": ["Ana Reyes", "Ana R. Reyes"]}, "person"),
    ({"details": {"full_name": "Ana Reyes"}}, "person"),
    ({"full_name": "Ana Reyes", "wallet_address": WALLET}, "person"),
    ({"full_name": "Ana Reyes", "imo_number": "9187629"}, "person"),
    ("Ana Reyes (director)", "person"),
    ({"business_name": "Mid GmbH", "wallet_address": WALLET}, "company"),
    ({"business_name": "Mid GmbH", "imo_number": "9187629"}, "company"),
    ({"legal_entity_name": "Mid GmbH"}, "company"),
    ({"organisation_name": "Mid GmbH"}, "company"),
    ({"ship_name": "Ocean Pearl"}, "vessel"),
    ({"name": "Ocean Pearl", "imo": "9187629"}, "vessel"),
    ({"wallet_address": WALLET}, "wallet"),
    ({"wallets": [{"address": WALLET, "currency": "ETH"}], "type": "wallet"}, "wallet"),
)


@pytest.mark.parametrize(("stated", "kind"), STATED)
def test_each_party_has_the_name_by_which_it_is_screened(stated, kind):
    """A hit stands on the party whose name or number the screening says."""
    data = {"business_name": "Acme Ltd", "owners": [stated]}
    (screened,) = parties_of({}, data)
    _, entry = attested.entries(case_of(data))
    values = [one.value for one in entry.statements if one.kind != "fact"]
    assert screened.name in values
    assert entry.kind == kind


@pytest.mark.parametrize(
    ("member", "relation"),
    [
        ("majority_shareholders", "owner"),
        ("Owners list", "owner"),
        ("company_owner", "owner"),
        ("persons_with_significant_control", "owner"),
        ("board_of_directors", "director"),
        ("legal_representative", "signatory"),
    ],
)
def test_members_with_words_that_change_nothing(member, relation):
    data = {"business_name": "Acme Ltd", member: [{"full_name": "Ann Lee"}]}
    assert [party.name for party in parties_of({}, data)] == ["Ann Lee"]
    _, entry = attested.entries(case_of(data))
    assert (name(entry), entry.relation) == ("Ann Lee", relation)


@pytest.mark.parametrize(
    "member", ["business_partners", "former_owners", "number_of_owners", "family_name"]
)
def test_members_that_state_no_owner(member):
    data = {"business_name": "Acme Ltd", member: ["Ann Lee"]}
    assert len(attested.entries(case_of(data))) == 1
