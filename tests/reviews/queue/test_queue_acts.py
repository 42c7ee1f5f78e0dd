from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from urllib.parse import parse_qsl

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.utils.timezone import now

from compliance.http.limits import quotas
from compliance.models import LocalePreference
from reviews.models import BulkAct, Case, CaseEvent, Clock, Job, Page, SavedView, Team
from reviews.people import assignment, sla
from reviews.queue import bulk, filters
from reviews.tasks import BULK_ACTS
from tests import factories


@pytest.fixture
def desk(db):
    return factories.make_connection()


@pytest.fixture
def ana(db):
    return factories.make_user("ana")


@pytest.fixture
def visitor(client, ana):
    client.force_login(ana)
    return client


def waiting(desk, **values) -> Case:
    return factories.make_case(desk, **{"status": Case.Status.TO_REVIEW, **values})


def event_names(case) -> list[str]:
    return list(case.events.values_list("what", flat=True))


def test_the_most_urgent_case_that_is_nobodys_is_claimed(desk, ana):
    moment = now()
    late = waiting(desk, due_at=moment + timedelta(hours=3))
    waiting(desk, due_at=moment, analyst=factories.make_user("sven"))
    waiting(desk, due_at=moment, snoozed_until=moment + timedelta(hours=1))
    factories.make_case(desk, due_at=moment)
    urgent = waiting(desk, due_at=moment + timedelta(hours=1))
    assert assignment.claim_next(ana) == urgent
    assert assignment.claim_next(ana) == late
    assert assignment.claim_next(ana) is None
    urgent.refresh_from_db()
    assert urgent.analyst == ana
    assert event_names(urgent) == ["claimed"]


@pytest.mark.django_db(transaction=True)
def test_two_analysts_never_get_the_same_case():
    desk = factories.make_connection()
    people = [factories.make_user(f"person-{number}") for number in range(4)]
    names = {waiting(desk).pk for _ in range(24)}

    def claim_all(person) -> list[int]:
        got = []
        try:
            while case := assignment.claim_next(person):
                got.append(case.pk)
        finally:
            connection.close()
        return got

    with ThreadPoolExecutor(4) as pool:
        claimed = [pk for got in pool.map(claim_all, people) for pk in got]
    assert sorted(claimed) == sorted(names)
    assert CaseEvent.objects.filter(what="claimed").count() == len(names)


def test_nobody_claims_what_another_team_has(desk, ana):
    theirs = factories.make_connection("theirs")
    Team.objects.create(name="Other").connections.add(theirs)
    waiting(theirs)
    assert assignment.claim_next(ana) is None
    with pytest.raises(PermissionDenied):
        assignment.assign(Case.objects.get(), ana, actor=ana)


def test_who_may_not_review_claims_nothing(desk):
    waiting(desk)
    with pytest.raises(PermissionDenied):
        assignment.claim_next(factories.make_user("audit", role="auditor"))


def test_next_opens_the_case_that_it_claimed(visitor, desk, ana):
    person = waiting(desk, kind="kyc", due_at=now() + timedelta(hours=9))
    waiting(desk)
    response = visitor.post("/queue/next/", {"back": "?view=review&kind=kyc"})
    assert response["Location"] == f"/cases/{person.pk}/"
    assert (
        "There is no unassigned case here."
        in visitor.post(
            "/queue/next/", {"back": "?view=review&kind=kyc"}, follow=True
        ).content.decode()
    )


@pytest.mark.parametrize("sent", ["9" * 5000, "9" * 30, "²", "-1", ""])
@pytest.mark.parametrize("act", ["assign", "snooze", "csv", "reports", "approve"])
def test_what_is_no_number_of_a_case_is_no_case(visitor, desk, sent, act):
    case = waiting(desk)
    answer = visitor.post("/queue/act/", {"act": act, "case": [sent], "for": "1d"})
    assert answer.status_code == 302
    assert not BulkAct.objects.exists()
    visitor.post("/queue/act/", {"act": "assign", "case": [sent, case.pk]})
    assert BulkAct.objects.get().cases == [case.pk]


def test_a_case_is_taken_given_away_and_put_down(visitor, desk, ana):
    case = waiting(desk)
    sven = factories.make_user("sven")
    for to, analyst in (("me", ana), ("sven", sven), ("none", None)):
        visitor.post(f"/cases/{case.pk}/assign/", {"to": to})
        case.refresh_from_db()
        assert case.analyst == analyst
    assert event_names(case) == ["assigned", "assigned", "unassigned"]
    factories.make_user("audit", role="auditor")
    for to, text in (("audit", "cannot review"), ("nobody-here", "nobody called")):
        response = visitor.post(f"/cases/{case.pk}/assign/", {"to": to}, follow=True)
        assert text in response.content.decode()


