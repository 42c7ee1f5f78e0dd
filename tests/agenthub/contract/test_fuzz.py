"""Whatever is sent with a good key, the answer is one that the description names, and never 500."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from agenthub.schemas import description
from tests.agenthub.contract import described

BODIES = [one for one in description.ENDPOINTS if one.operation.body]
QUERIES = [one for one in description.ENDPOINTS if one.operation.query]
BRIEF = settings(
    max_examples=12,
    deadline=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
TEXTS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        [
            "",
            " ",
            "\ud800",
            "\0",
            "0",
            "-1",
            "9" * 30,
            "NaN",
            "true",
            "null",
            "é" * 300,
            "=1+1",
        ]
    ),
    st.sampled_from(
        ["https://a.test/x", "http://[::1", "//x", "http://10.0.0.1/", "ftp://x"]
    ),
)
ANYTHING = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**20), 10**20),
        st.floats(),
        TEXTS,
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text(max_size=8), inner, max_size=3),
    ),
    max_leaves=6,
)


def fitting(name: str, names: dict[str, str]) -> st.SearchStrategy[Any]:
    """A value that fits the member more often than not, or anything at all."""
    good = st.just(names[name]) if name in names else TEXTS
    return st.one_of(good, good, ANYTHING)


@st.composite
def members(draw, names: list[str], facts: dict[str, Any]) -> dict[str, Any]:
    ids = {name for name in names if name in facts or draw(st.booleans())}
    return {name: draw(fitting(name, facts)) for name in ids}


@pytest.fixture
def known(caller) -> dict[str, Any]:
    """Values that exist: without them nothing but the first look at a request is tried."""
    job = caller.job()
    data = {
        "business_name": "Northwind",
        "website": "a.test",
        "first_name": "A",
        "last_name": "B",
    }
    schema = {"id": "case-001", "self_attested_data": data}
    return {
        "agent_key": caller.kyb.key,
        "job_id": str(job.job_id),
        "case_id": "case-001",
        "application_id": "case-001",
        "kyb_schema": schema,
        "kyc_schema": schema,
        "check_id": "kyb.incorporation_document_verification",
        "batch_id": str(uuid.uuid4()),
        "csv": "id,business_name\n1,Northwind\n",
        "b64_document": "JVBERi0xLjcK",
        "feedback": "Good.",
    }


@pytest.mark.parametrize("endpoint", BODIES, ids=lambda one: one.operation.name)
def test_a_body_of_any_content_is_answered_as_described(caller, known, endpoint):
    schema = description.SCHEMAS[endpoint.operation.body]
    names = list(schema.get("properties", {}))

    @BRIEF
    @given(members([*names, "unknown"], {k: v for k, v in known.items() if k in names}))
    def payload(body):
        # Nothing is sent to the addresses that are made up here.
        body = {
            k: v
            for k, v in body.items()
            if endpoint.path != "/testWebhook" or "url" not in k
        }
        raw = json.dumps(body).encode("utf-8", "surrogatepass")
        answer = caller.post(endpoint.path[1:], raw)
        assert answer.status_code != 500, answer.content

    payload()


@pytest.mark.parametrize("endpoint", QUERIES, ids=lambda one: one.operation.name)
def test_a_query_of_any_content_is_answered_as_described(caller, known, endpoint):
    names = list(endpoint.operation.query)

    @BRIEF
    @given(members(names, {k: v for k, v in known.items() if k in names}))
    def payload(query):
        by_name = {k: v for k, v in query.items() if isinstance(v, str)}
        by_name = {k: v.encode("utf-8", "replace").decode() for k, v in by_name.items()}
        answer = caller.get(endpoint.path[1:], **by_name)
        assert answer.status_code != 500, answer.content

    payload()


@pytest.mark.parametrize("endpoint", BODIES, ids=lambda one: one.operation.name)
def test_bytes_that_are_no_json_are_answered_as_described(caller, endpoint):
    @settings(BRIEF, max_examples=6)
    @given(st.binary(max_size=40), st.sampled_from(["application/json", "multipart/form-data; boundary=x", "text/csv", ""]))  # fmt: skip
    def payload(raw, content_type):
        answer = caller.post(endpoint.path[1:], raw, content_type=content_type)
        assert 400 <= answer.status_code < 500, answer.content

    payload()


def test_the_fuzz_would_see_a_status_that_is_not_described(caller):
    answer = caller.client.get("/api/v1/getJobById", headers=caller.headers)
    answer.status_code = 418
    with pytest.raises(AssertionError, match="418"):
        described.holds("get", "getJobById", answer)
