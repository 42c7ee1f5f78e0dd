"""The file for FinCEN: what it asks is entered and approved, the file holds against the form, and nothing is made of less."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from lxml import etree

from compliance.approvals import proposals
from compliance.approvals.models import Proposal
from reviews.access import roles
from reviews.audit import trail, verification
from reviews.decisions.decisions import RefusedError
from reviews.filings import suspicion
from reviews.filings.fincen import batch, codes, facts, unfit
from reviews.filings.fincen.facts import Facts
from reviews.filings.stored_sentences import Sentence
from reviews.models import OF_ID, Case, CaseEvent, ReportingInstitution, SuspicionReport
from tests.reviews.api.calling import Caller
from tests.reviews.filings.fincen_rows import FACTS, FILER, approved, one_filer
from tests.reviews.pages.case.rows import words
from tests.reviews.rows import one_person, open_case, someone
from tests.stale_forms import opened_state

pytestmark = pytest.mark.django_db
SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).parent / "fincen.xsd"))
NAMESPACES = {"f": "www.fincen.gov/base"}
PERSON = {
    "first_name": "Teodor",
    "middle_name": "J.",
    "last_name": "Kor\x0bbutski & Sons",
    "date_of_birth": "1961-03-14",
    "sex": "male",
    "tax_id": "123-45-6789",
    "email": "t@example.org",
    "phone": "+1 (518) 555-0100",
    "address": {
        "street_1": "1 Quay",
        "street_2": "Unit 2",
        "city": "Dover",
        "state": "Delaware",
        "postal_code": "19901-1234",
        "country_code": "US",
    },
}
BUSINESS = {
    "registered_business_name": "Northwind Trading Limited",
    "business_name": "Northwind",
    "tin_number": ["DE 811 234"],
    "industry": "Shipping",
    "website": "https://northwind.example",
    "address_of_operation": {
        "street_1": "1 Quay",
        "city": "Bonn",
        "country_code": "DE",
    },
}


@pytest.fixture
def ana():
    one_person()
    return someone(roles.ANALYST, "ana")


@pytest.fixture
def sven():
    return someone(roles.SENIOR, "sven")


def business() -> Case:
    return open_case(failing=True, self_attested_data=BUSINESS, country="DE")


def person(**data: object) -> Case:
    return open_case(
        failing=True, kind="kyc", subject="Teodor", country="US",
        self_attested_data={**PERSON, **data},
    )  # fmt: skip


def tree_of(report: SuspicionReport) -> Any:
    tree = etree.fromstring(batch.xml(report))
    SCHEMA.assertValid(tree)
    return tree


def text(tree: Any, path: str) -> list[str]:
    return [element.text for element in tree.findall(path, NAMESPACES)]


def subject(tree: Any) -> Any:
    [party] = [
        party
        for party in tree.iterfind(".//f:Party", NAMESPACES)
        if party.findtext("f:ActivityPartyTypeCode", None, NAMESPACES) == "33"
    ]
    return party


def test_from_the_draft_to_the_file(client, ana, sven):
    one_filer()
    case = business()
    client.force_login(ana)
    client.post(f"/cases/{case.pk}/suspicion/", {"noticed_on": "2026-03-01"})
    report = SuspicionReport.objects.get()
    address = f"/suspicion/{report.pk}/"
    page = client.get(address).content.decode()
    assert "No file can be made yet" in page
    assert "Relationship of the subject" in page
    form = {
        "text": [row["text"] for row in report.sentences],
        "evidence": [row["evidence"] for row in report.sentences],
        "revision": report.revision,
        "act": "propose",
        "fincen": "1",
        **FACTS,
        "activity": ["403", "4999", "evil"],
    }
    form["relationship"] = ""
    refused = client.post(address, form)
    assert refused.status_code == 422
    assert (
        "What “other” means: Identification/documentation" in refused.content.decode()
    )
    report.refresh_from_db()
    assert report.status == "draft"
    form |= {
        "relationship": "borrower",
        "other-4": "Altered year",
        "revision": report.revision,
    }
    assert client.post(address, form).status_code == 303

    client.force_login(sven)
    page_text = words(client, address)
    assert "Identification/documentation: Other (Altered year)" in page_text
    assert "2026-01-05 / 2026-02-01" in page_text
    report.refresh_from_db()
    assert client.get(f"{address}fincen.xml").status_code == 422
    client.post(f"{address}act/", {"act": "agree", "revision": report.revision})
    file = client.get(f"{address}fincen.xml")
    assert file["Content-Disposition"] == f'attachment; filename="SARX-{report.pk}.xml"'
    tree = etree.fromstring(file.content)
    SCHEMA.assertValid(tree)
    assert text(tree, ".//f:SuspiciousActivitySubtypeID") == ["403", "4999"]
    assert text(tree, ".//f:OtherSuspiciousActivityTypeText") == ["Altered year"]
    assert (tree.get("TotalAmount"), tree.get("PartyCount")) == ("12500", "1")
    [line] = CaseEvent.objects.filter(what="suspicion_taken")
    assert line.case is None
    assert line.data == {"report": report.pk, "form": "FinCEN"}


def test_a_person_as_the_subject(ana, sven):
    one_filer()
    tree = tree_of(approved(person(), ana, sven, "His papers differ."))
    party = subject(tree)
    assert text(party, "f:PartyName/f:RawEntityIndividualLastName") == [
        "Kor butski & Sons"
    ]
    assert text(party, "f:IndividualBirthDateText") == ["19610314"]
    assert text(party, "f:Address/f:RawStateCodeText") == ["DE"]
    assert text(party, "f:Address/f:RawZIPCode") == ["199011234"]
    assert text(party, "f:Address/f:RawStreetAddress1Text") == ["1 Quay Unit 2"]
    assert text(party, "f:PartyIdentification/f:PartyIdentificationNumberText") == [
        "123456789"
    ]
    assert text(party, "f:PartyIdentification/f:PartyIdentificationTypeCode") == ["1"]
    assert text(party, "f:PhoneNumber/f:PhoneNumberText") == ["15185550100"]
    assert text(party, "f:PartyAssociation/f:CustomerIndicator") == ["Y"]
    assert text(tree, ".//f:ActivityNarrativeText") == ["His papers differ."]


def test_a_business_as_the_subject(ana, sven):
    one_filer()
    party = subject(tree_of(approved(business(), ana, sven)))
    assert text(party, "f:PartyAsEntityOrganizationIndicator") == ["Y"]
    assert text(party, "f:PartyName/f:RawEntityIndividualLastName") == [
        "Northwind Trading Limited"
    ]
    assert text(party, "f:PartyName/f:RawPartyFullName") == ["Northwind"]
    assert text(party, "f:PartyIdentification/f:PartyIdentificationTypeCode") == ["9"]
    # A German address has no state on the form, and its postal code was not attested.
    assert text(party, "f:Address/f:StateCodeUnknownIndicator") == []
    assert text(party, "f:Address/f:ZIPCodeUnknownIndicator") == ["Y"]


def test_what_is_not_known_is_said_by_the_form(ana, sven):
    one_filer()
    case = open_case(failing=True, kind="kyc", subject="Teodor", self_attested_data={})
    report = approved(case, ana, sven, "x", amount="unknown", dollars="")
    tree = tree_of(report)
    party = subject(tree)
    unknown = {
        etree.QName(element).localname
        for element in tree.iter()
        if "Unknown" in str(element.tag)
    }
    assert unknown == {
        "AmountUnknownIndicator", "BirthDateUnknownIndicator", "CityUnknownIndicator",
        "CountryCodeUnknownIndicator", "FirstNameUnknownIndicator",
        "IdentificationPresentUnknownIndicator", "StreetAddressUnknownIndicator",
        "TINUnknownIndicator", "UnknownGenderIndicator", "ZIPCodeUnknownIndicator",
    }  # fmt: skip
    assert text(party, "f:PartyName/f:RawEntityIndividualLastName") == ["Teodor"]
    assert tree.get("TotalAmount") == "0"
    assert text(tree, ".//f:TotalSuspiciousAmountText") == []


def test_a_continuing_report_names_the_earlier_one_and_the_sum(ana, sven):
    one_filer()
    case = business()
    with pytest.raises(RefusedError) as refused:
        approved(case, ana, sven, kind="continuing")
    assert "Number of the earlier report; Amount of all reports together" in str(
        refused.value
    )
    SuspicionReport.objects.all().delete()
    number = "31000123456789"
    tree = tree_of(
        approved(
            case, ana, sven, kind="continuing", prior_number=number,
            cumulative_dollars="90000",
        )
    )  # fmt: skip
    assert text(tree, ".//f:EFilingPriorDocumentNumber") == [number]
    assert text(tree, ".//f:ContinuingActivityReportIndicator") == ["Y"]
    assert text(tree, ".//f:CumulativeTotalViolationAmountText") == ["90000"]


def test_a_long_narrative_stands_in_parts(ana, sven):
    one_filer()
    texts = [f"{number} " + "a bc " * 180 for number in range(18)]
    texts = [" ".join(line.split()) for line in texts]
    case = business()
    report = approved(case, ana, sven, *texts)
    tree = tree_of(report)
    page_text = text(tree, ".//f:ActivityNarrativeText")
    assert len(page_text) == 5
    assert "".join(page_text) == " ".join(texts)
    assert text(tree, ".//f:ActivityNarrativeSequenceNumber") == list("12345")
    SuspicionReport.objects.all().delete()
    with pytest.raises(RefusedError, match="At most 17,000"):
        approved(case, ana, sven, *texts, "b" * 900, "c" * 900)


def test_without_an_institution_all_is_as_before(client, ana, sven, settings):
    settings.GOAML_ENTITY_ID = 7
    report = approved(business(), ana, sven, "x")
    client.force_login(ana)
    page = client.get(f"/suspicion/{report.pk}/").content.decode()
    assert "FinCEN" not in page
    answer = client.get(f"/suspicion/{report.pk}/fincen.xml")
    assert answer.status_code == 422
    assert "Everything about the institution" in answer.content.decode()
    assert client.get(f"/suspicion/{report.pk}/report.xml").status_code == 200


@pytest.mark.parametrize("field", sorted(set(FILER) - {"name"}))
def test_what_is_missing_of_the_institution_is_named(ana, sven, field):
    one_filer()
    report = approved(business(), ana, sven, "x")
    ReportingInstitution.objects.update(**{field: ""})
    with pytest.raises(RefusedError, match="Of the installation: "):
        batch.xml(report)
    assert len(batch.missing(report)) == 1


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"prior_number": "1"}, "14 digits"),
        ({"first_day": "2026-13-01"}, "cannot be read as a date"),
        ({"first_day": "2026-W02-1"}, "cannot be read as a date"),
        ({"first_day": "2999-01-01"}, "has not come yet"),
        ({"first_day": "1812-01-01"}, "before 1900"),
        ({"last_day": "2025-01-01"}, "ends before it begins"),
        ({"dollars": "1,000"}, "whole US dollars"),
        ({"dollars": "-5"}, "whole US dollars"),
        ({"relationship": "CustomerIndicator"}, "no such relationship"),
        ({"role": "x"}, "no such role"),
        ({"kind": "x"}, "no such kind"),
        ({"amount": "x"}, "no such answer"),
        ({"amount_evidence": "check:none"}, "no such evidence"),
        ({"other_relationship": "x" * 51}, "at most 50"),
        ({"other_activities": {"4": "x" * 51}}, "at most 50"),
    ],
)
def test_what_is_wrong_is_said_in_words(change, fault):
    stated = Facts.of({**FACTS, **change})
    [words] = facts.faults(stated, {"data"})
    assert fault in words


@pytest.mark.parametrize(
    "row", [None, [], "x", {"activities": "403", "kind": 5}, {"other_activities": [1]}]
)
def test_what_was_erased_or_is_hidden_is_empty(row):
    assert Facts.of(row) == Facts()


def test_over_rest(ana, sven):
    one_filer()
    case = business()
    caller = Caller(ana)
    body = caller.post(
        f"/cases/{case.pk}/suspicion-reports", {"noticed_on": "2026-03-01"}
    ).json()
    assert "Kinds of activity" in body["fincen_missing"]
    address = f"/suspicion-reports/{body['id']}"
    data = {
        "sentences": [{"text": "Odd.", "evidence": "data"}],
        "revision": body["revision"],
    }
    unknown = caller.call("patch", address, {**data, "fincen": {"activities": [1]}})
    assert unknown.status_code == 422
    saved = caller.call("patch", address, {**data, "fincen": FACTS}).json()
    assert saved["fincen_missing"] == []
    assert saved["fincen"]["activities"] == [403, 905]
    # Who sends sentences alone changes nothing else.
    data["revision"] = saved["revision"]
    saved = caller.call("patch", address, data).json()
    assert saved["fincen"]["dollars"] == "12500"
    early = caller.get(f"{address}/fincen")
    assert (early.status_code, "second person" in early.json()["detail"]) == (422, True)
    act = {"act": "propose", "revision": saved["revision"]}
    proposed = caller.post(f"{address}/act", act).json()
    act = {"act": "agree", "revision": proposed["revision"]}
    Caller(sven).post(f"{address}/act", act)
    file = caller.get(f"{address}/fincen")
    assert file["Content-Type"] == "application/xml"
    SCHEMA.assertValid(etree.fromstring(file.sent))


def test_what_was_stated_is_bound_to_the_trail(ana, sven):
    one_filer()
    report = approved(business(), ana, sven, "x")
    trail.seal_all()
    table = "reviews_suspicionreport"
    assert not [row for row in verification.faults() if row.startswith(table)]
    report.fincen = {**report.fincen, "dollars": "1"}
    report.save(update_fields=["fincen"])
    assert [row for row in verification.faults() if row.startswith(table)]


def test_the_installation_enters_its_own_data(client):
    owner = someone(roles.RULE_OWNER, "rita")
    client.force_login(owner)
    page = "/reporting-institution/"
    assert client.get(page).status_code == 200
    wrong = client.post(page, {**FILER, "transmitter_code": "pbsa-1", "tin": "12"})
    assert wrong.status_code == 422
    assert "Eight capital letters and digits" in wrong.content.decode()
    assert not ReportingInstitution.objects.exists()
    assert client.post(page, {"name": "Fjord Bank"}).status_code == 303
    assert "No file can be made yet" in client.get(page).content.decode()
    assert client.post(page, FILER).status_code == 303
    assert "Files can be made" in client.get(page).content.decode()
    line = CaseEvent.objects.filter(what="setting_changed").latest("id")
    # Old and new, by name.
    assert line.data["changes"]["name"] == ["Fjord Bank", "Fjord Bank N.A."]
    assert line.data["changes"]["transmitter_code"] == ["", "PBSA1234"]
    for role in (roles.ANALYST, roles.ADMINISTRATOR, roles.AUDITOR):
        client.force_login(someone(role))
        assert client.get(page).status_code == 403
        assert client.post(page, FILER).status_code == 403


def test_facts_that_somebody_else_has_changed_are_not_replaced_unseen(client):
    client.force_login(someone(roles.RULE_OWNER, "rita"))
    page = "/reporting-institution/"
    client.post(page, FILER)
    opened = opened_state(client.get(page))
    assert client.post(page, {**FILER, "street": "9 New Street"}).status_code == 303
    older = {**FILER, "city": "Boston", "opened_state": opened}
    answer = client.post(page, older)
    assert answer.status_code == 409
    assert "9 New Street" in answer.content.decode()
    assert ReportingInstitution.objects.get().street == "9 New Street"
    again = {**older, "opened_state": opened_state(answer)}
    assert client.post(page, again).status_code == 303
    assert ReportingInstitution.objects.get().city == "Boston"


def test_a_second_person_approves_it_where_rules_need_one(client, settings):
    settings.SETTINGS_FOUR_EYES = {"rules"}
    client.force_login(someone(roles.RULE_OWNER, "rita"))
    assert client.post("/reporting-institution/", FILER)["Location"] == "/approvals/"
    assert not ReportingInstitution.objects.exists()
    proposals.approve(Proposal.objects.get(), actor=someone(roles.RULE_OWNER, "otto"))
    assert ReportingInstitution.objects.get().transmitter_code == "PBSA1234"


names = st.text(max_size=200)
places = st.fixed_dictionaries(
    {},
    optional={
        "street_1": names,
        "city": names,
        "state": st.sampled_from(["NY", "new york", "Bayern", "", "x" * 40]),
        "postal_code": st.text(max_size=14),
        "country_code": st.sampled_from(["US", "de", "MX", "", "ZZ", "Canada"]),
    },
)
people = st.fixed_dictionaries(
    {},
    optional={
        "first_name": names,
        "last_name": names,
        "middle_name": names,
        "date_of_birth": st.sampled_from(["1961-03-14", "0001-01-01", "x", ""]),
        "sex": st.sampled_from(["female", "male", "other", ""]),
        "tax_id": st.text(max_size=40),
        "phone": names,
        "email": names,
        "title": names,
        "address": places,
    },
)
businesses = st.fixed_dictionaries(
    {},
    optional={
        "business_name": names,
        "registered_business_name": names,
        "tin_number": st.lists(names, max_size=2),
        "website": names,
        "industry": names,
        "address_of_operation": places,
        "address_of_incorporation": places,
    },
)
stated_facts = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(facts.KINDS),
        "activities": st.lists(
            st.sampled_from(sorted(codes.ACTIVITIES)), min_size=1, unique=True
        ),
        "amount": st.sampled_from(facts.AMOUNTS),
        "relationship": st.sampled_from(sorted(codes.RELATIONSHIPS)),
        "role": st.sampled_from(["", *codes.ROLES]),
    }
)


@hypothesis_settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    kyc=st.booleans(), of_person=people, of_business=businesses, made=stated_facts,
    kind=st.sampled_from([code for code, _label in codes.INSTITUTIONS]),
)  # fmt: skip
def test_every_file_holds_against_the_form(
    ana, sven, kyc, of_person, of_business, made, kind
):
    ReportingInstitution.objects.all().delete()
    one_filer(kind=kind, other_kind="Credit union")
    others = {str(category.code): "In words" for category in codes.CATEGORIES}
    stated = Facts.of(
        {
            **FACTS, **made, "prior_number": "0" * 14, "cumulative_dollars": "9",
            "other_relationship": "Neighbour", "other_activities": others,
        }
    )  # fmt: skip
    case = Case(
        kind="kyc" if kyc else "kyb",
        subject="Teodor",
        country="US",
        self_attested_data=of_person if kyc else of_business,
    )
    report = SuspicionReport(
        case=case, status="approved", fincen=stated.to_json(),
        sentences=[{"text": "Odd.", "evidence": "data"}],
    )  # fmt: skip
    tree_of(report)


def test_a_draft_of_an_installation_that_does_not_file_needs_no_facts(ana):
    case = business()
    report = suspicion.begin(case, actor=ana, noticed_on=case.created_at.date())
    suspicion.propose(report, actor=ana, revision=report.revision)
    report.refresh_from_db()
    assert report.status == "proposed"


def test_the_page_names_what_is_too_long_for_the_form(client, ana, sven):
    name = " ".join(["Wolfeschlegelsteinhausen"] * 3)
    one_filer()
    case = open_case(
        failing=True,
        kind="kyc",
        subject="Teodor",
        self_attested_data={**PERSON, "first_name": name},
    )
    report = suspicion.begin(case, actor=ana, noticed_on=date(2026, 3, 1))
    client.force_login(ana)
    page = words(client, f"/suspicion/{report.pk}/")
    # A person writes the whole of it in a sentence.
    assert f"Write the whole of them in a sentence: {name}" in page
    assert "Kor" not in page[page.index("Write the whole") :][:150]


UNFIT = {
    "first_name": ["Teodor", "Theodore"],
    "date_of_birth": "14.03.1961",
    "sex": "X",
    "address": {
        "street_1": "1 Quay",
        "city": "Dover",
        "state": "Delaware State",
        "postal_code": "19901-1234-567",
        "country_code": "US",
    },
    "phone": "n/a",
}
UNFIT_ROWS = [
    ("State", "Delaware State"),
    ("Postal code", "19901-1234-567"),
    ("Phone", "n/a"),
    ("First name", "Theodore"),
    ("Date of birth", "14.03.1961"),
    ("Sex", "X"),
]


def test_what_the_form_does_not_take_is_named_and_drafted(client, ana, sven):
    """The file says "unknown" of a value that was attested: people must know, and state it."""
    one_filer()
    case = person(**UNFIT)
    assert unfit.values(case) == UNFIT_ROWS
    report = suspicion.begin(case, actor=ana, noticed_on=date(2026, 3, 1))
    texts = [row["text"] for row in report.sentences]
    assert "Date of birth as attested: 14.03.1961." in texts
    client.force_login(ana)
    address = f"/suspicion/{report.pk}/"
    assert "FinCEN's form does not take" not in words(client, address)
    kept = [Sentence(text, "data") for text in texts if "14.03.1961" not in text]
    report = suspicion.save(report, kept, actor=ana, revision=report.revision)
    page = words(client, address)
    # Only what stands in no sentence.
    assert "as it was attested: Date of birth: 14.03.1961" in page
    assert "Theodore" not in page[page.index("as it was attested") :][:60]


def test_a_second_address_does_not_fit(ana):
    one_filer()
    incorporation = {"street_1": "9 Alley", "city": "Ulm", "country_code": "DE"}
    case = open_case(
        self_attested_data={**BUSINESS, "address_of_incorporation": incorporation}
    )
    assert unfit.values(case) == [("Address of incorporation", "9 Alley, Ulm, DE")]


def test_a_paper_without_a_kind_does_not_fit(ana):
    one_filer()
    paper: dict[str, object] = {"document_number": "X1", "issuing_country": "Atlantis"}
    for member in reversed(OF_ID):
        paper = {member: paper}
    assert unfit.values(person(**paper)) == [
        ("Document number", "X1"),
        ("Issuing country", "Atlantis"),
    ]


@pytest.mark.parametrize("make", [person, business])
def test_all_that_fits_is_not_named(ana, make):
    one_filer()
    assert unfit.values(make()) == []


def test_facts_that_two_people_state_at_once_are_not_lost(client, ana, sven):
    one_filer()
    report = suspicion.begin(business(), actor=ana, noticed_on=date(2026, 3, 1))
    form = {
        "text": [row["text"] for row in report.sentences],
        "evidence": [row["evidence"] for row in report.sentences],
        "revision": report.revision,
        "act": "save",
        "fincen": "1",
        **FACTS,
        "activity": ["905"],
    }
    theirs = Facts.of({**FACTS, "activities": [403], "relationship": "borrower"})
    suspicion.save(
        report, [Sentence("Theirs.", "data")], actor=ana, revision=report.revision,
        stated=theirs,
    )  # fmt: skip
    client.force_login(ana)
    answer = client.post(f"/suspicion/{report.pk}/", form)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Other suspicious activities: Identity theft</textarea>" in page
    assert "Relationship of the subject: Customer</textarea>" in page
    # What is the same for both is not told.
    assert "Days and amount: 2026-01-05" not in page