def test_a_snoozed_case_is_out_of_the_way_until_its_time(visitor, desk):
    case = waiting(desk, subject="Sleepy Ltd")
    visitor.post(f"/cases/{case.pk}/snooze/", {"for": "1d"})
    assert "Sleepy" not in visitor.get("/").content.decode()
    assert "Sleepy" in visitor.get("/?view=snoozed").content.decode()
    Case.objects.update(snoozed_until=now() - timedelta(seconds=1))
    assert "Sleepy" in visitor.get("/").content.decode()
    assert event_names(case) == ["snoozed"]


def test_an_act_on_many_tells_how_far_it_is(visitor, desk, ana, work_off):
    rows = [waiting(desk) for _ in range(3)]
    decided = factories.make_case(desk, status=Case.Status.DECIDED, reference="C-DONE")
    factories.make_case(desk)
    data = {
        "act": "assign",
        "to": "me",
        "case": [case.pk for case in (*rows, decided)],
    }
    result = visitor.post("/queue/act/", data, follow=True)
    assert "0 of 4 cases" in result.content.decode()
    work_off()
    text = visitor.get(
        result.request["PATH_INFO"], headers={"HX-Request": "true"}
    ).content.decode()
    assert "3 of 4 cases" in text
    assert "every 1s" not in text
    assert "C-DONE" in text
    assert "The case is decided." in text
    assert set(Case.objects.filter(analyst=ana)) == set(rows)


def test_an_act_that_was_interrupted_goes_on_where_it_was(desk, ana):
    rows = [waiting(desk) for _ in range(3)]
    row = bulk.begin(
        "assign", [case.pk for case in rows], actor=ana, to={"analyst": ana.pk}
    )
    BulkAct.objects.update(done=2)
    row.refresh_from_db()
    bulk.perform(row)
    assert list(Case.objects.filter(analyst=ana)) == [rows[2]]


@pytest.mark.parametrize("end", ["role", "account"])
def test_an_act_ends_with_the_right_of_who_began_it(desk, ana, monkeypatch, end):
    """An act of 500 cases takes minutes: who loses the role meanwhile changes no further case."""
    ids = [waiting(desk).pk for _ in range(3)]
    until = (now() + timedelta(hours=1)).isoformat()
    bulk.begin("snooze", ids, actor=ana, to={"until": until})
    row = BulkAct.objects.get()
    write = BulkAct.write

    def write_and_take_the_right(act, changes):
        result = write(act, changes)
        person = User.objects.get(pk=ana.pk)
        if end == "role":
            person.groups.clear()
        else:
            person.is_active = False
            person.save()
        return result

    monkeypatch.setattr(BulkAct, "write", write_and_take_the_right)
    bulk.perform(row)
    row.refresh_from_db()
    assert row.status == BulkAct.Status.DONE
    assert len(row.refused) == 2
    assert Case.objects.exclude(snoozed_until=None).count() == 1


def test_a_case_that_always_fails_does_not_hold_up_the_others(
    desk, ana, monkeypatch, work_off
):
    rows = [waiting(desk) for _ in range(3)]
    assign = assignment.assign

    def fail_for_the_second(case, *args, **kwargs):
        if case == rows[1]:
            raise ValueError("a fault of the program")
        assign(case, *args, **kwargs)

    monkeypatch.setattr(assignment, "assign", fail_for_the_second)
    ids = [case.pk for case in rows]
    act = bulk.begin("assign", ids, actor=ana, to={"analyst": ana.pk})
    for _ in range(BULK_ACTS.max_failures):
        BulkAct.objects.filter(status="running").update(due_at=now())
        work_off()
    act.refresh_from_db()
    assert (act.status, act.done, act.failures) == ("done", 3, 0)
    assert set(Case.objects.filter(analyst=ana)) == {rows[0], rows[2]}
    [(reference, reason)] = act.refused
    assert reference == rows[1].reference
    assert reason == (
        "An error prevented it, several times. Try it with this case alone."
    )


