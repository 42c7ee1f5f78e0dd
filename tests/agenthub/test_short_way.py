"""The endpoints take a short way through the middleware, and answer as if they had taken the long one."""

from __future__ import annotations

import pytest
from django.urls import resolve

from agenthub.api.urls import urlpatterns
from agenthub.middleware import PREFIX

ENDPOINTS = [str(one.pattern) for one in urlpatterns if str(one.pattern).isalnum()]

POLICY = "Content-Security-Policy"  # of pages; what is no page gets the strictest


def test_there_are_endpoints():
    assert "getJobsByCaseId" in ENDPOINTS


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_the_long_way_answers_alike(endpoint, client, db, settings):
    path = f"{PREFIX}{endpoint}"
    assert resolve(path).route.endswith(endpoint)
    short = client.get(path)
    settings.MIDDLEWARE = [one for one in settings.MIDDLEWARE if "straight_to_endpoint" not in one]
    client.handler.load_middleware()
    long = client.get(path)
    assert short.status_code == long.status_code == 401
    assert short.content == long.content
    assert {**short.headers, POLICY: ""} == {**long.headers, POLICY: ""}
    assert short.headers[POLICY].startswith("default-src 'none'; frame-ancestors 'none'")


def test_it_takes_no_session_and_sets_no_cookie(caller, django_assert_num_queries):
    caller.get("getAvailableChecks")  # the first use of the key is written
    with django_assert_num_queries(1):
        answer = caller.get("getAvailableChecks")
    assert answer.status_code == 200
    assert not answer.cookies


def test_a_host_that_is_not_ours_is_refused(client, db):
    assert client.get(f"{PREFIX}getJobById", headers={"host": "evil.example"}).status_code == 400


def test_a_file_is_not_given_a_length_that_it_does_not_have(caller):
    """An export is written while it is read."""
    body = caller.kyb_body()
    body["batch_id"] = "6b0f66d0-5ca6-4a4b-9f0c-4b5a3c0b8e11"
    assert caller.post("startKYBAgentJob", body).status_code == 200
    answer = caller.get("exportCSVBatch", batch_id=body["batch_id"], agent_key=caller.kyb.key)
    assert answer.status_code == 200
    assert "Content-Length" not in answer.headers
    assert answer.getvalue().startswith(b"job_id,")
