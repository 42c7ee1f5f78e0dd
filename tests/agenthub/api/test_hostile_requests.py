"""Whatever comes in, what goes out is JSON and never a 5xx."""

from __future__ import annotations

import copy
import gzip
import json
from typing import Any

import orjson
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agenthub.models import AgentJob
from compliance.security.logs import Formatter
from tests.agenthub.conftest import KYB, KYC

# The fixture is made once for all examples: they only add jobs to it.
slowly = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def error(answer, status: int) -> dict[str, Any]:
    """The body of an answer that must have the one shape of errors."""
    assert answer.status_code == status, answer.content[:500]
    assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "no-store"
    body: dict[str, Any] = orjson.loads(answer.content)
    assert {"error", "message"} <= set(body) <= {"error", "message", "detail"}
    assert body["error"]
    assert body["message"]
    return body


def survives(answer) -> bool:
    body = orjson.loads(answer.content)
    if answer.status_code == 200:
        return bool(body["status"] == "ok")
    if answer.status_code == 409:
        return set(body) == {"error", "job_id"}
    error(answer, answer.status_code)
    return answer.status_code in {400, 403}


NOT_JSON = [
    *(
        b"",
        b" ",
        b"{",
        b"}",
        b"nonsense",
        b"{'a': 1}",
        b'{"a": 1,}',
        b'{"a": 1} x',
        b"\x00",
    ),
    *(
        b"\xff\xfe",
        b'{"a": "\xff"}',
        b'\xef\xbb\xbf{"a": 1}',
        '{"a": 1}'.encode("utf-16"),
    ),
    *(
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": -Infinity}',
        b'{"a": 1e400}',
        b'{"a": 01}',
    ),
    *(
        b'{"a": "\\ud800"}',
        b'{"\\udfff": 1}',
        b'{"a": "\x00"}',
        b'{"a": "\n"}',
        b"{1: 2}",
    ),
    *(b'{"a": "\\x41"}', b"a=1&b=2", b"<xml/>", b'{"a": ' + b"9" * 5000 + b"}"),
    *(b"[" * 100_000, b'{"a":' * 100_000, b"[" * 2000 + b"]" * 2000),
]
NOT_AN_OBJECT = [b"null", b"true", b"7", b'"text"', b"[]", b'[{"agent_key": "x"}]']


@pytest.mark.parametrize("endpoint", [KYB, KYC])
@pytest.mark.parametrize("body", NOT_JSON)
def test_what_is_not_json_is_a_400(caller, endpoint, body):
    detail = error(caller.post(endpoint, body), 400)["detail"]
    assert detail
    assert all(set(item) == {"loc", "msg", "type"} for item in detail)


@pytest.mark.parametrize("body", NOT_AN_OBJECT)
def test_what_is_not_an_object_is_a_400(caller, body):
    [detail] = error(caller.post(KYB, body), 400)["detail"]
    assert detail["loc"] == []
    assert detail["type"] == "not_an_object"


def nested(levels: int, *, of: str) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value] if of == "list" else {"a": value}
    return value


@pytest.mark.parametrize("of", ["list", "dict"])
def test_depth_is_kept_up_to_a_limit(caller, of):
    # The body itself is the first level, the innermost value the last.
    deepest = caller.kyb_body(mine=nested(62, of=of))
    assert caller.post(KYB, deepest).status_code == 200
    assert AgentJob.objects.get().input_payload == deepest
    [detail] = error(caller.post(KYB, caller.kyb_body(mine=nested(63, of=of))), 400)[
        "detail"
    ]
    assert detail["type"] == "too_deep"


@pytest.mark.parametrize("mine", ["a\0b", {"a\0": 1}, [["\0"]], {"a": {"b": "\0"}}])
def test_the_nul_character_cannot_be_kept(caller, mine):
    [detail] = error(caller.post(KYB, caller.kyb_body(mine=mine)), 400)["detail"]
    assert detail["type"] == "nul_character"


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1025, 10**300, 1e300, -1e25])
def test_a_number_that_cannot_be_kept_exactly_is_refused(caller, number):
    [detail] = error(caller.post(KYB, caller.kyb_body(mine=number)), 400)["detail"]
    assert detail["type"] == "number_too_large"


@pytest.mark.parametrize(
    "number", [2**64 - 1, -(2**63), 0, -0.5, 1e-300, 123456.789, 1e18]
)
def test_other_numbers_come_back_as_they_were(caller, number):
    body = caller.kyb_body()
    body["kyb_schema"]["mine"] = number
    job_id = caller.post(KYB, body).json()["job_id"]
    result = orjson.loads(caller.get("getJobById", job_id=job_id).content)
    assert result["input_payload"]["mine"] == number