def test_failures_of_an_act_are_counted_by_case(desk, ana):
    case = waiting(desk)
    act = bulk.begin("assign", [case.pk], actor=ana, to={"analyst": ana.pk})
    BulkAct.objects.update(failures=3)
    act.refresh_from_db()
    bulk.perform(act)
    act.refresh_from_db()
    assert (act.done, act.failures) == (1, 0)


def test_many_are_run_again(desk, ana, work_off):
    agent = factories.make_agent(desk)
    case = waiting(desk, agent=agent)
    row = bulk.begin("run_again", [case.pk, case.pk], actor=ana, to={})
    bulk.perform(row)
    assert (row.done, row.refused) == (1, [])
    assert Job.objects.filter(case=case).count() == 1


def test_the_limit_of_a_day_ends_no_act(desk, ana, settings):
    settings.QUOTAS = {**settings.QUOTAS, ("user", "jobs"): 1}
    agent = factories.make_agent(desk)
    rows = [waiting(desk, agent=agent) for _ in range(3)]
    act = bulk.begin("run_again", [case.pk for case in rows], actor=ana, to={})
    bulk.perform(act)
    act.refresh_from_db()
    assert (act.status, act.done) == ("done", 3)
    assert [reference for reference, _ in act.refused] == [
        case.reference for case in rows[1:]
    ]
    assert "limit of 1 jobs a day" in act.refused[0][1]
    assert Job.objects.count() == 1


def test_cases_are_not_taken_from_people_if_the_new_analyst_is_gone(desk, ana):
    bo = factories.make_user("bo")
    case = waiting(desk, analyst=ana)
    act = bulk.begin("assign", [case.pk], actor=ana, to={"analyst": bo.pk})
    bo.delete()
    bulk.perform(act)
    case.refresh_from_db()
    assert case.analyst == ana
    assert act.refused == [[case.reference, "The user was deleted."]]


def test_why_an_act_was_refused_is_in_the_language_of_who_began_it(visitor, desk, ana):
    LocalePreference.objects.create(user=ana, language="de")
    decided = waiting(desk, status=Case.Status.DECIDED)
    gone = factories.make_user("bo")
    assign = bulk.begin("assign", [decided.pk], actor=ana, to={"analyst": ana.pk})
    run = bulk.begin("run_again", [decided.pk], actor=ana, to={})
    case = waiting(desk, analyst=ana)
    of_nobody = bulk.begin("assign", [case.pk], actor=ana, to={"analyst": gone.pk})
    gone.delete()
    for act, words in (
        (assign, "Der Fall ist entschieden."),
        (run, "Seine Prüfungen laufen, oder er ist entschieden."),
        (of_nobody, "Das Konto wurde gelöscht."),
    ):
        bulk.perform(BulkAct.objects.get(pk=act.pk))
        assert words in visitor.get(f"/queue/acts/{act.pk}/").content.decode()


def test_a_run_that_does_not_begin_takes_nothing_of_the_limit_of_a_day(desk, ana):
    case = waiting(desk, status=Case.Status.DECIDED)
    bulk.perform(bulk.begin("run_again", [case.pk], actor=ana, to={}))
    assert quotas.used(quotas.USER, ana.pk)["jobs"][0] == 0


def test_acts_reach_only_what_is_seen(visitor, desk, ana):
    theirs = factories.make_connection("theirs")
    Team.objects.create(name="Other").connections.add(theirs)
    hidden = waiting(theirs)
    visitor.post("/queue/act/", {"act": "assign", "case": [hidden.pk]})
    assert BulkAct.objects.get().cases == []
    for address in ("peek/",):
        assert visitor.get(f"/cases/{hidden.pk}/{address}").status_code == 404
    exported = visitor.post("/queue/act/", {"act": "csv", "case": [hidden.pk]})
    assert hidden.reference not in b"".join(exported.streaming_content).decode()


def test_an_export_holds_no_formula(visitor, desk):
    case = waiting(desk, subject="=HYPERLINK(1)")
    exported = visitor.post("/queue/act/", {"act": "csv", "case": [case.pk]})
    content = b"".join(exported.streaming_content)
    assert ",'=HYPERLINK(1)," in content.decode()
    # Excel reads UTF-8 by this mark.
    assert content.startswith(b"\xef\xbb\xbf")


