"""The decision policy by its pages, by REST and with the second person of all settings."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from compliance.approvals.models import Proposal
from reviews import tasks
from reviews.access import roles
from reviews.decisions.automatic import approvals
from reviews.decisions.policies import editing, versions
from reviews.models import Connection, Contradiction, DecisionPolicy, Team
from tests.factories import make_connection, make_user
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import words
from tests.reviews.queue.test_bulk_approvals import clean
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db
PAGE = "/decision-policy/"


@pytest.fixture
def desk():
    one_person()
    return make_connection()


@pytest.fixture
def olga(client):
    user = make_user("olga", role=roles.RULE_OWNER)
    client.force_login(user)
    return client


def typed(**changes: object) -> dict[str, object]:
    values: dict[str, object] = {
        "note": "First.",
        "rule-1.agent": "",
        "rule-1.band": "low",
        "rule-1.automatic": "clean",
        "rule-1.sample": "5",
        "rule-1.checks": "kyb.tax_number, kyb.website",
        "rule-1.documents": ["ein_documents"],
        "rule-1.checklist": "on",
        "rule-1.senior": ["reject"],
        "rule-1.second": ["reject"],
        "rule-2.band": "",
    }
    for name, value in changes.items():
        values[name.replace("__", ".").replace("rule_", "rule-")] = value
    return values


def approved_by(client, username: str) -> None:
    proposal = Proposal.objects.latest("pk")
    client.force_login(make_user(username, role=roles.RULE_OWNER))
    client.post(f"/approvals/{proposal.pk}/approve/")


def test_from_the_editor_to_the_first_case_that_is_approved_by_itself(olga, desk):
    ana = someone(roles.ANALYST)
    decide(clean(desk, "past"), ana, "reject")
    assert "No version is in force" in words(olga, PAGE)
    plain = {
        "rule_1__checks": "",
        "rule_1__documents": [],
        "rule_1__second": [],
        "rule_1__senior": [],
    }
    answer = olga.post(f"{PAGE}new/", typed(**plain))
    assert answer.status_code == 303
    version = DecisionPolicy.objects.get()
    page = f"{PAGE}{version.number}/"
    assert "Try it on past decisions, and look at what differs first." in words(
        olga, page
    )
    olga.post(f"{page}try/")
    assert "0 of 1 cases are read" in words(olga, page)
    tasks.try_decision_policies()
    text = words(olga, page)
    assert version.trials.get().counts["differ"] == 1, text
    assert "past Northwind Ltd" in text
    assert "1 cases that it would approve automatically were decided otherwise" in text
    assert olga.post(f"{page}live/").status_code == 422
    row = Contradiction.objects.get()
    empty = olga.post(f"{PAGE}contradictions/{row.pk}/", {"reason": ""})
    assert empty.status_code == 422
    olga.post(f"{PAGE}contradictions/{row.pk}/", {"reason": "Another appetite then."})
    assert "Another appetite then." in words(olga, page)
    assert olga.post(f"{page}live/")["Location"] == "/approvals/"
    assert versions.live() is None
    approved_by(olga, "otto")
    assert versions.live() == version
    assert olga.post(f"{PAGE}on/")["Location"] == "/approvals/"
    approved_by(olga, "odin")
    assert approvals.is_on()
    case = clean(desk, "new")
    tasks.approve_by_policy()
    text = words(olga, f"/cases/{case.pk}/")
    assert "by Decision policy 1" in text
    assert "1 case was approved automatically so far" in words(olga, PAGE)
    [decision] = Caller(ana).get(f"/cases/{case.pk}/decisions").json()["items"]
    assert (decision["made_by"], decision["decision_policy"]) == ("", 1)
    assert "Decision policy 1" in words(olga, f"/cases/{case.pk}/report/")
    olga.force_login(someone(roles.SENIOR))
    assert olga.post(f"{PAGE}stop/", {"reason": ""}).status_code == 422
    olga.post(f"{PAGE}stop/", {"reason": "A new fraud."})
    assert not approvals.is_on()
    assert "Nothing is approved automatically any more." in words(olga, PAGE)


def test_the_form_shows_what_was_saved_and_says_what_is_wrong(olga, desk):
    olga.post(f"{PAGE}new/", typed())
    version = DecisionPolicy.objects.get()
    [rule] = version.content["rules"]
    assert rule["checks"] == ["kyb.tax_number", "kyb.website"]
    assert (rule["documents"], rule["checklist"]) == (["ein_documents"], True)
    assert (rule["senior"], rule["second"]) == (["reject"], ["reject"])
    assert (rule["automatic"], rule["sample"]) == ("clean", 5)
    text = words(olga, f"{PAGE}1/")
    assert "Only seniors decide: Reject" in text
    # Saved as it is, it is the same; a rule that demands nothing goes.
    rows = editing.rows_of(versions.content_of(version))
    assert editing.content_of(rows) == version.content
    query_dict = QueryDict("rule-1.band=low&rule-1.sample=0")
    assert editing.content_of(editing.typed(query_dict)) == {"rules": []}
    answer = olga.post(f"{PAGE}new/", typed(rule_1__sample="many", note="Kept."))
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Rule 1: the share of the sample is 0 to 100 percent." in text
    assert 'value="many"' in text
    assert 'value="Kept."' in text
    assert olga.post(f"{PAGE}new/", typed(note=" ")).status_code == 422
    assert "kyb.website" in words(olga, f"{PAGE}new/?from=1")


def test_cases_of_other_teams_are_counted_and_not_named(olga, desk):
    decide(clean(desk, "theirs"), someone(roles.ANALYST), "reject")
    team = Team.objects.create(name="Others")
    team.connections.add(Connection.objects.get())
    olga.post(f"{PAGE}new/", typed(rule_1__checks="", rule_1__documents=[]))
    olga.post(f"{PAGE}1/try/")
    tasks.try_decision_policies()
    text = words(olga, f"{PAGE}1/")
    assert "theirs" not in text
    assert "1 more are cases of other teams" in text
    row = Contradiction.objects.get()
    address = f"{PAGE}contradictions/{row.pk}/"
    assert olga.post(address, {"reason": "x"}).status_code == 404


def test_over_rest(olga, desk):
    olga.post(f"{PAGE}new/", typed())
    caller = Caller(someone(roles.ANALYST))
    [row] = caller.get("/decision-policies").json()["items"]
    assert (row["number"], row["status"], row["trial"]) == (1, "draft", None)
    assert row["rules"][0]["automatic"] == "clean"
    olga.post(f"{PAGE}1/try/")
    tasks.try_decision_policies()
    [row] = caller.get("/decision-policies?status=draft").json()["items"]
    assert row["trial"]["not_acknowledged"] == 0
    assert caller.get("/decision-policies?status=live").json()["items"] == []
