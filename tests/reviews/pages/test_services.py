"""What the desk shows of a service: batches, the application's state, enrichment, webhook tests."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse

from reviews.models import CaseEvent, Kind
from tests import factories, fakeservice
from tests.fakeservice import FakeService, Step

pytestmark = pytest.mark.django_db
BATCH = "5f0c2b0e-93a1-4d0c-8e37-0c1a6b2d9f11"


@pytest.fixture
def fake() -> Iterator[FakeService]:
    with fakeservice.running() as running:
        yield running


@pytest.fixture
def agent(fake):
    return factories.make_agent(
        factories.make_connection(base_url=fake.url, api_key="k")
    )


def step(said: Any, status: int = 200) -> Step:
    return Step(status=status, body=json.dumps(said).encode())


def text(response) -> str:
    return response.content.decode()


SAID = {
    "batch_id": BATCH, "batch_name": "march.csv", "status": "complete", "read_rows": 3,
    "accepted": 2, "rejected": 1, "jobs_by_status": {"pending": 0, "running": 1, "completed": 1},
    "jobs": [
        {"job_id": str(uuid.uuid4()), "case_id": "c-1", "name": "Northwind <b>", "status": "completed",
         "recommendation": "Approve", "checks": {"kyb.x": "passed"}},
        {"job_id": str(uuid.uuid4()), "case_id": "c-2", "status": "running", "checks": {"kyb.x": "pending"}},
    ],
    "next_cursor": None,
}  # fmt: skip
REJECTED = {
    **SAID,
    "jobs": [],
    "rejected_rows": [{"line": 4, "reason": "incorporation_date: no date"}],
}


def test_the_batches_of_an_agent_are_listed(ana, agent, fake):
    fake.plan = [step([SAID, {"batch_id": "no uuid"}, 7])]
    page_text = text(ana.get(reverse("batches")))
    assert reverse("batch", args=[agent.pk, BATCH]) in page_text
    assert "march.csv" in page_text


def test_rows_are_shown_with_their_outcome_and_their_case(ana, agent, fake):
    case = factories.make_case(agent.connection, reference="c-1")
    fake.plan = [step(SAID), step(REJECTED)]
    page_text = text(ana.get(reverse("batch", args=[agent.pk, BATCH])))
    for word in (
        "2, 1 running, 1 complete",
        "Approve",
        "kyb.x: passed",
        "Northwind &lt;b&gt;",
    ):
        assert word in page_text
    assert case.get_absolute_url() in page_text
    assert "incorporation_date: no date" in page_text
    assert "hx-get" in page_text
    assert 'value="1"' in page_text, "one of two jobs has ended"


def test_why_a_row_was_not_started_is_in_the_language_of_the_reader(ana, agent, fake):
    reason = "self_attested_data.date_of_birth: Not a date of the form YYYY-MM-DD."
    refused = {**REJECTED, "rejected_rows": [{"line": 4, "reason": reason}]}
    fake.plan = [step({**SAID, "error": "The file did not arrive."}), step(refused)]
    ana.cookies["django_language"] = "de"
    page_text = text(ana.get(reverse("batch", args=[agent.pk, BATCH])))
    assert "Kein Datum der Form JJJJ-MM-TT." in page_text
    assert "Die Datei ist nicht angekommen." in page_text


def test_a_batch_that_has_ended_is_asked_after_no_more(ana, agent, fake):
    data = {
        **SAID,
        "rejected": 0,
        "jobs_by_status": {"completed": 2},
        "next_cursor": "next",
    }
    fake.plan = [step(data)]
    response = ana.get(reverse("batch-live", args=[agent.pk, BATCH]))
    assert response.status_code == 286
    assert "every 3s" not in text(response)
    assert "?cursor=next" in text(response)


@pytest.mark.parametrize("message", [{}, {"jobs": 7, "jobs_by_status": []}, {"jobs": [7, {"checks": 3}], "rejected": "x"}])  # fmt: skip
def test_a_strange_answer_is_shown_as_far_as_it_goes(ana, agent, fake, message):
    fake.plan = [step(message)]
    assert ana.get(reverse("batch", args=[agent.pk, BATCH])).status_code == 200


def test_a_service_that_is_away_is_asked_again(ana, agent, fake):
    fake.plan = [Step(status=503, body=b"")]
    response = ana.get(reverse("batch-live", args=[agent.pk, BATCH]))
    assert response.status_code == 200
    assert "503" in text(response)
    assert "every 3s" in text(response)


def test_the_export_is_handed_on(ana, agent, fake):
    fake.plan = [Step(body=b"job_id,case_id\r\n"), step({"error": "Not Found"}, 404)]
    address = reverse("batch-export", args=[agent.pk, BATCH])
    response = ana.get(address)
    assert response.content == b"job_id,case_id\r\n"
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert BATCH in response["Content-Disposition"]
    response = ana.get(address)
    assert response.status_code == 404
    assert "The service knows no such batch." in text(response)


def test_an_export_of_a_service_that_is_away_is_no_broken_file(ana, agent, fake):
    fake.plan = [Step(status=503, body=b"")]
    response = ana.get(reverse("batch-export", args=[agent.pk, BATCH]))
    assert response.status_code == 502
    assert "503" in text(response)


def test_a_batch_that_the_service_does_not_know_is_404_and_asked_for_once(
    ana, agent, fake
):
    fake.plan = [step({"error": "Not Found"}, 404)] * 2
    response = ana.get(reverse("batch", args=[agent.pk, BATCH]))
    assert response.status_code == 404
    assert "The service knows no such batch." in text(response)
    assert "every 3s" not in text(response)
    assert reverse("batch-export", args=[agent.pk, BATCH]) not in text(response)
    live = ana.get(reverse("batch-live", args=[agent.pk, BATCH]))
    assert live.status_code == 286


def test_batches_need_the_right_to_submit(client, agent):
    user = factories.make_user("looker")
    user.groups.clear()
    client.force_login(user)
    assert client.get(reverse("batches")).status_code == 403


STATE = {
    "applicant_id": "c-1", "applicant_type": "kyb", "application_status": "IN_PROGRESS",
    "updated_at": "2026-03-02T10:00:00Z",
    "current_check_results": [
        {"check_id": "kyb.x", "status": "COMPLETE", "result": {}, "error": "", "updated_at": "2026-03-02T10:00:00Z"},
        {"command_id": "kyb.y", "status": "ERROR", "error": "It <broke>."},
    ],
    "past_check_results": [{"check_id": "kyb.z", "status": "PENDING"}, 7],
}  # fmt: skip


@pytest.fixture
def case(agent):
    return factories.make_case(agent.connection, agent=agent, reference="c-1")


def test_the_related_tab_asks_for_the_state_of_the_application(ana, case, fake):
    page = text(ana.get(case.get_absolute_url() + "?tab=related"))
    assert reverse("case-application", args=[case.pk]) in page
    fake.plan = [step(STATE)]
    page_text = text(ana.get(reverse("case-application", args=[case.pk])))
    assert fake.queries == [{"agent_key": "kyb-key", "application_id": "c-1"}]
    for word in (
        "in progress",
        "kyb.x",
        "complete",
        "kyb.y",
        "It &lt;broke&gt;.",
        "kyb.z",
    ):
        assert word in page_text
    assert "1 check result<" in page_text


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("2026-03-02T10:00:00Z", "2026-03-02 11:00 CET"),
        ("2026-03-02T10:00:00", "2026-03-02 11:00 CET"),
        ("2026-13-02T10:00:00Z", "2026-13-02T10:00:00Z"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00"),
        ("yesterday", "yesterday"),
    ],
)
def test_times_of_the_service_are_in_the_zone_of_the_reader(
    ana, case, fake, sent, shown
):
    ana.post("/account/language/", {"language": "en", "time_zone": "Europe/Berlin"})
    fake.plan = [step({**STATE, "updated_at": sent})]
    page_text = text(ana.get(reverse("case-application", args=[case.pk])))
    assert f'class="num">{shown}</dd>' in page_text


@pytest.mark.parametrize("answer", [step({"error": "Not Found", "message": "No jobs."}, 404), step({"current_check_results": {}, "application_status": 7}), Step(body=b"<html>")])  # fmt: skip
def test_a_state_that_cannot_be_had_is_said(ana, case, fake, answer):
    fake.plan = [answer]
    response = ana.get(reverse("case-application", args=[case.pk]))
    assert response.status_code == 200


def test_enrichment_asks_with_what_is_attested_and_is_put_down(ana, case, fake):
    case.self_attested_data = {
        "business_name": "Northwind Ltd",
        "website": ["northwind.example"],
    }
    case.save()
    data = {
        "status": "success",
        "data": {"founded": "<1990>"},
        "error": "",
        "source": "a register",
    }
    fake.plan = [step(data)]
    page_text = text(ana.post(reverse("case-enrich", args=[case.pk])))
    assert fake.asked == [("POST", "enrichCompany", {"name": "Northwind Ltd", "website": "northwind.example"})]  # fmt: skip
    assert "a register" in page_text
    assert "&lt;1990&gt;" in page_text
    event = CaseEvent.objects.get(what="enriched")
    assert event.data == {"status": "success", "source": "a register"}
    assert event.user is not None
    assert "asked the data provider" in text(
        ana.get(case.get_absolute_url() + "?tab=activity")
    )


def test_an_email_address_that_is_none_is_not_asked_about(ana, case, fake):
    case.kind, case.subject = Kind.KYC, "Ana Reyes"
    case.self_attested_data = {
        "first_name": "Ana",
        "last_name": "Reyes",
        "email": "nobody",
    }
    case.save()
    fake.plan = [
        step({"status": "not_found", "data": {}, "error": "", "source": "a register"})
    ]
    ana.post(reverse("case-enrich", args=[case.pk]))
    [(_, _, facts)] = fake.asked
    assert facts == {
        "first_name": "Ana",
        "last_name": "Reyes",
        "full_name": "Ana Reyes",
    }


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (step({"status": "not_found", "source": "cases"}), "Nothing found"),
        (
            step({"status": "error", "error": "The vendor is away."}),
            "The vendor is away.",
        ),
        (
            step({"error": "Bad Request", "message": "name is required."}, 400),
            "name is required.",
        ),
        (Step(status=503, body=b""), "503"),
    ],
)
def test_what_enrichment_could_not_say_is_said(ana, case, fake, answer, word):
    fake.plan = [answer]
    assert word in text(ana.post(reverse("case-enrich", args=[case.pk])))


@pytest.fixture
def ada(client, db):
    client.force_login(factories.make_user("ada", role="administrator"))
    return client


def test_a_webhook_test_shows_what_came_back_from_each_address(ada, agent, fake):
    hook = f"https://desk.example/webhooks/{agent.connection.slug}/"
    data = {
        "error": "Bad Request", "message": "tool_webhook_url: The receiver answered HTTP 401.",
        "results": [
            {"url": hook, "kind": "job", "ok": True, "status": 200, "response": "ok", "took_ms": 12},
            {"url": hook, "kind": "tool", "tool_id": "t", "ok": False, "status": 401, "response": "<no>"},
        ],
    }  # fmt: skip
    fake.plan = [step(data, 400)]
    address = reverse("connection-test", args=[agent.connection.pk])
    page_text = text(ada.post(address))
    [(_, path, body)] = fake.asked
    assert path == "testWebhook"
    assert body["webhook_url"] == body["tool_webhook_url"]
    for word in ("Failed", "HTTP 200", "HTTP 401", "&lt;no&gt;", "job webhook"):
        assert word in page_text
    fake.plan = [step({"message": "Webhook test was successful."})]
    assert "Webhook test was successful." in text(ada.post(address))
    fake.plan = [
        step({"error": "Unauthorized", "message": "Invalid API key provided"}, 401)
    ]
    assert "Invalid API key provided" in text(ada.post(address))


def test_connections_are_for_administrators(ana, agent):
    assert ana.get(reverse("connections")).status_code == 403
    assert (
        ana.post(reverse("connection-test", args=[agent.connection.pk])).status_code
        == 403
    )
    assert 'href="/connections/"' not in text(ana.get("/"))
