"""The endpoints pass the middleware of pages, and need neither its sessions nor its forms."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from agenthub.api.urls import urlpatterns

PREFIX = "/api/v1/"
ENDPOINTS = [str(each.pattern) for each in urlpatterns if str(each.pattern).isalnum()]


def test_there_are_endpoints():
    assert "getJobsByCaseId" in ENDPOINTS


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_an_answer_is_no_page(endpoint, client, db):
    response = client.get(f"{PREFIX}{endpoint}")
    assert response.status_code == 401
    assert response["Content-Length"] == str(len(response.content))
    assert response["Content-Security-Policy"].startswith(
        "default-src 'none'; frame-ancestors"
    )
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cache-Control"] == "no-store"
    assert not response.cookies


def test_it_takes_no_session_and_sets_no_cookie(caller, django_assert_num_queries):
    caller.client.cookies["sessionid"] = "anything"
    caller.get("getAvailableChecks")  # the first use of the key is written
    with django_assert_num_queries(1):
        response = caller.get("getAvailableChecks")
    assert response.status_code == 200
    assert not response.cookies
    assert "Cookie" not in response.get("Vary", "")
    assert not Session.objects.exists()


def test_a_bearer_key_needs_no_csrf_token(caller):
    caller.client = Client(enforce_csrf_checks=True)
    response = caller.post(
        "startKYBAgentJob", caller.kyb_body(), Origin="https://evil.example"
    )
    assert response.status_code == 200


def test_a_host_that_is_not_ours_is_refused(client, db):
    assert (
        client.get(f"{PREFIX}getJobById", headers={"host": "evil.example"}).status_code
        == 400
    )


def test_a_file_is_not_given_a_length_that_it_does_not_have(caller):
    """An export is written while it is read."""
    body = caller.kyb_body()
    body["batch_id"] = "6b0f66d0-5ca6-4a4b-9f0c-4b5a3c0b8e11"
    assert caller.post("startKYBAgentJob", body).status_code == 200
    response = caller.get(
        "exportCSVBatch", batch_id=body["batch_id"], agent_key=caller.kyb.key
    )
    assert response.status_code == 200
    assert "Content-Length" not in response.headers
    assert response.getvalue().startswith(b"job_id,")
