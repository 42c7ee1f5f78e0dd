"""Beside the form of a case: which checks the chosen agent runs, asked over the interface."""

from __future__ import annotations

import json

import pytest

from reviews.models import Team
from tests import factories, fakeservice
from tests.fakeservice import Step
from tests.reviews.pages.case.rows import plain

pytestmark = pytest.mark.django_db


@pytest.fixture
def fake():
    with fakeservice.running() as service:
        yield service


@pytest.fixture
def agent(fake):
    return factories.make_agent(factories.make_connection(base_url=fake.url))


def checks_page(ana, agent) -> str:
    response = ana.get(f"/cases/new/checks/?kind=kyb&agent={agent or ''}")
    assert response.status_code == 200
    return plain(response.content.decode())


def answer(result: object, status: int = 200) -> Step:
    return Step(status=status, body=json.dumps(result).encode())


def test_the_service_is_asked_for_the_checks_of_the_agent(ana, agent, fake):
    listed = [
        {"check_id": "kyb.sanctions_screening_check_v2", "title": "Sanctions <b>"},
        {"check_id": "kyb.tin_check"},
        {"odd": 1},
        7,
    ]
    fake.plan = [answer({"checks": listed, "count": 4})]
    words = checks_page(ana, agent.pk)
    assert "It runs 3 checks, as hub says now" in words
    assert "Sanctions <b>" in words
    assert "TIN" in words
    assert fake.queries[-1] == {"agent_key": agent.agent_key}


def test_where_the_service_does_not_say_the_page_says_so(ana, agent, fake):
    fake.plan = [answer({"error": "Not found"}, 404)]
    assert (
        "hub does not say what this agent checks: getAvailableChecks: 404"
        in checks_page(ana, agent.pk)
    )


@pytest.mark.parametrize("query", ["", "x", "999"])
def test_without_an_agent_nobody_is_asked(ana, agent, fake, query):
    assert checks_page(ana, query) == "Choose an agent to see what it checks."
    assert not fake.asked


def test_an_agent_of_another_team_is_none(ana, agent, fake):
    Team.objects.create(name="Others").connections.add(agent.connection)
    assert checks_page(ana, agent.pk) == "Choose an agent to see what it checks."
    assert not fake.asked


def test_the_form_asks_when_it_is_opened_and_when_another_agent_is_chosen(ana, agent):
    html = ana.get("/cases/new/?kind=kyb").content.decode()
    assert 'hx-get="/cases/new/checks/?kind=kyb"' in html
    assert 'hx-trigger="load, change from:#id_agent"' in html


def test_who_may_not_submit_is_told_nothing(client, agent):
    client.force_login(factories.make_user("aud", role="auditor"))
    assert client.get(f"/cases/new/checks/?agent={agent.pk}").status_code == 403