def test_a_view_is_kept_shared_and_removed(visitor, ana, desk):
    team = Team.objects.create(name="Nordics")
    team.members.add(ana)
    visitor.post(
        "/queue/views/", {"name": "Norway", "query": "?view=review&country=no"}
    )
    visitor.post("/queue/views/", {"name": "Ours", "query": "?kind=kyb", "team": "1"})
    own, shared = SavedView.objects.order_by("pk")
    assert own.query == "?view=review&country=NO"
    text = visitor.get("/" + own.query).content.decode()
    assert "Team views" in text
    assert "My views" in text
    factories.make_user("eve")
    visitor.post(f"/queue/views/{own.pk}/drop/")
    assert list(SavedView.objects.all()) == [shared]


@pytest.mark.parametrize(
    ("query", "result"),
    [
        ("kind=kyc", "b"),
        ("country=no", "a"),
        ("risk=3", "a"),
        ("recommendation=reject", "b"),
        ("analyst=me", "a"),
        ("analyst=ana", "a"),
        ("analyst=none", "b"),
        ("due=over", "b"),
        ("check=Seal&verdict=fail", "a"),
        ("check=Seal", "a"),
        ("q=123-45", "a"),
        ("q=HALDEN AS", "a"),
        ("q=no", "b"),
    ],
)
def test_filters(visitor, desk, ana, query, result):
    waiting(
        desk, subject="Halden Maritime AS", country="NO", risk=3, analyst=ana, reference="a",
        self_attested_data={"business_registration_number": ["NO 123-456"]},
        summary={"checks": [["Seal", "fail"], ["Name", "pass"]]},
    )  # fmt: skip
    waiting(
        desk, subject="Noor Haddad", kind="kyc", recommendation="Deny", reference="b",
        due_at=now() - timedelta(hours=1), summary={"checks": [["Name", "fail"], ["Seal", "pass"]]},
    )  # fmt: skip
    params = dict(parse_qsl(f"view=review&{query}"))
    answer = visitor.post("/queue/search/", params, follow=True)
    page = answer.context["page"]
    assert [line.reference for line in page["lines"]] == [result]
    assert page["counts"]["this"] == 1


def test_the_name_of_nobody_finds_nothing(visitor, desk, ana):
    waiting(desk, analyst=ana)
    answer = visitor.get("/?view=review&analyst=nobody")
    assert answer.status_code == 200
    assert answer.context["page"]["lines"] == []
    assert answer.context["page"]["counts"]["this"] == 0


def search_results(visitor, text):
    answer = visitor.post("/queue/search/", {"q": text}, follow=True)
    return answer.context["page"]["lines"]


def test_a_search_reads_the_text_of_documents(visitor, desk):
    case = waiting(desk)
    document = case.documents.create(kind="ein_documents", file_name="a.pdf")
    page = Page.objects.create(document=document, number=1, width=1, height=1)
    case.search_texts.create(
        page=page, text="registered in the commercial register of bergen"
    )
    assert [line.pk for line in search_results(visitor, "commercial Bergen")] == [
        case.pk
    ]
    page.delete()
    assert not search_results(visitor, "commercial Bergen")


def test_a_renamed_case_is_found_by_its_new_name_only(visitor, desk):
    case = waiting(desk, subject="Old Name Ltd", self_attested_data={})
    case.subject = "100% New_Name"
    case.save()
    for wanted, count in (
        ("old name", 0),
        ("new_name", 1),
        ("newxname", 0),
        ("100%", 1),
        ('"', 0),
    ):
        assert len(search_results(visitor, wanted)) == count, wanted


def test_the_shortest_clock_that_fits_holds(desk):
    agent = factories.make_agent(desk)
    case = waiting(desk, agent=agent)
    Clock.objects.all().delete()
    assert sla.due(case, risk=0) == case.created_at + timedelta(hours=24)
    Clock.objects.create(name="any", minutes=600)
    Clock.objects.create(name="agent", minutes=300, agent=agent)
    Clock.objects.create(name="risky", minutes=60, risk=2)
    Clock.objects.create(name="off", minutes=1, is_active=False)
    assert sla.due(case, risk=1) == case.created_at + timedelta(hours=5)
    assert sla.due(case, risk=2) == case.created_at + timedelta(hours=1)


def test_a_look_at_a_case(visitor, desk, ana):
    summary = {
        "checks": [["Seal", "fail"], ["Name", "pass"]],
        "finding": "Seal not found",
    }
    case = waiting(desk, analyst=ana, summary=summary)
    text = visitor.get(f"/cases/{case.pk}/peek/").content.decode()
    for message in ("Northwind Ltd", "Seal not found", "1 passed", "ana"):
        assert message in text
    assert str(filters.VIEWS["mine"][0]) in visitor.get("/?view=mine").content.decode()
