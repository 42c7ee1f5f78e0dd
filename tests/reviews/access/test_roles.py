"""Who may do what: every role against every act, over the pages; and whose cases they are."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from reviews.access import roles
from reviews.intake import batches, cases
from reviews.models import Agent, Case, Dismissal, Document, FourEyesRule, Team
from reviews.people import notes
from tests.factories import make_agent, make_case, make_connection
from tests.reviews.pages.case.rows import add_document
from tests.reviews.rows import CHECK, decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db

EVERY = set(roles.ROLES)
DECIDERS = {roles.ANALYST, roles.SENIOR}
SENIORS = {roles.SENIOR}
EXPORTERS = DECIDERS | {roles.AUDITOR}

# Act → the roles that may.
MATRIX = {
    "read the queue": EVERY,
    "read a case": EVERY,
    "read a page": EVERY,
    "open the form": DECIDERS | {roles.INTEGRATOR},
    "run again": DECIDERS,
    "mark": DECIDERS,
    "dismiss": DECIDERS,
    "note": DECIDERS,
    "tag": DECIDERS,
    "decide": DECIDERS,
    "escalate": DECIDERS,
    "agree": SENIORS,
    "decide what was escalated": SENIORS,
    "reopen": SENIORS,
    "stop waiting": DECIDERS,
    "take evidence": EXPORTERS,
    "read the report": EVERY,
    "list documents": EVERY,
    "list jobs": EVERY,
    "list webhooks": EXPORTERS | {roles.ADMINISTRATOR},
    "take the report": EXPORTERS,
    "take the table": EXPORTERS,
    "take the reports": EXPORTERS,
    "keep the reasons": {roles.RULE_OWNER},
    "keep the connections": {roles.ADMINISTRATOR},
    "keep the users": {roles.ADMINISTRATOR},
}


def act(client, name: str) -> int:
    """Do it as whoever is logged in. Returns the status."""
    one_person()
    case = open_case(failing=name in {"mark", "dismiss"})
    here, maker = f"/cases/{case.pk}/", someone("senior", "maker")
    if name == "agree":
        FourEyesRule.objects.create(name="Always", condition="always")
        decide(case, maker)
    elif name == "reopen":
        decide(case, maker)
    elif name == "decide what was escalated":
        decide(case, maker, "escalate")
    elif name == "stop waiting":
        decide(case, maker, "request")
    revision = Case.objects.get().revision
    page = add_document(case).pages.get() if name == "read a page" else None
    decision = {
        "reasons": "A02",
        "rationale": "So.",
        "revision": revision,
        "outcome": "approve",
    }
    escalation = {**decision, "outcome": "escalate", "reasons": "E01"}
    gets = {
        "read the queue": "/",
        "read a case": here,
        "read a page": f"/documents/{page.document_id}/pages/1.webp" if page else "",
        "open the form": "/cases/new/",
        "take evidence": f"{here}evidence/",
        "read the report": f"{here}report/",
        "list documents": "/documents/",
        "list jobs": "/jobs/",
        "list webhooks": "/webhooks/",
        "take the report": f"{here}report/pdf/",
        "take the reports": f"/reports/?case={case.pk}",
        "keep the reasons": "/admin/reviews/reasoncode/add/",
        "keep the connections": "/admin/reviews/connection/add/",
        "keep the users": "/admin/auth/user/add/",
    }
    posts = {
        "run again": (f"{here}run-again/", {}),
        "mark": (f"{here}mark/", {"check": CHECK, "kind": "reviewed"}),
        "dismiss": (
            f"{here}dismiss/",
            {"undo": _dismissed(case, maker)} if name == "dismiss" else {},
        ),
        "note": (f"{here}notes/", {"text": "Seen."}),
        "tag": (f"{here}tags/", {"name": "seen"}),
        "decide": (f"{here}decide/", decision),
        "decide what was escalated": (f"{here}decide/", decision),
        "escalate": (f"{here}decide/", escalation),
        "take the table": ("/queue/act/", {"act": "csv", "case": case.pk}),
        "agree": (f"{here}second/", {"agrees": "yes", "revision": revision}),
        "reopen": (f"{here}reopen/", {"reason": "New.", "revision": revision}),
        "stop waiting": (f"{here}withdraw-request/", {}),
    }
    if name in gets:
        answer = client.get(gets[name])
        answer.close()
        return answer.status_code
    return client.post(*posts[name]).status_code


def _dismissed(case, maker) -> int:
    return Dismissal.objects.create(
        key="k", case=case, title="t", reason="r", by=maker
    ).pk


@pytest.mark.sweep(whole=True)
@pytest.mark.parametrize("name", MATRIX)
@pytest.mark.parametrize("role", sorted(EVERY))
def test_each_role_may_do_what_it_is_for_and_no_more(client, role, name):
    client.force_login(someone(role, "somebody"))
    if role in {roles.ADMINISTRATOR, roles.RULE_OWNER}:
        User.objects.filter(username="somebody").update(is_staff=True)
    status = act(client, name)
    allowed = role in MATRIX[name]
    if allowed:
        assert status in {200, 303}, status
    else:
        # The admin sends who is no member of its staff to its login.
        assert status in ({302, 403} if name.startswith("keep the ") else {403}), status


def test_the_buttons_are_those_of_the_role(client):
    one_person()
    case = open_case()
    for role in sorted(EVERY):
        client.force_login(someone(role))
        html = client.get(f"/cases/{case.pk}/?tab=activity").content.decode()
        assert ("decide-approve" in html) == (role in DECIDERS), role
        assert (f"/cases/{case.pk}/notes/" in html) == (role in DECIDERS), role


@pytest.fixture
def theirs():
    """A case of a team, and somebody who is not in it."""
    case = open_case()
    team = Team.objects.create(name="Nordics")
    team.connections.add(case.connection)
    return case, team


def test_a_case_of_a_team_is_not_there_for_others(client, theirs):
    one_person()
    case, team = theirs
    document = add_document(case)
    Document.objects.filter(pk=document.pk).update(file="originals/x.bin")
    outsider, member = someone("senior", "outsider"), someone("analyst", "member")
    team.members.add(member)
    note = notes.add(case, actor=member, text="Ours.")
    pages = [
        f"/cases/{case.pk}/", f"/cases/{case.pk}/live/", f"/cases/{case.pk}/application/", f"/cases/{case.pk}/evidence/",
        f"/cases/{case.pk}/report/", f"/cases/{case.pk}/report/pdf/", f"/reports/?case={case.pk}",
        f"/documents/{document.pk}/pages/1.webp", f"/documents/{document.pk}/pages/1/text/",
        f"/documents/{document.pk}/original/",
    ]  # fmt: skip
    acts = [
        "run-again",
        "decide",
        "second",
        "reopen",
        "mark",
        "dismiss",
        "withdraw-request",
        "notes",
        "tags",
        "enrich",
    ]
    client.force_login(outsider)
    assert "Northwind" not in client.get("/?view=all").content.decode()
    assert [client.get(page).status_code for page in pages] == [404] * len(pages)
    posted = [client.post(f"/cases/{case.pk}/{act}/").status_code for act in acts]
    assert posted == [404] * len(acts)
    assert client.post(f"/notes/{note.pk}/", {"text": "Mine."}).status_code == 404
    client.force_login(member)
    assert "Northwind" in client.get("/?view=all").content.decode()
    assert client.get(pages[0]).status_code == 200


@pytest.mark.parametrize("role", [roles.AUDITOR, roles.ADMINISTRATOR])
def test_who_answers_for_all_sees_the_cases_of_all(client, theirs, role):
    client.force_login(someone(role))
    assert client.get(f"/cases/{theirs[0].pk}/").status_code == 200


def test_a_case_of_no_team_is_for_everybody(client, theirs):
    free = make_case(make_connection("free"), subject="Freefall Ltd")
    client.force_login(someone("analyst"))
    html = client.get("/?view=all").content.decode()
    assert "Freefall" in html
    assert "Northwind" not in html
    assert client.get(f"/cases/{free.pk}/").status_code == 200


def test_a_member_of_a_team_sees_its_connections_and_those_of_no_team(db):
    person = someone(roles.ANALYST, "una")
    own, others, everybodys = (
        make_connection(slug) for slug in ("own", "others", "everybodys")
    )
    mine, theirs = (Team.objects.create(name=name) for name in ("mine", "theirs"))

    def pages() -> list[int] | None:
        return roles.connection_ids(User.objects.get(pk=person.pk))

    assert pages() is None
    mine.connections.add(own)
    theirs.connections.add(others)
    mine.members.add(person)
    assert sorted(pages() or ()) == [own.pk, everybodys.pk]
    theirs.connections.add(everybodys, own)
    mine.connections.clear()
    assert pages() == []
    auditor = someone(roles.AUDITOR, "bo")
    assert roles.connection_ids(auditor) is None


def test_permissions_and_connections_are_read_once_for_a_user(
    db, django_assert_num_queries
):
    user = User.objects.get(pk=someone(roles.ANALYST, "una").pk)
    make_connection()
    user.has_perm(roles.REVIEW), roles.connection_ids(user)
    with django_assert_num_queries(0):
        assert user.has_perm(roles.REVIEW)
        assert roles.connection_ids(user) is None


@pytest.mark.parametrize("role", [roles.ANALYST, roles.ADMINISTRATOR])
def test_the_form_offers_the_agents_that_a_person_may_give_cases_to(role):
    person = someone(role, "member")
    connections = [make_connection(f"service-{number}") for number in range(4)]
    teams = [Team.objects.create(name=name) for name in ("mine", "theirs")]
    teams[0].members.add(person)
    for team, connection in zip(teams, connections, strict=False):
        team.connections.add(connection)
    connections[3].is_active = False
    connections[3].save()
    for connection in connections:
        for kind in ("kyb", "kyc"):
            make_agent(connection, kind=kind, key=f"{kind}-{connection.pk}")
    Agent.objects.filter(connection=connections[2], kind="kyc").update(is_active=False)
    for kind, active in (("kyb", 3), ("kyc", 2)):
        offered = [agent.pk for agent in roles.choices(person, kind=kind)]
        agents = (
            roles.agents(person).filter(kind=kind).order_by("connection__name", "name")
        )
        assert offered == [agent.pk for agent in agents]
        assert len(offered) == active - (role == roles.ANALYST)


def submitted(actor: User, agent: Agent) -> Case:
    return cases.submit(
        actor=actor, agent=agent, subject="Northwind", data={}, documents=[]
    )


def test_the_verbs_hold_the_roles_whoever_calls_them():
    case = open_case()
    agent = case.agent
    assert agent is not None
    for role in sorted(EVERY):
        actor = someone(role)
        if role not in DECIDERS:
            with pytest.raises(PermissionDenied):
                cases.run_again(case, actor=actor)
        if role not in DECIDERS | {roles.INTEGRATOR}:
            with pytest.raises(PermissionDenied):
                submitted(actor, agent)
            with pytest.raises(PermissionDenied):
                batches.newest(agent, actor=actor)
        else:
            assert submitted(actor, agent).submitted_by == actor
    assert case.jobs.count() == 1


def test_an_agent_of_another_team_takes_no_case_from_here(client, theirs):
    case, _team = theirs
    theirs_agent, own = case.agent, make_agent(make_connection("free"), key="own")
    outsider = someone("analyst", "outsider")
    for refused in (lambda: submitted(outsider, theirs_agent), lambda: cases.run_again(case, actor=outsider)):  # fmt: skip
        with pytest.raises(PermissionDenied):
            refused()
    client.force_login(outsider)
    for page in ("/cases/new/", "/batches/"):
        text = client.get(page).content.decode()
        assert str(own) in text
        assert str(theirs_agent) not in text
    posted = {"agent": theirs_agent.pk, "business_name": "Northwind"}
    assert client.post("/cases/new/", posted).status_code == 200
    assert (
        client.get(f"/batches/{theirs_agent.pk}/{case.jobs.get().pk}/").status_code
        == 404
    )
    assert Case.objects.count() == 1
