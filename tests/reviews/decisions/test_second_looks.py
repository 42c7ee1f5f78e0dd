"""Second looks: drawn before the decision, given without knowing it, and what they say of it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from reviews import tasks
from reviews.access import reads, roles
from reviews.audit import trail, verification
from reviews.decisions import decisions
from reviews.decisions.policies import looks
from reviews.decisions.policies.error_rates import Interval
from reviews.models import (
    BulkApproval,
    CaseParty,
    Decision,
    Notification,
    Read,
    SecondLook,
)
from reviews.parties import recording
from reviews.people import due_messages
from reviews.records import period_figures
from reviews.versions.errors import RefusedError
from tests.factories import make_announcement, make_connection, make_user
from tests.reviews.api.calling import Caller
from tests.reviews.decisions.test_decision_policy import put_live
from tests.reviews.pages.case.rows import words
from tests.reviews.queue.test_bulk_approvals import clean
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk():
    one_person()
    olga = someone(roles.RULE_OWNER, "olga")
    otto = someone(roles.RULE_OWNER, "otto")
    put_live(olga, otto, {"sample": 100})
    return make_connection()


@pytest.fixture
def ana():
    return someone(roles.ANALYST, "ana")


@pytest.fixture
def bea(client):
    user = make_user("bea")
    client.force_login(user)
    return user


def drawn(desk, ana, reference: str = "one") -> SecondLook:
    decide(clean(desk, reference), ana, rationale="Known to the bank.")
    return SecondLook.objects.get(case__reference=reference)


def test_the_share_that_is_drawn_is_settled_by_the_case_and_the_key(settings):
    rows = [number for number in range(4_000) if looks.is_drawn(number, 0, 10)]
    assert 320 < len(rows) < 480
    assert rows == [n for n in range(4_000) if looks.is_drawn(n, 0, 10)]
    assert set(rows) <= {n for n in range(4_000) if looks.is_drawn(n, 0, 20)}
    settings.ENCRYPTION_KEY = "another"
    assert rows != [n for n in range(4_000) if looks.is_drawn(n, 0, 10)]
    assert not any(looks.is_drawn(n, 0, 0) for n in range(100))
    assert all(looks.is_drawn(n, 0, 100) for n in range(100))


def test_a_look_is_given_without_knowing_the_decision(client, desk, ana, bea):
    look = drawn(desk, ana)
    assert list(looks.waiting(ana)) == []
    page = f"/second-looks/{look.pk}/"
    assert "one Northwind Ltd" in words(client, "/second-looks/")
    client.post(f"{page}take/")
    text = words(client, page)
    assert "Sanctions screening" in text
    for secret in ("Known to the bank.", "ana", "A01", "Approved"):
        assert secret not in text.replace("analyst", ""), secret
    assert client.post(f"{page}give/", {"outcome": "reject"}).status_code == 422
    data = {"outcome": "reject", "rationale": "The seat is a mailbox."}
    senior = someone(roles.SENIOR)
    client.post(f"{page}give/", data)
    look.refresh_from_db()
    assert (look.status, look.outcome) == ("given", "reject")
    # It changes nothing by itself: the seniors are told.
    assert Decision.objects.get().status == "standing"
    [line] = Notification.objects.filter(kind="look")
    assert line.to == senior
    assert "The decision was: Approve (ana)" in words(client, page)
    assert client.get("/second-looks/rates/").status_code == 403
    client.force_login(senior)
    text = words(client, "/second-looks/rates/")
    assert "100.0 % (20.7 to 100.0 %)" in text
    assert "The seat is a mailbox." in text
    rates = Caller(senior).get("/second-looks/rates").json()
    assert [row["name"] for row in rates["people"]] == ["ana"]
    assert rates["versions"][0]["name"] == "Decision policy 1"
    period = period_figures.Period(look.drawn_at.date(), look.drawn_at.date())
    report = period_figures.report(period, actor=senior)
    figures = {row.name: row.value for part in report.sections for row in part.figures}
    assert figures["Second looks with another outcome"] == 1
    trail.seal_all()
    tables = ("reviews_secondlook", "reviews_decision")
    assert not [fault for fault in verification.faults() if fault.startswith(tables)]


@pytest.mark.parametrize("outcome", ["approve", "reject"])
def test_the_dashboard_tells_no_outcome_before_the_look(
    client, desk, ana, bea, outcome
):
    """With one decision on a day, its bar or the agreement with the agent would tell it."""
    decide(clean(desk, "one"), ana, outcome)
    value = client.get("/dashboard/").context["dashboard"]
    assert value.all.decided == 1
    assert (value.all.with_recommendation, value.people["ana"].agreed) == (0, 0)
    page = client.get("/dashboard/").content.decode()
    assert "1 before a second look" in page
    assert "1 approved" not in page
    assert "1 rejected" not in page
    look = SecondLook.objects.get()
    client.post(f"/second-looks/{look.pk}/take/")
    client.get(f"/second-looks/{look.pk}/")
    data = {"outcome": "reject", "rationale": "The seat is a mailbox."}
    client.post(f"/second-looks/{look.pk}/give/", data)
    page = client.get("/dashboard/").content.decode()
    assert ("1 approved" in page) is (outcome == "approve")
    assert ("1 rejected" in page) is (outcome == "reject")


@pytest.mark.parametrize("outcome", ["approve", "reject"])
def test_the_report_of_a_day_tells_no_outcome_before_the_look(
    client, desk, ana, bea, outcome
):
    case = clean(desk, "one")
    approval = BulkApproval.objects.create(by=ana, share=10)
    approval.cases.create(case=case, revision="1", is_sample=True)
    decide(case, ana, outcome)
    senior = someone(roles.SENIOR)
    before = _figures_of_today(senior)
    assert before["Cases decided"] == before["Before a second look"] == 1
    told = ("Approved", "Rejected", "Approved, too", "Decided otherwise")
    assert [before[name] for name in told] == [0, 0, 0, 0]
    assert before["As the agent recommended"] == 0
    assert not [name for name in before if name.startswith("Reason: ")]
    client.force_login(senior)
    text = words(client, "/period-report/?first={0}&last={0}".format(now().date()))
    assert "Before a second look 1 100" in text
    assert "Until then the outcome of such a decision is not told" in text
    look = SecondLook.objects.get()
    client.force_login(bea)
    client.post(f"/second-looks/{look.pk}/take/")
    assert _figures_of_today(senior) == before
    data = {"outcome": "reject", "rationale": "The seat is a mailbox."}
    client.post(f"/second-looks/{look.pk}/give/", data)
    after = _figures_of_today(senior)
    is_approved = outcome == "approve"
    figures = [after[name] for name in told]
    assert figures == [is_approved, not is_approved] * 2
    assert after["Before a second look"] == 0


def _figures_of_today(person) -> dict[str, float]:
    today = now().date()
    answer = Caller(person).get(f"/period-report?first={today}&last={today}").json()
    return {row["name"]: row["value"] for row in answer["figures"]}


def test_who_has_opened_the_case_since_gives_no_look(client, desk, ana, bea):
    first, second = drawn(desk, ana), drawn(desk, ana, "two")
    client.get(f"/cases/{first.case_id}/")
    assert "You have opened the case" in words(client, f"/second-looks/{first.pk}/")
    assert client.post(f"/second-looks/{first.pk}/take/").status_code == 422
    client.post(f"/second-looks/{second.pk}/take/")
    client.get(f"/second-looks/{second.pk}/")
    reads.flush()
    assert Read.objects.filter(kind="look", case=second.case_id).exists()
    client.get(f"/cases/{second.case_id}/report/")
    data = {"outcome": "approve", "rationale": "Fine."}
    answer = client.post(f"/second-looks/{second.pk}/give/", data)
    assert answer.status_code == 422
    second.refresh_from_db()
    assert (second.status, second.by) == ("open", None)


def test_who_took_part_gives_no_look(desk, ana):
    look = drawn(desk, ana)
    with pytest.raises(RefusedError, match="You took part"):
        looks.take(look, actor=ana)
    carl = make_user("carl")
    trail.record(look.case, "note_added", user=carl)
    with pytest.raises(RefusedError, match="You have worked on this case"):
        looks.take(look, actor=carl)


def test_one_person_takes_a_look_and_may_leave_it(desk, ana, bea):
    look = drawn(desk, ana)
    looks.take(look, actor=bea)
    dora = make_user("dora")
    with pytest.raises(RefusedError, match="Somebody else"):
        looks.take(SecondLook.objects.get(), actor=dora)
    with pytest.raises(RefusedError, match="not yours"):
        looks.give(look, actor=dora, outcome="approve", rationale="x")
    looks.put_back(look, actor=bea)
    looks.take(SecondLook.objects.get(), actor=dora)
    assert looks.give(
        SecondLook.objects.get(), actor=dora, outcome="approve", rationale="Fine."
    )
    assert not Notification.objects.filter(kind="look").exists()


def test_a_look_of_who_has_left_is_free_again(desk, ana, bea):
    look = drawn(desk, ana)
    looks.take(look, actor=bea)
    looks.put_back_of_leavers(due_messages.QUEUE)
    look.refresh_from_db()
    assert look.status == "taken"
    User.objects.filter(pk=bea.pk).update(is_active=False)
    looks.put_back_of_leavers(due_messages.QUEUE)
    look.refresh_from_db()
    assert (look.status, look.by, look.taken_at) == ("open", None, None)
    newest = look.case.events.filter(what="second_look_put_back").latest("pk")
    assert newest.actor == "system"
    looks.take(look, actor=make_user("dora"))


def test_the_interval_is_that_of_wilson():
    few = Interval(1, 10)
    assert (round(few.low, 4), round(few.high, 4)) == (0.0179, 0.4042)
    none = Interval(0, 0)
    assert (none.low, none.high, none.words) == (0.0, 1.0, "\N{EN DASH}")


def test_two_people_of_one_name_have_a_rate_each(client, desk, ana, bea):
    other = someone(roles.ANALYST, "ana2")
    User.objects.filter(pk__in=(ana.pk, other.pk)).update(
        first_name="Ana", last_name="Lopez"
    )
    decide(clean(desk, "one"), User.objects.get(pk=ana.pk))
    decide(clean(desk, "two"), User.objects.get(pk=other.pk))
    for look, outcome in zip(
        SecondLook.objects.order_by("pk"), ("reject", "approve"), strict=True
    ):
        looks.take(look, actor=bea)
        looks.give(look, actor=bea, outcome=outcome, rationale="Fine.")
    rates = Caller(someone(roles.SENIOR)).get("/second-looks/rates").json()
    people = [(row["name"], row["differ"], row["looks"]) for row in rates["people"]]
    assert people == [("Ana Lopez (ana)", 1, 1), ("Ana Lopez (ana2)", 0, 1)]


def test_no_list_tells_how_a_case_was_decided_before_its_look(client, desk, ana, bea):
    look = drawn(desk, ana)
    recording.record(look.case)
    tasks.open_periodic_reviews()
    look.case.refresh_from_db()
    assert look.case.review_on
    assert "Decided" in words(client, "/?view=all")
    assert "Approved" not in words(client, "/?view=all").partition("Waiting time")[2]
    for query in ("outcome=approve", "outcome=reject", "by=policy"):
        assert "one Northwind" not in words(client, f"/?view=all&{query}"), query
    assert str(look.case.review_on.year) not in words(client, "/parties/")
    looks.take(look, actor=bea)
    looks.give(look, actor=bea, outcome="approve", rationale="Fine.")
    assert "one Northwind" in words(client, "/?view=all&outcome=approve")
    assert str(look.case.review_on.year) in words(client, "/parties/")


@pytest.mark.parametrize(
    "address", ["/parties/{party}/", "/cases", "/cases/search", "/parties/{party}"]
)
def test_other_answers_that_tell_the_decision_are_opened_cases(
    client, desk, ana, bea, address
):
    look = drawn(desk, ana)
    recording.record(look.case)
    Read.objects.all().delete()
    party = CaseParty.objects.get(case=look.case, role="subject").party_id
    address = address.format(party=party)
    assert looks.objection(look, bea) == ""
    if address.endswith("/"):
        answer = client.get(address)
    elif address.endswith("search"):
        answer = Caller(bea).post(address, {"q": "Northwind"})
    else:
        answer = Caller(bea).get(address)
    assert answer.status_code == 200
    assert "You have opened the case" in looks.objection(look, bea)


def test_a_page_that_is_loaded_again_after_the_decision_counts(client, desk, ana, bea):
    """The second load within a minute makes no note of its own."""
    case = clean(desk, "one")
    client.get(f"/cases/{case.pk}/")
    decide(case, ana)
    client.get(f"/cases/{case.pk}/")
    assert "You have opened the case" in looks.objection(SecondLook.objects.get(), bea)


def test_to_decide_anew_evades_no_look(monkeypatch, desk, ana):
    look = drawn(desk, ana)
    case = look.case
    senior = someone(roles.SENIOR)

    def decided_anew() -> bool:
        case.refresh_from_db()
        decisions.reopen(case, actor=senior, reason="Anew.", revision=case.revision)
        decision = decide(case, ana)
        return SecondLook.objects.filter(decision=decision).exists()

    # By the key alone the next decisions of this case are not drawn.
    monkeypatch.setattr(looks, "is_drawn", lambda *_given: False)
    assert decided_anew()
    assert list(looks.not_given(senior)) == [case.second_looks.first()]
    assert decided_anew()
    bea = make_user("bea")
    newest = case.second_looks.latest("pk")
    looks.take(newest, actor=bea)
    newest.refresh_from_db()
    looks.give(newest, actor=bea, outcome="approve", rationale="Fine.")
    assert not decided_anew()


def test_a_sent_webhook_that_tells_the_decision_is_an_opened_case(desk, ana, bea):
    look = drawn(desk, ana)
    sent = make_announcement(
        look.case, event="case.decided", body=b'{"outcome": "approve"}'
    )
    other = make_announcement(clean(desk, "two"), event="case.ready")
    caller = Caller(bea)
    assert caller.get(f"/sent-webhooks/{other.pk}").status_code == 200
    assert looks.objection(look, bea) == ""
    answer = caller.get(f"/sent-webhooks/{sent.pk}").json()
    assert "approve" in answer["body"]
    assert "You have opened the case" in looks.objection(look, bea)
    assert Read.objects.get(case=look.case).item == f"sent-webhooks/{sent.pk}"


def test_the_interface_tells_of_a_bulk_approval_as_its_page_does(desk, ana, bea):
    look = drawn(desk, ana)
    approval = BulkApproval.objects.create(by=ana, share=10)
    approval.cases.create(case=look.case, revision="1", is_sample=False)
    Decision.objects.filter(pk=look.decision_id).update(bulk=approval)
    look.refresh_from_db()
    assert looks.objection(look, bea) == ""
    assert Caller(bea).get(f"/bulk-approvals/{approval.pk}").status_code == 200
    assert "You have opened the case" in looks.objection(look, bea)


def test_what_a_bulk_approval_leaves_out_tells_of_the_customer(client, desk, ana, bea):
    """It names the other case of the customer that was rejected."""
    look = drawn(desk, ana)
    assert client.get("/bulk-approvals/").status_code == 200
    assert looks.objection(look, bea) == ""
    other = clean(desk, "two")
    for case in (look.case, other):
        recording.record(case)
    party = CaseParty.objects.get(case=look.case, role="subject").party
    CaseParty.objects.filter(case=other, role="subject").update(party=party)
    assert "You have opened the case" in looks.objection(look, bea)
