"""The cases of a confirmed file are opened in the background: once, and by who may."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from compliance.work.rows import LeaseLostError
from reviews.imports import imports
from reviews.intake import cases
from reviews.models import Agent, Case, CaseEvent, CaseImport, Job
from reviews.tasks import IMPORTS
from tests.reviews.imports.files import (
    GOOD,
    act,
    address,
    import_page,
    keep,
    result,
)

pytestmark = pytest.mark.django_db


def test_the_cases_are_opened_in_the_background(ana, agent, settings):
    row = keep(ana, agent, GOOD)
    assert act(ana, row, "open").status_code == 303
    assert not Case.objects.exists()
    assert "0 of 2" in import_page(ana, row)
    IMPORTS.drain()
    first, second = Case.objects.order_by("reference")
    assert (first.subject, first.country) == ("Northwind", "US")
    assert (second.subject, second.country) == ("Contoso", "DE")
    assert first.self_attested_data["address_of_incorporation"]["country_code"] == "US"
    assert first.submitted_by is not None
    assert first.submitted_by.username == "ana"
    document = first.documents.get()
    assert document.source_url == "https://files.example/bill.pdf"
    assert document.kind == "proof_of_address_documents"
    assert Job.objects.count() == 2
    assert {item["outcome"] for item in result(ana, row)} == {"Opened"}
    assert result(ana, row)[0]["case"] == "a-1"
    assert (
        result(ana, row)[0]["address"] == settings.DESK_URL + first.get_absolute_url()
    )
    live = ana.get(f"{address(row)}live/")
    assert first.get_absolute_url() in live.content.decode()
    row.refresh_from_db()
    assert (row.status, row.file.name, row.sha256) == ("done", "", "")
    assert (
        CaseEvent.objects.filter(what="submitted", user=first.submitted_by).count() == 2
    )
    [line] = CaseEvent.objects.filter(what="import_started")
    assert line.data["rows"] == 2


def test_the_page_follows_the_cases_until_their_checks_have_ended(ana, agent):
    row = keep(ana, agent, b"id,business_name\na,One\n")
    act(ana, row, "open")
    IMPORTS.drain()
    live = f"{address(row)}live/"
    running = ana.get(live)
    assert running.status_code == 200
    assert "Checks running" in running.content.decode()
    assert live in import_page(ana, row)
    Case.objects.get().move(Case.Status.TO_REVIEW)
    ended = ana.get(live)
    # The status by which a page stops asking.
    assert ended.status_code == 286
    assert "To review" in ended.content.decode()
    assert live not in import_page(ana, row)


def test_confirmed_twice_it_opens_its_cases_once(ana, agent):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    act(ana, row, "open")
    IMPORTS.drain()
    act(ana, row, "open")
    CaseImport.objects.update(due_at=now())
    IMPORTS.drain()
    assert Case.objects.count() == 2
    assert CaseEvent.objects.filter(what="import_started").count() == 1


class _KilledError(BaseException):
    pass


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_worker_that_dies_loses_and_doubles_nothing(ana, agent, monkeypatch, place):
    content = b"business_name\nOne\nTwo\nThree\n"
    row = keep(ana, agent, content)
    act(ana, row, "open")
    submit, opened = cases.submit, []

    def dying(**values):
        case = submit(**values)
        opened.append(case)
        if len(opened) == place + 1:
            raise _KilledError
        return case

    monkeypatch.setattr(cases, "submit", dying)
    row.refresh_from_db()
    with pytest.raises(_KilledError):
        imports.perform(row)
    assert Case.objects.count() == place
    monkeypatch.undo()
    IMPORTS.drain()
    subjects = sorted(case.subject for case in Case.objects.all())
    assert subjects == ["One", "Three", "Two"]
    assert [item["line"] for item in result(ana, row)] == ["2", "3", "4"]


def test_a_record_that_cannot_be_opened_is_left_out_and_the_others_are_opened(
    ana, agent, monkeypatch
):
    row = keep(ana, agent, b"id,business_name\nc-1,One\nc-2,Two\nc-3,Three\n")
    act(ana, row, "open")
    submit = cases.submit

    def failing(**values):
        if values["reference"] == "c-2":
            raise ValueError("Nobody has foreseen this.")
        return submit(**values)

    monkeypatch.setattr(cases, "submit", failing)
    for _ in range(IMPORTS.max_failures):
        CaseImport.objects.filter(due_at__isnull=False).update(due_at=now())
        IMPORTS.drain()
    outcomes = [(item["id"], item["outcome"]) for item in result(ana, row)]
    assert [name for name, _ in outcomes] == ["c-1", "c-2", "c-3"]
    row.refresh_from_db()
    assert row.status == "done"
    assert [case.reference for case in Case.objects.order_by("pk")] == ["c-1", "c-3"]
    assert "An error prevented it" in result(ana, row)[1]["error"]


def test_a_second_worker_with_an_old_lease_opens_nothing(ana, agent):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    row.refresh_from_db()
    CaseImport.objects.update(claim_count=row.claim_count + 1)
    with pytest.raises(LeaseLostError):
        imports.perform(row)
    assert not Case.objects.exists()


def test_a_file_that_is_lost_stops_the_import_with_words(ana, agent):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    row.refresh_from_db()
    row.file.storage.delete(str(row.file.name))
    IMPORTS.drain()
    row.refresh_from_db()
    assert row.status == CaseImport.Status.FAILED
    assert "The file is not in the store any more." in import_page(ana, row)


def test_who_may_not_submit_any_more_opens_nothing(ana, agent):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    row.by.groups.clear()
    IMPORTS.drain()
    assert not Case.objects.exists()
    assert set(row.rows.values_list("outcome", flat=True)) == {"refused"}


def test_a_limit_of_the_day_is_said_for_each_row_that_it_left_out(ana, agent, settings):
    settings.QUOTAS = {**settings.QUOTAS, ("user", "jobs"): 1}
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    IMPORTS.drain()
    assert Case.objects.count() == 1
    assert "limit" in result(ana, row)[1]["error"]


def test_an_import_ends_with_the_right_of_who_confirmed_it(ana, agent, monkeypatch):
    """A file of thousands takes minutes: who is deactivated meanwhile opens no further case."""
    row = keep(ana, agent, GOOD)
    assert act(ana, row, "open").status_code == 303
    write = CaseImport.write

    def write_and_deactivate(import_row, changes):
        result = write(import_row, changes)
        person = User.objects.get(username="ana")
        person.is_active = False
        person.save()
        return result

    monkeypatch.setattr(CaseImport, "write", write_and_deactivate)
    IMPORTS.drain()
    row.refresh_from_db()
    assert row.status == CaseImport.Status.DONE
    assert Case.objects.count() == 1
    assert imports.counts(row)["refused"] == 1


@pytest.mark.parametrize("switched_off", ["agent", "connection"])
def test_what_was_opened_is_told_after_the_agent_is_switched_off(
    ana, agent, switched_off
):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    IMPORTS.drain()
    off = {"agent": agent, "connection": agent.connection}[switched_off]
    off.is_active = False
    off.save()
    assert "march.csv" in ana.get("/batches/").content.decode()
    assert "Northwind" in import_page(ana, row)
    assert [line["outcome"] for line in result(ana, row)] == ["Opened", "Opened"]


def test_an_import_ends_with_the_agent_of_its_cases(ana, agent, monkeypatch):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    write = CaseImport.write

    def write_and_switch_off(import_row, changes):
        result = write(import_row, changes)
        Agent.objects.update(is_active=False)
        return result

    monkeypatch.setattr(CaseImport, "write", write_and_switch_off)
    IMPORTS.drain()
    first, second = result(ana, row)
    assert (first["outcome"], second["outcome"]) == ("Opened", "Refused")
    assert second["error"] == "This agent can no longer be chosen."
    assert Case.objects.count() == 1


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_nothing_is_opened_for_an_agent_that_is_switched_off(ana, agent, is_confirmed):
    row = keep(ana, agent, GOOD)
    if is_confirmed:
        act(ana, row, "open")
    agent.is_active = False
    agent.save()
    if not is_confirmed:
        act(ana, row, "open")
        assert "This agent can no longer be chosen." in import_page(ana, row)
    IMPORTS.drain()
    assert not Case.objects.exists()


def test_what_was_confirmed_meanwhile_is_not_removed(ana, agent):
    """The worker, or another tab, read the row before it was confirmed."""
    row = keep(ana, agent, GOOD)
    earlier = CaseImport.objects.get(pk=row.pk)
    act(ana, row, "open")
    assert imports.remove(earlier) is False
    IMPORTS.drain()
    assert Case.objects.count() == 2


def test_what_was_removed_meanwhile_is_not_opened(ana, agent):
    row = keep(ana, agent, GOOD)
    earlier = CaseImport.objects.get(pk=row.pk)
    assert imports.remove(row) is True
    user = User.objects.get(username="ana")
    is_confirmed = imports.confirm(
        earlier, mapping=earlier.mapping, joins_rows=False, total=2, actor=user
    )
    assert is_confirmed is False
    assert not Case.objects.exists()