@pytest.mark.parametrize(
    "text",
    [
        "a\u2028",
        "\ufeff",
        "\U0001d518",
        "\u202e",
        "\uffff",
        "\x7f",
        "'; DROP TABLE",
        "%s",
        "{}",
    ],
)
def test_any_text_comes_back_as_it_was(caller, text):
    body = caller.kyb_body()
    data = {"business_name": text}
    body["kyb_schema"] = {
        "id": "case-of-any-text",
        "self_attested_data": data,
        text: text,
    }
    job_id = caller.post(KYB, body).json()["job_id"]
    assert (
        caller.get("getJobById", job_id=job_id).json()["input_payload"]
        == body["kyb_schema"]
    )
    key = caller.kyb.key
    jobs = caller.get(
        "getJobsByCaseId", case_id="case-of-any-text", agent_key=key
    ).json()["jobs"]
    assert jobs[0]["id"] == job_id


def test_a_member_that_comes_twice_is_refused(caller):
    """Two readers of such a body may not agree which one counts."""
    body = json.dumps(caller.kyb_body()).removesuffix("}") + ', "agent_key": "nobody"}'
    error(caller.post(KYB, body.encode()), 400)


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
     "application/xml", "application/jsonp", "text/html; charset=utf-8", ";", "application/*"],
)  # fmt: skip
def test_a_body_of_another_type_is_415(caller, content_type):
    body = json.dumps(caller.kyb_body()).encode()
    answer = error(caller.post(KYB, body, content_type=content_type), 415)
    assert answer["message"] == "The Content-Type must be application/json."


def test_a_compressed_body_is_415_and_says_so(caller):
    body = gzip.compress(orjson.dumps(caller.kyb_body()))
    for coding in ("gzip", "GZIP", "br", "identity, gzip"):
        answer = error(caller.post(KYB, body, **{"Content-Encoding": coding}), 415)
        assert "uncompressed" in answer["message"]
    plain = caller.post(KYB, caller.kyb_body(), **{"Content-Encoding": "identity"})
    assert plain.status_code == 200


def test_a_file_of_cases_that_is_no_form_is_told_what_to_be(caller):
    answer = error(caller.post("enqueueFromCSV", b"a=b", "text/csv"), 415)
    types = "application/json or multipart/form-data"
    assert answer["message"] == f"The Content-Type must be {types}."


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON;charset=nonsense",
    ],
)
def test_json_is_utf_8_whatever_its_charset_says(caller, content_type):
    body = caller.kyb_body(mine="ü")
    answer = caller.post(KYB, orjson.dumps(body), content_type=content_type)
    assert answer.json()["job"]["input_payload"]["mine"] == "ü"


def test_a_body_of_unknown_length_is_411(caller):
    headers = {**caller.headers, "Transfer-Encoding": "chunked"}
    answer = caller.client.generic("POST", f"/api/v1/{KYB}", headers=headers)
    assert set(error(answer, 411)) == {"error", "message"}


