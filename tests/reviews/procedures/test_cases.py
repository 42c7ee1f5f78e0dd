"""The checklist and the fields of a case: in the form, on its page, over REST, in report and pack."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils.timezone import now

from reviews.audit import trail, verification
from reviews.decisions import decisions
from reviews.models import Case, CaseEvent, ChecklistMark
from reviews.privacy import erasing
from reviews.procedures import checklists
from reviews.procedures.content import Content, FieldSpec, Item
from reviews.procedures.errors import RefusedError
from reviews.records import evidence_pack
from tests import factories
from tests.reviews.api.calling import Caller
from tests.reviews.periodic import rows as periodic
from tests.reviews.procedures.rows import CONTENT, give_procedure, procedure_in_force
from tests.reviews.rows import decide, one_person, open_case, someone, wish

pytestmark = pytest.mark.django_db
VALUES = {
    "custom.channel": "Web",
    "custom.turnover": "1200.50",
    "custom.visited_on": "2026-02-03",
    "custom.is_listed": "false",
    "custom.manager": "Bo",
}
STORED = {
    "channel": "Web",
    "turnover": 1200.5,
    "visited_on": "2026-02-03",
    "is_listed": False,
    "manager": "Bo",
}


@pytest.fixture
def ana(client):
    client.force_login(someone("analyst", "ana"))
    return client


@pytest.fixture
def case():
    one_person()
    case = open_case()
    give_procedure(case)
    return case


def assert_bound() -> None:
    """No mark was changed behind the trail."""
    trail.seal_all()
    start = "reviews_checklistmark "
    assert [line for line in verification.faults() if line.startswith(start)] == []


def text_of(answer) -> str:
    return " ".join(answer.content.decode().split())


def test_a_case_is_submitted_with_its_fields(ana):
    agent = factories.make_agent(factories.make_connection())
    procedure = procedure_in_force()
    page = text_of(ana.get("/cases/new/"))
    assert "Our own fields" in page
    assert "A year, in thousands" in page
    data = {"agent": agent.pk, "business_name": "Northwind", **VALUES}
    wrong = ana.post("/cases/new/", {**data, "custom.turnover": "much"})
    assert "Turnover must be a number." in text_of(wrong)
    assert ana.post("/cases/new/", data).status_code == 302 or Case.objects.exists()
    case = Case.objects.get()
    assert case.custom_fields == STORED
    assert (case.procedure, case.open_items) == (procedure, 2)
    # The service is sent nothing of it.
    assert case.self_attested_data == {"business_name": "Northwind"}


def test_a_required_field_is_wanted_by_the_form(ana):
    agent = factories.make_agent(factories.make_connection())
    procedure_in_force(Content(fields=(FieldSpec("sector", "Sector", required=True),)))
    data = {"agent": agent.pk, "business_name": "Northwind"}
    answer = ana.post("/cases/new/", data)
    assert "Sector: a value is needed." in text_of(answer)
    assert not Case.objects.exists()


def test_items_hold_the_decision_until_ticked_or_explained(ana, case):
    person = someone("analyst", "bo")
    for outcome in ("approve", "reject"):
        with pytest.raises(decisions.RefusedError) as refused:
            decide(case, person, outcome)
        assert (
            "On the checklist: Customer was called, File is complete."
            in refused.value.faults
        )
    page = text_of(ana.get(f"/cases/{case.pk}/?decide=approve"))
    assert page.count('name="ticked"') == 2
    tick = {"item": "called", "kind": "ticked"}
    assert ana.post(f"/cases/{case.pk}/checklist/", tick).status_code == 303
    empty = {"item": "filed", "kind": "explained", "note": "  "}
    answer = ana.post(f"/cases/{case.pk}/checklist/", empty)
    assert answer.status_code == 422
    assert "Explain why this is not needed: File is complete." in text_of(answer)
    ana.post(f"/cases/{case.pk}/checklist/", {**empty, "note": "Known for years."})
    page = text_of(ana.get(f"/cases/{case.pk}/?tab=checklist"))
    assert "2 of 3" in page
    assert "Known for years." in page
    assert "Ticked by" in page
    case.refresh_from_db()
    assert case.open_items == 0
    decide(case, person)
    case.refresh_from_db()
    assert case.status == Case.Status.DECIDED
    note = "The case was\ndecided meanwhile."
    late = ana.post(
        f"/cases/{case.pk}/checklist/", {"item": "called", "kind": "", "note": note}
    )
    assert late.status_code == 422
    assert "The case was<br>decided meanwhile." in late.content.decode()
    whats = list(CaseEvent.objects.filter(case=case).values_list("what", flat=True))
    assert "item_ticked" in whats
    assert "item_explained" in whats
    assert_bound()


def test_a_number_of_open_items_that_was_changed_in_the_database_opens_nothing(case):
    trail.seal_all()
    name = f"reviews_case {case.pk}: its open items"
    assert not any(fault.startswith(name) for fault in verification.faults())
    Case.objects.filter(pk=case.pk).update(open_items=0)
    assert any(fault.startswith(name) for fault in verification.faults())
    sven = someone("senior", "sven")
    request = wish("approve")
    revision = Case.objects.get(pk=case.pk).revision
    with pytest.raises(decisions.RefusedError) as refused:
        decisions.decide(case, actor=sven, request=request, revision=revision)
    assert any("On the checklist: " in fault for fault in refused.value.faults)


def test_items_are_ticked_with_the_decision_or_not_at_all(ana, case):
    form = {
        "outcome": "reject",
        "reasons": "R04",
        "revision": case.revision,
        "ticked": ["called", "filed"],
    }
    answer = ana.post(f"/cases/{case.pk}/decide/", {**form, "rationale": ""})
    assert answer.status_code == 422
    page = answer.content.decode()
    for key in ("called", "filed"):
        assert re.search(rf'name="ticked"\s+value="{key}" required checked', page)
    one = {**form, "rationale": "No reply.", "ticked": ["called"]}
    answer = ana.post(f"/cases/{case.pk}/decide/", one)
    assert "On the checklist: File is complete." in text_of(answer)
    # A refused decision ticks nothing, and leaves no line of the trail.
    assert not ChecklistMark.objects.exists()
    assert not CaseEvent.objects.filter(what="item_ticked").exists()
    form["rationale"] = "No reply."
    answer = ana.post(f"/cases/{case.pk}/decide/", form)
    assert answer.status_code == 303, text_of(answer).partition(
        'id="decision-form-errors"'
    )[2][:400]
    case.refresh_from_db()
    assert (case.status, case.open_items) == (Case.Status.DECIDED, 0)
    assert CaseEvent.objects.filter(what="item_ticked").count() == 2
    assert_bound()


def test_a_tick_is_taken_back(ana, case):
    for kind in ("ticked", "", ""):
        ana.post(f"/cases/{case.pk}/checklist/", {"item": "called", "kind": kind})
    case.refresh_from_db()
    assert case.open_items == 2
    assert not ChecklistMark.objects.exists()
    assert CaseEvent.objects.filter(what="item_reopened").count() == 1
    unknown = ana.post(f"/cases/{case.pk}/checklist/", {"item": "x", "kind": "ticked"})
    assert unknown.status_code == 422
    bad = ana.post(f"/cases/{case.pk}/checklist/", {"item": "called", "kind": "x"})
    assert bad.status_code == 400


def test_fields_are_filled_in_on_the_page_of_the_case(ana, case):
    data = {**VALUES, "revision": case.revision}
    assert ana.post(f"/cases/{case.pk}/fields/", data).status_code == 303
    case.refresh_from_db()
    assert case.custom_fields == STORED
    page = text_of(ana.get(f"/cases/{case.pk}/?tab=checklist"))
    assert 'value="1200.5"' in page
    stale = ana.post(f"/cases/{case.pk}/fields/", {**data, "custom.manager": "Al"})
    assert stale.status_code == 409
    assert 'value="Al"' in text_of(stale)
    wrong = {"revision": case.revision, "custom.visited_on": "soon"}
    answer = ana.post(f"/cases/{case.pk}/fields/", wrong)
    assert answer.status_code == 422
    assert "Visited on must be a day" in text_of(answer)
    event = CaseEvent.objects.get(what="fields_changed")
    details: Any = event.details
    assert details["fields"]["Turnover"] == "1200.5"
    assert "fields" not in event.data


def test_a_required_field_holds_the_approval(case):
    required = Content(fields=(FieldSpec("sector", "Sector", required=True),))
    give_procedure(case, required)
    person = someone("senior", "bo")
    with pytest.raises(decisions.RefusedError) as refused:
        decide(case, person)
    assert refused.value.faults == ("Fields without a value: Sector.",)
    decide(case, person, "reject")


def test_an_open_case_takes_up_a_newer_version(ana, case):
    checklists.fill(
        case, actor=someone("analyst", "bo"), values={"channel": "Web", "manager": "Bo"}
    )
    for key in ("called", "filed"):
        checklists.mark(case, key, actor=someone("analyst", key), kind="ticked")
    newer = Content(
        fields=(FieldSpec("channel", "Channel", "choice", choices=("Branch", "Post")),
                FieldSpec("manager", "Manager", "text")),
        items=(CONTENT.items[0], Item("filed", "File is whole", required=True)),
    )  # fmt: skip
    procedure_in_force(newer)
    page = text_of(ana.get(f"/cases/{case.pk}/?tab=checklist"))
    assert "Another version is in force" in page
    assert ana.post(f"/cases/{case.pk}/procedure/").status_code == 303
    case.refresh_from_db()
    assert case.procedure is not None
    assert (case.procedure.number, case.open_items) == (2, 1)
    assert case.custom_fields == {"manager": "Bo"}
    assert list(ChecklistMark.objects.values_list("item", flat=True)) == ["called"]
    assert ana.post(f"/cases/{case.pk}/procedure/").status_code == 422
    assert_bound()


def test_who_may_not_review_may_not_tick(client, case):
    client.force_login(someone("auditor"))
    tick = {"item": "called", "kind": "ticked"}
    assert client.post(f"/cases/{case.pk}/checklist/", tick).status_code == 403
    assert client.post(f"/cases/{case.pk}/fields/", VALUES).status_code == 403
    assert client.post(f"/cases/{case.pk}/procedure/").status_code == 403
    page = text_of(client.get(f"/cases/{case.pk}/?tab=checklist"))
    assert "Customer was called" in page
    assert "Tick:" not in page
    assert "Keep the values" not in page


def test_rest_submits_fills_and_ticks(case):
    caller = Caller(someone("analyst", "ana"))
    body = {
        "agent": case.agent.pk,
        "self_attested_data": {"business_name": "Northwind"},
        "custom_fields": {**STORED, "turnover": 7},
    }
    response = caller.post("/cases", body)
    assert response.status_code == 201, response.content
    assert response.json()["custom_fields"] == {**STORED, "turnover": 7}
    assert (response.json()["procedure"], response.json()["open_items"]) == (1, 2)
    for wrong, place in (
        ({"unknown": "x"}, "unknown"),
        ({"channel": "Post"}, "channel"),
        ({"turnover": True}, "turnover"),
        ({"manager": 3}, "manager"),
    ):
        answer = caller.post("/cases", {**body, "custom_fields": wrong})
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["pointer"] == f"#/custom_fields/{place}"
    path = f"/cases/{case.pk}"
    filled = caller.post(f"{path}/fields", {"custom_fields": {"is_listed": True}})
    assert filled.json()["custom_fields"] == {"is_listed": True}
    stale = {"custom_fields": {}, "revision": "1"}
    assert caller.post(f"{path}/fields", stale).status_code == 409
    soon = {"custom_fields": {"visited_on": "soon"}}
    assert caller.post(f"{path}/fields", soon).status_code == 422
    ticked = caller.post(f"{path}/checklist", {"item": "called", "kind": "ticked"})
    assert ticked.json()["open_items"] == 1
    assert ticked.json()["items"][0]["mark"]["by"] == "ana"
    state = caller.get(f"{path}/review-state").json()
    # What stands against approving names the item that is open.
    assert "On the checklist: File is complete." in state["obstacles"]
    refused = caller.post(f"{path}/checklist", {"item": "filed", "kind": "explained"})
    assert refused.status_code == 422
    [version] = caller.get("/procedures?kind=kyb&status=live").json()["items"]
    assert version["fields"][0]["choices"] == ["Branch", "Web"]
    listed = caller.get("/cases?checklist=open").json()["items"]
    assert len(listed) == 2
    assert caller.get("/cases?checklist=done").json()["items"] == []


def test_masked_roles_see_no_values(case, settings):
    case.custom_fields = STORED
    case.extra_columns = {"Colour": "red"}
    case.save()
    settings.MASKED_ROLES = frozenset({"auditor"})
    answer = Caller(someone("auditor")).get(f"/cases/{case.pk}").json()
    assert (answer["custom_fields"], answer["extra_columns"]) == ({}, {})


def test_report_pack_and_export_of_the_subject_have_them(ana, case):
    case.custom_fields = STORED
    case.extra_columns = {"Colour": "red"}
    case.save()
    ana_user = someone("senior", "eva")
    checklists.mark(case, "called", actor=ana_user, kind="ticked", note="At noon.")
    page = text_of(ana.get(f"/cases/{case.pk}/report/"))
    for words in ("Checklist, version 1", "At noon.", "Turnover", "1200.5", "Colour"):
        assert words in page
    with evidence_pack.pack(case, actor=ana_user) as file:
        entries = zipfile.ZipFile(io.BytesIO(file.read()))
    wire = json.loads(entries.read("case.json"))
    assert wire["custom_fields"] == STORED
    assert wire["extra_columns"] == {"Colour": "red"}
    assert wire["procedure"]["items"][0]["label"] == "Customer was called"
    assert wire["checklist"][0]["by"] == "eva"
    assert entries.read("report.pdf").startswith(b"%PDF")


def test_an_erasure_leaves_the_ticks_and_takes_the_words(case):
    case.custom_fields = STORED
    case.extra_columns = {"Colour": "red"}
    case.save()
    person = someone("senior", "eva")
    checklists.mark(case, "called", actor=person, kind="explained", note="Bo rang.")
    erasing.erase(case, at=now())
    case = Case.objects.get(pk=case.pk)
    assert (case.custom_fields, case.extra_columns) == ({}, {})
    row = ChecklistMark.objects.get()
    assert (row.item, row.note, row.by) == ("called", "", person)


def test_an_import_keeps_columns_that_mean_nothing(case):
    procedure_in_force()
    from reviews.imports.columns import KEPT, propose
    from reviews.imports.judging import Judge
    from reviews.imports.tables import read

    content = (
        b"Company name,Channel,Colour,Colour,Is listed\nNorthwind,web,red,blue,yes\n"
    )
    table = read(content)
    mapping = propose(table.columns, "kyb")
    assert mapping == [
        "business_name", "custom.channel", KEPT, KEPT, "custom.is_listed",
    ]  # fmt: skip
    judge = Judge(table, mapping, agent=case.agent, actor=someone("analyst", "ana"))
    assert judge.faults_of_columns() == []
    [record] = judge.records(joins_rows=False)
    assert record.faults == []
    assert record.custom_fields == {"channel": "Web", "is_listed": True}
    assert record.extra == {"Colour": "red", "Colour (2)": "blue"}


def test_a_periodic_review_carries_the_values_over(db):
    old = procedure_in_force()
    with time_machine.travel(now() - timedelta(days=4000), tick=False):
        case = periodic.submitted()
        checklists.begin(case, old, values={"channel": "Web", "manager": "Bo"})
        case.open_items = 0
        case.save()
        periodic.rate(case, "low")
        periodic.approve(case)
    newer = Content(fields=CONTENT.fields[:3], items=CONTENT.items)
    procedure_in_force(newer)
    periodic.work()
    opened = periodic.review_of(case).opened_case
    assert opened is not None
    assert opened.procedure is not None
    assert (opened.procedure.number, opened.open_items) == (2, 2)
    assert opened.custom_fields == {"channel": "Web"}


def test_a_case_without_a_procedure_has_no_checklist(ana):
    one_person()
    case = open_case()
    page = text_of(ana.get(f"/cases/{case.pk}/"))
    assert "panel-checklist" not in page
    with pytest.raises(RefusedError):
        checklists.mark(case, "x", actor=someone("analyst", "bo"), kind="ticked")
    decide(case, someone("analyst", "eva"))
    assert wish().outcome == "approve"
