"""A suspicious activity report: drafted with its evidence, approved by a second person, filed, told to nobody."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.utils.timezone import now
from lxml import etree

from compliance.models import LocalePreference
from compliance.security.personal_fields import sealed
from reviews import results
from reviews.access import roles
from reviews.audit import trail, verification
from reviews.decisions import decisions
from reviews.filings import goaml, suspicion
from reviews.filings.stored_sentences import Sentence
from reviews.findings import dismissals, matches
from reviews.findings.review_state import ReviewState
from reviews.inbox import notifications
from reviews.models import Case, CaseEvent, Decision, SuspicionReport, Team
from reviews.privacy import subject_export
from tests.reviews.api.calling import Caller
from tests.reviews.filings.fincen_rows import agreed, approved
from tests.reviews.pages.case.rows import add_check_result, reviewed_case, words
from tests.reviews.risk.rows import add_screening, hit
from tests.reviews.rows import (
    add_risky_document,
    decide,
    one_person,
    open_case,
    someone,
)

pytestmark = pytest.mark.django_db
SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).parent / "goaml.xsd"))
HIT_BY_NUMBER = (
    "1 hit. Same number: “BLUE HERON” on List (X): score 0.01, and identifier and country"
    " agree."
)
PERSON = {
    "first_name": "Teodor",
    "last_name": "Kor\x0bbutski & Sons",
    "date_of_birth": "1961-03-14",
    "country_of_nationality": "by",
    "address": {"street_1": "1 Quay", "city": "Limassol", "country_code": "CY"},
}
BUSINESS = {
    "business_name": "Northwind Ltd",
    "business_registration_number": ["HRB 1"],
    "incorporation_date": "2010-01-02",
    "address_of_incorporation": {"street_1": "1 Quay", "city": "Bonn"},
}


@pytest.fixture
def case():
    one_person()
    case = open_case(failing=True, self_attested_data=BUSINESS, country="DE")
    add_risky_document(case)
    return case


@pytest.fixture
def ana(client):
    user = someone(roles.ANALYST, "ana")
    client.force_login(user)
    return user


def act_values(report: SuspicionReport, act: str, **more: str) -> dict[str, Any]:
    report.refresh_from_db()
    texts = [row["text"] for row in report.sentences]
    keys = [row["evidence"] for row in report.sentences]
    form: dict[str, Any] = {
        "text": texts,
        "evidence": keys,
        "revision": report.revision,
        "act": act,
    }
    return form | more


def test_a_proposal_is_not_told_as_a_decision(client, ana):
    case = open_case(failing=True, self_attested_data=BUSINESS, country="DE")
    add_risky_document(case)
    sven = someone(roles.SENIOR, "sven")
    proposal = decide(case, ana, "reject")
    assert proposal.status == "proposed"
    told = _drafted(client, case)
    assert "We rejected" not in told
    assert "An analyst proposed to reject the case on" in told
    assert "A second person has not agreed yet." in told
    case.refresh_from_db()
    decisions.second(
        proposal, actor=sven, agrees=True, note="Seen.", revision=case.revision
    )
    told = _drafted(client, case)
    assert "We rejected the case on" in told
    assert "proposed" not in told
    case.refresh_from_db()
    decisions.reopen(case, actor=sven, reason="New facts.", revision=case.revision)
    told = _drafted(client, case)
    assert "We rejected the case on" in told
    assert "The case was opened again after that." in told


def test_the_narrative_keeps_the_letters_of_the_reasons(client, ana):
    case = open_case(failing=True, self_attested_data=BUSINESS, country="DE")
    proposal = decide(case, ana, "reject")
    Decision.objects.filter(pk=proposal.pk).update(
        reasons=[["R1", "EIN of another company"], ["R2", "Seat at a Regus office"]]
    )
    assert ": EIN of another company, seat at a Regus office." in _drafted(client, case)


def test_the_narrative_quotes_no_score(client, ana):
    case, job = reviewed_case(self_attested_data=PERSON)
    for number, (check_id, why) in enumerate(
        (
            ("kyb.sanctions_screening_check_v2", HIT_BY_NUMBER),
            ("kyb.adverse_media_screening_check", "2 hits. On List: score 0.87."),
            ("kyb.business_name_match", "Attested “A”, Zone “B”: similarity 0.26."),
            ("kyb.registration_number", "The register names C (similarity 0.31)."),
        )
    ):
        result = {"passed": False, "explanation": why, "number": number}
        add_check_result(job, result, check_id=check_id)
    told = _drafted(client, case)
    assert "“BLUE HERON” on List (X): identifier and country agree." in told
    assert "2 hits. On List." in told
    assert "Attested “A”, Zone “B”: the names differ." in told
    assert "The register names C." in told
    assert not re.search(r"score|similarity|\d\.\d", told)


def test_the_narrative_has_no_word_to_the_desk(client, ana):
    case, job = reviewed_case(self_attested_data=BUSINESS)
    why = "The document is valid. Differs from the data: Jurisdiction. A person must look at it."
    result = {"passed": False, "explanation": why}
    check_id = "kyb.incorporation_document_verification"
    add_check_result(job, result, check_id=check_id)
    told = _drafted(client, case)
    assert "Differs from the data: Jurisdiction." in told
    assert "must look" not in told


def test_the_narrative_has_the_day_of_each_check_and_what_people_said(client, ana):
    """ "Expired 3 days ago" is not true any more for who reads the report later."""
    case, job = reviewed_case(self_attested_data=PERSON)
    with time_machine.travel("2026-03-09T08:00Z", tick=False):
        result = {"passed": False, "explanation": "The document expired 3 days ago."}
        add_check_result(job, result, check_id="kyc.government_id_expiry")
    hits = [hit("possible", "Northwind Limited"), hit("strong", "N. Wind")]
    hits[1]["entry"] = {**hits[0]["entry"], "id": "another"}
    add_screening(job, *hits)
    told = _drafted(client, case)
    assert "expired 3 days ago. We checked this on 2026-03-09." in told
    assert "A reviewer" not in told
    state = ReviewState.of(case)
    other, same = [row for part in state.parts for row in part.findings]
    key = state.dismissed.key(other)
    dismissals.dismiss(case, other, key=key, actor=ana, reason="Another company")
    assert isinstance(same, results.Hit)
    matches.confirm(case, same, actor=ana)
    told = _drafted(client, case)
    assert "A reviewer dismissed “Northwind Limited”: Another company." in told
    assert "A reviewer confirmed the match with “N. Wind”." in told


def _drafted(client, case) -> str:
    SuspicionReport.objects.all().delete()
    client.post(f"/cases/{case.pk}/suspicion/", {"noticed_on": "2026-03-01"})
    report = SuspicionReport.objects.get()
    return " ".join(row["text"] for row in report.sentences)


@pytest.mark.parametrize(
    ("zone", "today"),
    [("Pacific/Auckland", "2026-12-02"), ("America/New_York", "2026-12-01")],
)
def test_today_is_the_day_of_the_desk(zone, today, client, case, ana, settings):
    """It is still 1 December in New York, and was 2 December in Auckland for half a day."""
    settings.TIME_ZONE = zone
    hour = 20 if zone == "Pacific/Auckland" else 3
    moment = datetime(2026, 12, 1 + (hour == 3), hour, tzinfo=UTC)
    with time_machine.travel(moment, tick=False):
        client.force_login(ana)
        page = client.get(f"/cases/{case.pk}/suspicion/").content.decode()
        assert f'max="{today}" value="{today}"' in page
        client.post(f"/cases/{case.pk}/suspicion/", {"noticed_on": today})
        assert str(SuspicionReport.objects.get().noticed_on) == today
        SuspicionReport.objects.update(due_on=today)
        assert "overdue" not in client.get("/suspicion/").content.decode().lower()


def test_from_the_case_to_the_receipt(client, case, ana, settings):
    settings.GOAML_ENTITY_ID = 1234
    decide(case, ana, "reject")
    client.post(f"/cases/{case.pk}/suspicion/", {"noticed_on": "2026-03-01"})
    report = SuspicionReport.objects.get()
    assert str(report.due_on) == "2026-03-31"
    drafted = {row["evidence"]: row["text"] for row in report.sentences}
    # Each sentence has its evidence, and the page leads to it.
    assert all(drafted)
    assert "Sanctions screening" in drafted["check:kyb.sanctions_screening_check_v2"]
    assert "We rejected the case" in " ".join(drafted.values())
    # An authority reads the name of the country, and no code.
    assert " (country: Germany), applied on " in drafted["data"]
    page = client.get(f"/suspicion/{report.pk}/").content.decode()
    assert f"/cases/{case.pk}/?check=kyb.sanctions_screening_check_v2" in page

    address = f"/suspicion/{report.pk}/"
    edited = act_values(report, "propose")
    edited["text"] = [*edited["text"], "Three companies have this address."]
    edited["evidence"] = [*edited["evidence"], ""]
    refused = client.post(address, edited)
    assert refused.status_code == 422
    assert "Each sentence names its evidence." in refused.content.decode()
    # What was typed is kept as a draft.
    assert client.post(address, edited).status_code == 409
    edited = act_values(report, "propose")
    edited["evidence"] = [*edited["evidence"][:-1], "data"]
    assert client.post(address, edited).status_code == 303
    own = client.post(f"{address}act/", act_values(report, "agree"))
    assert own.status_code == 403  # an analyst is no second person

    client.force_login(someone(roles.SENIOR, "sven"))
    # Enter in the note presses the first button, which is disabled: it neither agrees nor returns.
    page = client.get(address).content.decode()
    form = page[page.index(f'action="{address}act/"') :]
    assert form[form.index("<button") :].startswith(
        '<button type="submit" hidden disabled></button>'
    )
    back = client.post(f"{address}act/", act_values(report, "return"))
    assert "Say what is to be done" in back.content.decode()
    assert client.get(f"{address}report.xml").status_code == 422
    client.post(f"{address}act/", act_values(report, "agree", note="Good."))
    file = client.get(f"{address}report.xml")
    SCHEMA.assertValid(etree.fromstring(file.content))
    assert b"Three companies have this address." in file.content
    client.post(f"{address}act/", act_values(report, "file", receipt="FIU-77"))
    report.refresh_from_db()
    assert (report.status, report.receipt) == ("filed", "FIU-77")
    # A second report of the case knows of the first one.
    client.post(f"/cases/{case.pk}/suspicion/", {"noticed_on": "2026-03-02"})
    newest = SuspicionReport.objects.first()
    assert newest is not None
    assert "receipt FIU-77" in newest.sentences[-1]["text"]
    assert "FIU-77" in words(client, "/suspicion/")


def test_what_two_people_write_at_once_is_not_lost(client, case, ana):
    report = suspicion.begin(case, actor=ana, noticed_on=now().date())
    form = act_values(report, "save")
    mine = {
        **form,
        "text": [*form["text"], "Mine."],
        "evidence": [*form["evidence"], "data"],
    }
    suspicion.save(
        report, [Sentence("Theirs.", "data")], actor=ana, revision=report.revision
    )
    answer = client.post(f"/suspicion/{report.pk}/", mine)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Theirs." in page
    assert "What you wrote was not stored" in page
    assert "Mine.</textarea>" in page


def test_a_report_that_was_given_up_is_not_overdue(client, case, ana):
    report = suspicion.begin(case, actor=ana, noticed_on=now().date())
    SuspicionReport.objects.update(due_on="2026-01-01")
    assert "(overdue)" in words(client, f"/suspicion/{report.pk}/")
    suspicion.withdraw(report, actor=ana, revision=report.revision)
    assert "(overdue)" not in words(client, f"/suspicion/{report.pk}/")


def test_an_approved_report_that_the_authority_refuses_can_be_corrected(
    client, case, ana, settings
):
    settings.GOAML_ENTITY_ID = 1234
    sven = someone(roles.SENIOR, "sven")
    report = approved(case, ana, sven, "The papers differ.")
    address = f"/suspicion/{report.pk}/"
    client.force_login(sven)
    assert "Send it back" in words(client, address)
    act = act_values(report, "return", note="The authority refused the file.")
    assert client.post(f"{address}act/", act).status_code == 303
    report.refresh_from_db()
    assert report.status == "draft"
    assert kinds(ana) == ["report_back"]
    assert client.get(f"{address}report.xml").status_code == 422
    # Again by two people, and what was filed stays as it is.
    report = agreed(report, ana, sven, "The papers of 2026 differ.")
    suspicion.file(report, actor=ana, receipt="7", revision=report.revision)
    act = act_values(report, "return", note="Too late.")
    assert client.post(f"{address}act/", act).status_code == 409


def test_a_file_is_not_made_of_erased_data(client, case, ana, settings):
    settings.GOAML_ENTITY_ID = 1234
    report = approved(case, ana, someone(roles.SENIOR, "sven"), "The papers differ.")
    suspicion.file(report, actor=ana, receipt="7", revision=report.revision)
    Case.objects.update(erased_at=now(), self_attested_data={}, subject="")
    answer = client.get(f"/suspicion/{report.pk}/report.xml")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "The personal data of this case were erased." in page
    assert f'href="/suspicion/{report.pk}/report.xml"' not in page


def test_the_file_stays_as_it_was_approved(client, case, ana, settings):
    """Data change after the approval: the authority has the file of the approval."""
    settings.GOAML_ENTITY_ID = 1234
    sven = someone(roles.SENIOR, "sven")
    report = approved(case, ana, sven, "The papers differ.")
    address = f"/suspicion/{report.pk}/"
    assert "Its files have the data of the approval" not in words(client, address)
    data = {**BUSINESS, "business_name": "Renamed Ltd"}
    Case.objects.filter(pk=case.pk).update(
        self_attested_data=sealed(case, "self_attested_data", data)
    )
    settings.GOAML_CURRENCY = "CHF"
    # Two people see that it is outdated, and may have the new data approved.
    assert "Its files have the data of the approval" in words(client, address)
    first = client.get(f"{address}report.xml").content
    assert b"Northwind Ltd" in first
    suspicion.file(report, actor=ana, receipt="7", revision=report.revision)
    assert client.get(f"{address}report.xml").content == first
    assert "Its files have the data of the approval" not in words(client, address)
    # What is kept is bound to the trail.
    trail.seal_all()
    table = "reviews_suspicionreport"
    assert not [row for row in verification.faults() if row.startswith(table)]
    report.refresh_from_db()
    report.files = {"goAML": "<report/>"}
    report.save(update_fields=["files"])
    assert [row for row in verification.faults() if row.startswith(table)]


def test_a_report_that_is_approved_again_has_the_new_data(client, case, ana, settings):
    settings.GOAML_ENTITY_ID = 1234
    sven = someone(roles.SENIOR, "sven")
    report = approved(case, ana, sven, "The papers differ.")
    data = {**BUSINESS, "business_name": "Renamed Ltd"}
    Case.objects.filter(pk=case.pk).update(
        self_attested_data=sealed(case, "self_attested_data", data)
    )
    suspicion.second(
        report, actor=sven, agrees=False, note="New data.", revision=report.revision
    )
    report.refresh_from_db()
    assert report.files == {}
    report = agreed(report, ana, sven, "The papers differ.")
    assert b"Renamed Ltd" in client.get(f"/suspicion/{report.pk}/report.xml").content


def test_no_file_is_made_up_for_a_report_that_was_filed_without_one(
    client, case, ana, settings
):
    report = approved(case, ana, someone(roles.SENIOR, "sven"), "The papers differ.")
    assert report.files == {}
    suspicion.file(report, actor=ana, receipt="7", revision=report.revision)
    settings.GOAML_ENTITY_ID = 1234
    address = f"/suspicion/{report.pk}/"
    assert f'href="{address}report.xml"' not in client.get(address).content.decode()
    answer = client.get(f"{address}report.xml")
    assert answer.status_code == 422
    assert "No file of this form was kept" in answer.content.decode()


def kinds(user) -> list[str]:
    rows = notifications.inbox(user).filter(read_at=None)
    return [row.kind for row in rows]


def test_who_may_approve_hears_of_it_and_nobody_else(client, case, ana):
    sven, sara = someone(roles.SENIOR, "sven"), someone(roles.SENIOR, "sara")
    others = [someone(roles.ADMINISTRATOR, "root"), someone(roles.AUDITOR, "aud")]
    report = suspicion.begin(case, actor=ana, noticed_on=now().date())
    suspicion.propose(report, actor=ana, revision=report.revision)
    assert (kinds(sven), kinds(sara), kinds(ana)) == (["report"], ["report"], [])
    assert [kinds(user) for user in others] == [[], []]
    client.force_login(sven)
    page = words(client, "/inbox/")
    assert "ana asks you to approve a report" in page
    assert "suspicio" not in page[page.index("asks you") :].lower()
    line = notifications.inbox(sven).get()
    answer = client.post(f"/inbox/{line.pk}/open/")
    assert answer["Location"] == f"/cases/{case.pk}/suspicion/"

    report.refresh_from_db()
    suspicion.second(
        report, actor=sven, agrees=False, note="Why?", revision=report.revision
    )
    # The other one has nothing to do any more.
    assert (kinds(ana), kinds(sara)) == (["report_back"], [])
    report.refresh_from_db()
    suspicion.propose(report, actor=ana, revision=report.revision)
    report.refresh_from_db()
    suspicion.second(report, actor=sara, agrees=True, note="", revision=report.revision)
    assert set(kinds(ana)) == {"report_back", "report_ok"}
    api = Caller(ana).get("/inbox").json()["items"]
    assert {item["kind"] for item in api} == {"report_back", "report_ok"}
    report.refresh_from_db()
    suspicion.file(report, actor=ana, receipt="7", revision=report.revision)
    assert kinds(ana) == ["report_back"]


def test_who_may_no_longer_know_of_reports_has_no_line_of_them(case, ana):
    sven = someone(roles.SENIOR, "sven")
    report = suspicion.begin(case, actor=ana, noticed_on=now().date())
    suspicion.propose(report, actor=ana, revision=report.revision)
    assert kinds(sven) == ["report"]
    sven.groups.set(someone(roles.ADMINISTRATOR, "root").groups.all())
    assert kinds(User.objects.get(pk=sven.pk)) == []


def test_nobody_learns_of_it_by_the_case(client, case, ana):
    client.post(f"/cases/{case.pk}/suspicion/", {"noticed_on": "2026-03-01"})
    report = SuspicionReport.objects.get()
    lines = CaseEvent.objects.filter(what__startswith="suspicion")
    assert [line.case for line in lines] == [None]
    assert lines[0].data == {"report": report.pk, "status": "draft"}
    with subject_export.pack([case], actor=ana) as file:
        assert b"uspicion" not in file.read()
    assert "uspicion report" not in words(client, f"/cases/{case.pk}/report/")
    for role in (roles.INTEGRATOR, roles.ADMINISTRATOR, roles.RULE_OWNER):
        client.force_login(someone(role))
        assert client.get(f"/suspicion/{report.pk}/").status_code == 403
        assert "Suspicion" not in client.get(f"/cases/{case.pk}/").content.decode()
    # The rows are bound to the trail all the same.
    trail.seal_all()
    table = "reviews_suspicionreport"
    assert not [row for row in verification.faults() if row.startswith(table)]
    SuspicionReport.objects.update(receipt="x")
    assert [row for row in verification.faults() if row.startswith(table)]
    Team.objects.create(name="Others").connections.add(case.connection)
    client.force_login(someone(roles.SENIOR, "eva"))
    assert client.get(f"/suspicion/{report.pk}/").status_code == 404


def test_over_rest_of_a_person_with_hostile_names(settings):
    settings.GOAML_ENTITY_ID = 1234
    one_person()
    case = open_case(
        failing=True, kind="kyc", subject="Teodor", self_attested_data=PERSON
    )
    ana, sven = someone(roles.ANALYST, "ana"), someone(roles.SENIOR, "sven")
    caller = Caller(ana)
    late = (now() + timedelta(days=2)).date()
    address = f"/cases/{case.pk}/suspicion-reports"
    assert caller.post(address, {"noticed_on": str(late)}).status_code == 422
    body = caller.post(address, {"noticed_on": "2026-03-01"}).json()
    assert caller.post(address, {"noticed_on": "2026-03-01"}).status_code == 422
    address = f"/suspicion-reports/{body['id']}"
    rows = [{"text": "His papers & <name> differ.", "evidence": "check:none"}]
    change = {"sentences": rows, "revision": body["revision"]}
    assert caller.call("patch", address, change).status_code == 422
    rows[0]["evidence"] = body["evidence"][0]["key"]
    saved = caller.call("patch", address, change).json()
    assert caller.call("patch", address, change).status_code == 409
    act = {"act": "propose", "revision": saved["revision"]}
    proposed = caller.post(f"{address}/act", act).json()
    act = {"act": "agree", "revision": proposed["revision"]}
    assert caller.post(f"{address}/act", act).status_code == 403
    agreed = Caller(sven).post(f"{address}/act", act).json()
    assert (agreed["status"], agreed["second_by"]) == ("approved", "sven")
    content = goaml.xml(SuspicionReport.objects.get())
    tree = etree.fromstring(content)
    SCHEMA.assertValid(tree)
    assert tree.findtext(".//person/last_name") == "Korbutski & Sons"
    assert tree.findtext(".//person/nationality1") == "BY"
    assert tree.findtext(".//address/city") == "Limassol"
    assert tree.findtext("reason") == "His papers & <name> differ."


def test_goaml_has_a_country_by_name_both_lines_of_a_street_and_a_single_name(settings):
    settings.GOAML_ENTITY_ID = 1234
    one_person()
    data = {
        "first_name": "Suharto",
        "country_of_nationality": "Indonesia",
        "country_of_residence": "no",
        "address": {
            "street_1": "1 Quay",
            "street_2": "Flat 9",
            "city": "Oslo",
            "country_code": "Norway",
        },
    }
    case = open_case(
        failing=True, kind="kyc", subject="Suharto", self_attested_data=data
    )
    ana, sven = someone(roles.ANALYST, "ana"), someone(roles.SENIOR, "sven")
    report = approved(case, ana, sven, "His papers differ.")
    tree = etree.fromstring(goaml.xml(report))
    SCHEMA.assertValid(tree)
    person = tree.find(".//person")
    assert (person.findtext("first_name"), person.findtext("last_name")) == (
        "-",
        "Suharto",
    )
    assert person.findtext("nationality1") == "ID"
    assert person.findtext("residence") == "NO"
    assert person.findtext(".//address/address") == "1 Quay Flat 9"
    assert person.findtext(".//address/country_code") == "NO"


@time_machine.travel("2026-11-30T13:00:00Z", tick=False)
def test_a_day_that_has_begun_in_the_zone_of_the_person_has_come(client, case):
    """In Auckland it is the first of December already."""
    sen = someone("senior", "sen")
    LocalePreference.objects.create(user=sen, time_zone="Pacific/Auckland")
    client.force_login(sen)
    page = client.get(f"/cases/{case.pk}/suspicion/")
    assert 'max="2026-12-01" value="2026-12-01"' in page.content.decode()
    client.post(f"/cases/{case.pk}/suspicion/", {"noticed_on": "2026-12-02"})
    assert not SuspicionReport.objects.exists()
    client.post(f"/cases/{case.pk}/suspicion/", {"noticed_on": "2026-12-01"})
    assert str(SuspicionReport.objects.get().noticed_on) == "2026-12-01"