def test_a_body_that_is_too_large_is_413(caller, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 5000
    fits = orjson.dumps(caller.kyb_body(mine="x"))
    fits += b" " * (5000 - len(fits))
    assert caller.post(KYB, fits).status_code == 200
    assert set(error(caller.post(KYB, fits + b" "), 413)) == {"error", "message"}


def test_a_document_of_many_megabytes_is_taken(caller):
    body = caller.kyb_body()
    document = {
        "b64_document": "JVBERi0xLjcK" + "QUJD" * (4 << 20),
        "file_name": "a.pdf",
    }
    body["kyb_schema"]["self_attested_data"]["incorporation_documents"] = [document]
    assert caller.post(KYB, body).status_code == 200


def test_a_body_that_is_wrong_a_thousand_times_is_answered_with_some_of_it(caller):
    body = caller.kyb_body(check_ids=["nothing"] * 1000)
    assert len(error(caller.post(KYB, body), 400)["detail"]) == 100


@pytest.mark.parametrize(
    "method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "ODD"]
)
def test_a_start_is_a_post(caller, method):
    answer = caller.client.generic(method, f"/api/v1/{KYB}", headers=caller.headers)
    assert set(error(answer, 405)) == {"error", "message"}
    assert "POST" in answer["Allow"]


@pytest.mark.parametrize(
    "endpoint", ["getJobById", "getJobsByCaseId", "getCheckResults"]
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_a_read_is_a_get(caller, endpoint, method):
    answer = caller.client.generic(
        method, f"/api/v1/{endpoint}", headers=caller.headers
    )
    error(answer, 405)
    assert "GET" in answer["Allow"]


@pytest.mark.parametrize(
    "path",
    ["", "nothing", "getJobById/", "startKYBAgentJob/", "getjobbyid", "../v1/x", "getJobById/x",
     "a/b/c", "%00", "%ff%fe", "getJobById%0a", "%2e%2e", "<script>"],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_unknown_path_is_404(caller, path, method):
    for headers in (caller.headers, None):
        answer = caller.client.generic(method, f"/api/v1/{path}", headers=headers)
        assert set(error(answer, 404)) == {"error", "message"}


@pytest.mark.parametrize(
    "accept", ["text/html", "application/xml", "*/*", "", "nonsense", ";q=x"]
)
def test_the_hub_speaks_json_whatever_is_accepted(caller, accept):
    headers = {**caller.headers, "Accept": accept}
    error(caller.client.get("/api/v1/getJobById?format=xml", headers=headers), 400)
    error(caller.client.get("/api/v1/nothing?format=api", headers=headers), 404)


def test_more_query_parameters_than_are_read_are_a_400(caller):
    query = "&".join(f"a{number}=1" for number in range(2000))
    answer = caller.client.get(f"/api/v1/getJobById?{query}", headers=caller.headers)
    error(answer, 400)


def test_a_fault_of_ours_is_a_500_that_says_nothing_and_logs_no_data(
    caller, settings, caplog
):
    settings.API_RATE = "a setting of the wrong type, as secret as can be"
    answer = caller.client.get(
        "/api/v1/getJobsByCaseId",
        {"case_id": "Ana Reyes", "agent_key": caller.kyb.key},
        headers=caller.headers,
    )
    body = error(answer, 500)
    assert set(body) == {"error", "message"}
    assert body["error"] == "Internal Server Error"
    for record in caplog.records:
        record.exc_text = None  # as pytest's own handler wrote it
    text = "\n".join(map(Formatter().format, caplog.records))
    assert "TypeError" in text
    assert "throttling.py" in text
    assert all(word not in text for word in ("secret", "Ana Reyes", caller.api_key))


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["x", ""]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
    ),
    max_leaves=12,
)


@slowly
@given(body=st.binary())
def test_random_bytes_are_survived(caller, body):
    assert survives(caller.post(KYB, body))


@slowly
@given(body=anything)
def test_random_json_is_survived(caller, body):
    assert survives(caller.post(KYB, json.dumps(body).encode(errors="surrogatepass")))


def places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where a JSON value holds something, from the outside in."""
    members: Any = ()
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    return [
        place,
        *(
            result
            for key, member in members
            for result in places(member, (*place, key))
        ),
    ]


FULL = {
    "agent_key": "", "webhook_url": "https://a.test", "tool_webhook_url": "https://a.test",
    "slack_webhook_url": "https://a.test", "check_ids": [], "batch_id": "x",
    "kyb_schema": {
        "id": "case",
        "self_attested_data": {
            "business_name": "N", "website": ["n.test"], "incorporation_date": "2024-01-01",
            "address_of_incorporation": {"city": "C", "country_code": "US"},
            "incorporation_documents": [{"url": "https://a.test/d", "type": "Document"}],
        },
        "associated_individuals": [{
            "id": "i", "self_attested_data": {
                "first_name": "A", "last_name": "R", "associated_addresses": [{"city": "C"}],
                "government_id_verification_data": {"id_data": {"mrz": ["P<"], "address": {}}},
            },
        }],
    },
}  # fmt: skip


@slowly
@given(data=st.data())
def test_a_good_body_with_anything_at_any_place_is_survived(caller, data):
    body: Any = copy.deepcopy(FULL)
    body |= {"agent_key": caller.kyb.key, "batch_id": None}
    *way, last = data.draw(st.sampled_from(places(body)[1:]))
    target = body
    for step in way:
        target = target[step]
    target[last] = data.draw(anything)
    answer = caller.post(KYB, json.dumps(body).encode(errors="surrogatepass"))
    assert survives(answer)
    if answer.status_code == 200:
        job_id = answer.json()["job_id"]
        assert caller.get("getJobById", job_id=job_id).status_code == 200


@slowly
@given(query=st.dictionaries(
    st.sampled_from(["job_id", "case_id", "agent_key", "include_check_results", "x"]),
    st.text(st.characters(exclude_categories=["Cs"])),
))  # fmt: skip
@pytest.mark.parametrize(
    "endpoint", ["getJobById", "getJobsByCaseId", "getCheckResults"]
)
def test_random_queries_are_survived(caller, endpoint, query):
    answer = caller.get(endpoint, **query)
    error(answer, answer.status_code)
    assert answer.status_code in {400, 403, 404}


@pytest.mark.django_db
@pytest.mark.parametrize("endpoint", ["getJobById", "getCheckResults"])
def test_a_parameter_that_is_there_twice_is_refused(caller, endpoint):
    """Programs differ in which of the two counts: a proxy may allow one, and the hub read the other."""
    ids = [str(caller.job().job_id), str(caller.job().job_id)]
    body = error(caller.get(endpoint, job_id=ids), 400)
    [fault] = body["detail"]
    assert fault["loc"] == ["job_id"]
    assert fault["type"] == "repeated"


@pytest.mark.django_db
@pytest.mark.parametrize("member", ["file", "batch_name"])
def test_a_form_with_two_files_or_fields_of_one_name_starts_nothing(caller, member):
    """Of two files only one would be read, and the cases of the other would be lost."""
    files = [
        SimpleUploadedFile(f"{name}.csv", f"id,business_name\n{name},Acme\n".encode())
        for name in "ab"
    ]
    form = {"agent_key": caller.kyb.key, "file": files[0], "batch_name": "one"}
    form[member] = files if member == "file" else ["one", "two"]
    body = error(caller.send("enqueueFromCSV", form), 400)
    [fault] = body["detail"]
    assert fault["loc"] == [member]
    assert fault["type"] == "repeated"
    assert not AgentJob.objects.exists()
