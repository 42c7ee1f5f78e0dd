"""What one does over REST: submit, page, decide, hostile bodies, tokens, the description."""

from __future__ import annotations

import base64
import json
import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.utils.timezone import now
from jsonschema import Draft202012Validator

from compliance.db import paging
from reviews.access import api_tokens
from reviews.api import description, schemas
from reviews.audit import trail
from reviews.models import (
    ApiToken,
    Case,
    CaseEvent,
    Document,
    InformationRequest,
    Scope,
    Team,
)
from reviews.queue import filters
from tests.factories import make_agent, make_case, make_connection
from tests.reviews.api.calling import PREFIX, Caller
from tests.reviews.rows import one_person, open_case, someone, with_every_role

pytestmark = pytest.mark.django_db
JOB = "0c9b8a43-9d5e-4c6f-8a39-2f6f0f8a7b10"
PDF = b"%PDF-1.7\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n"
DATA = {
    "business_name": "Northwind Ltd",
    "address_of_incorporation": {"city": "Dover", "country_code": "US"},
    "partners": ["A", "B"],
    "a_member_of_ours": {"kept": [1, None]},
}


@pytest.fixture
def caller(db) -> Caller:
    return Caller(someone("analyst"))


@pytest.fixture
def draft(db) -> dict[str, Any]:
    return {"agent": make_agent(make_connection()).pk, "self_attested_data": DATA}


def approval(case: Case, **values) -> dict[str, Any]:
    data = {
        "outcome": "approve",
        "reasons": ["A02"],
        "rationale": "So.",
        "revision": case.revision,
    }
    return data | values


def test_a_case_comes_with_its_documents(caller, draft):
    draft["documents"] = [
        {
            "kind": "ein_documents",
            "file_name": "letter.pdf",
            "b64_document": base64.b64encode(PDF).decode(),
        }
    ]
    answer = caller.post("/cases", draft)
    assert answer.status_code == 201, answer.content
    case = Case.objects.get()
    assert answer["Location"] == f"{PREFIX}/cases/{case.pk}"
    assert case.self_attested_data == DATA
    assert (case.subject, case.country, case.submitted_by) == (
        "Northwind Ltd",
        "US",
        caller.user,
    )
    [listed] = caller.get(f"/cases/{case.pk}/documents").json()["items"]
    assert listed["file_name"] == "letter.pdf"
    response = caller.get(f"/documents/{listed['id']}/original")
    assert response.sent == PDF
    assert response["Content-Disposition"].startswith("attachment")


def test_a_case_comes_as_a_form(caller, draft):
    form = {
        "case": json.dumps(draft),
        "ein_documents": [SimpleUploadedFile(f"{n}.pdf", PDF) for n in "ab"],
    }
    body = encode_multipart(BOUNDARY, form)
    answer = caller.post("/cases", body, content_type=MULTIPART_CONTENT)
    assert answer.status_code == 201, answer.content
    assert Document.objects.count() == 2


def test_the_same_submission_is_the_same_case(caller, draft):
    draft["submission"] = str(uuid.uuid4())
    ids = {caller.post("/cases", draft).json()["id"] for _ in range(2)}
    assert len(ids) == Case.objects.count() == 1


@pytest.mark.parametrize(
    "change",
    [
        {"self_attested_data": {"business_name": "Another"}},
        {"reference": "R-2"},
        {"documents": [{"kind": "ein_documents", "file_name": "b.pdf", "b64_document": "JVBERi0yLjA="}]},
    ],
    ids=["data", "reference", "documents"],
)  # fmt: skip
def test_a_submission_with_other_data_is_refused(caller, draft, change):
    """The answer must not say that data was stored which is not."""
    draft["submission"] = str(uuid.uuid4())
    assert caller.post("/cases", draft).status_code == 201
    answer = caller.post("/cases", {**draft, **change})
    assert (answer.status_code, answer.json()["code"]) == (409, "submission_taken")
    assert Case.objects.count() == 1
    assert caller.post("/cases", draft).status_code == 201


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_submission_with_fewer_or_more_documents_is_refused(caller, draft, count):
    files = []
    for number in range(3):
        content = base64.b64encode(PDF + b"%" * number).decode()
        files.append({"kind": "ein_documents", "file_name": f"{number}.pdf", "b64_document": content})  # fmt: skip
    draft |= {"submission": str(uuid.uuid4()), "documents": files[:2]}
    assert caller.post("/cases", draft).status_code == 201
    answer = caller.post("/cases", {**draft, "documents": files[:count]})
    assert (answer.status_code, answer.json()["code"]) == (409, "submission_taken")
    # The order does not matter.
    again = caller.post("/cases", {**draft, "documents": files[1::-1]})
    assert again.status_code == 201
    assert Document.objects.count() == 2


def test_a_submission_is_repeated_after_the_applicant_sent_more(caller, draft):
    draft["submission"] = str(uuid.uuid4())
    assert caller.post("/cases", draft).status_code == 201
    case = Case.objects.get()
    request = InformationRequest.objects.create(
        case=case, made_by=caller.user, expires_at=now()
    )
    Document.objects.create(case=case, kind="ein_documents", request=request)
    assert caller.post("/cases", draft).status_code == 201


def test_a_reference_is_taken_once(caller, draft):
    draft["reference"] = "R-1"
    assert caller.post("/cases", draft).status_code == 201
    answer = caller.post("/cases", draft)
    assert (answer.status_code, answer.json()["code"]) == (409, "reference_taken")


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({}, "#/self_attested_data/business_name"),
        ({"business_name": 5}, "#/self_attested_data/business_name"),
        ({"business_name": "x" * 1001}, "#/self_attested_data/business_name"),
        (
            {"business_name": "A", "incorporation_date": "soon"},
            "#/self_attested_data/incorporation_date",
        ),
        (
            {"business_name": "A", "address_of_incorporation": "Dover"},
            "#/self_attested_data/address_of_incorporation/city",
        ),
        (
            {"business_name": "A", "ein_documents": [{}]},
            "#/self_attested_data/ein_documents",
        ),
    ],
)
def test_the_rules_of_the_form_hold(caller, draft, data, pointer):
    answer = caller.post("/cases", draft | {"self_attested_data": data})
    assert answer.status_code == 422
    assert pointer in {fault["pointer"] for fault in answer.json()["errors"]}
    assert not Case.objects.exists()


@pytest.mark.parametrize(
    ("content", "name"), [("%%", "a.pdf"), ("YWJj", "a.pdf"), ("JVBERi0x", "..")]
)
def test_documents_that_are_none_are_refused(caller, draft, content, name):
    one = {"kind": "ein_documents", "file_name": name, "b64_document": content}
    answer = caller.post("/cases", draft | {"documents": [one]})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"].startswith("#/documents")
    assert not Case.objects.exists()


def test_the_list_has_the_filters_of_the_queue(caller):
    connection = make_connection()
    for number in range(filters.PAGE + 3):
        make_case(connection, subject=f"Subject {number}", status="to_review")
    make_case(connection, kind="kyc", subject="Jo Doe", status="decided")
    first = caller.get("/cases?view=review").json()
    assert len(first["items"]) == filters.PAGE
    second = caller.get(f"/cases?view=review&cursor={first['next_cursor']}").json()
    assert second["next_cursor"] is None
    ids = [item["id"] for item in (*first["items"], *second["items"])]
    assert len(set(ids)) == filters.PAGE + 3
    [only] = caller.get("/cases?kind=kyc").json()["items"]
    [result] = caller.post("/cases/search", {"q": "jo doe"}).json()["items"]
    assert only["subject"] == result["subject"]
    for body in ({"q": "x" * 101}, {"view": "x"}, {"limit": 9}):
        assert caller.post("/cases/search", body).status_code == 422
    assert caller.post("/cases/search", {"cursor": "x"}).status_code == 400
    for wrong in ("view=x", "kind=x", "cursor=x", "limit=9", "q=jo+doe", "tag=x"):
        answer = caller.get(f"/cases?{wrong}")
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["parameter"] == wrong.partition("=")[0]


def test_pages_of_a_list_follow_each_other(caller):
    case = open_case()
    for number in range(5):
        caller.post(f"/cases/{case.pk}/notes", {"text": f"Note {number}"})
    pages, path = [], f"/cases/{case.pk}/notes?limit=2"
    answer = caller.get(path).json()
    while True:
        pages += [note["text"] for note in answer["items"]]
        if answer["next_cursor"] is None:
            break
        answer = caller.get(f"{path}&cursor={answer['next_cursor']}").json()
    assert pages == [f"Note {number}" for number in (4, 3, 2, 1, 0)]
    for wrong in (
        "limit=0",
        "limit=201",
        "limit=x",
        "cursor=WyJ4Il0",
        "cursor=WzFd",
        "cursor=é",
    ):
        assert caller.get(f"/cases/{case.pk}/notes?{wrong}").status_code == 400


@pytest.mark.parametrize(
    "values",
    [
        (10**30, "2026-01-01T00:00:00+00:00", JOB),
        (1, "0001-01-01T00:00:00+14:00", JOB),
        (1, "9999-12-31T23:59:59-14:00", JOB),
        (1, "2026-01-01T00:00:00", JOB),
        (1, "2026-01-01T00:00:00+00:00", "x"),
    ],
)
def test_a_cursor_with_values_that_no_row_can_have_is_refused(caller, values):
    text = paging.cursor(*values)
    answer = caller.get(f"/jobs?cursor={text}")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["parameter"] == "cursor"


def test_a_stale_revision_is_a_conflict(caller):
    one_person()
    case = open_case()
    stale = approval(Case.objects.get())
    assert caller.post(f"/cases/{case.pk}/decisions", stale).status_code == 201
    answer = caller.post(f"/cases/{case.pk}/decisions", stale)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert "decided this" in answer.json()["detail"]
    [event] = CaseEvent.objects.filter(what="decided")
    assert (event.user, event.actor) == (caller.user, "person")


def test_what_failed_must_be_settled_first_and_two_must_agree(caller):
    case = open_case(failing=True)
    answer = caller.post(f"/cases/{case.pk}/decisions", approval(Case.objects.get()))
    assert (answer.status_code, answer.json()["code"]) == (422, "refused")
    [check] = [
        c
        for c in caller.get(f"/cases/{case.pk}/review-state").json()["checks"]
        if c["is_open"]
    ]
    mark = {"check_id": check["check_id"], "kind": "overridden"}
    assert caller.post(f"/cases/{case.pk}/marks", mark).status_code == 422
    body = caller.post(f"/cases/{case.pk}/marks", mark | {"reason": "Namesake."}).json()
    assert body["obstacles"] == []
    assert {c["review"]["by"] for c in body["checks"] if c["review"]} == {
        caller.user.username
    }


HOSTILE = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'"x"',
    b"\xff\xfe",
    b'{"a": NaN}',
    b'{"text": "\\u0000"}',
    b'{"text": "\\ud800"}',
    b"[" * 5000,
    b'{"a":' * 500 + b"1" + b"}" * 500,
    b'{"text": 1e400}',
    b'{"text": {}, "revision": [], "name": 5, "outcome": {"a": 1}, "reasons": "A01"}',
    b'{"agent": 99999999999999999999, "self_attested_data": {}}',
    b'{"agent": 9223372036854775807, "self_attested_data": {}}',
    b'{"outcome":"approve","reasons":["A01"],"rationale":" ","revision":"x"}',
    b'{"outcome":"approve","reasons":["A01"],"rationale":"x","revision":"\xf0\x9f\x92\xa9"}',
    b'{"name": "x", "url": "javascript:alert(1)"}',
    b'{"name": "x", "url": "http://[::1"}',
]
SENDING = [
    (one.method, one.path) for one in description.endpoints() if one.operation.body
]


@pytest.mark.sweep
@pytest.mark.parametrize(("method", "path"), SENDING)
def test_hostile_bodies_are_told_what_is_wrong(method, path):
    case = open_case()
    caller = Caller(with_every_role("any"))
    address = path.format(pk=case.pk, batch=uuid.uuid4())
    for kind in ("application/json", "multipart/form-data; boundary=x", "text/plain"):
        for body in HOSTILE:
            answer = caller.call(method, address, body, content_type=kind)
            names = {200, 201, 400, 404, 409, 415, 422}
            assert answer.status_code in names, (body, answer.content)
    # Nothing need be said for these.
    result = CaseEvent.objects.exclude(what__in=["run_again", "claimed"])
    assert not result.filter(user=caller.user).exists()


def test_bodies_have_a_length_and_a_limit(caller, settings):
    case = open_case()
    path = f"/cases/{case.pk}/notes"
    headers = {"Transfer-Encoding": "chunked"}
    answer = caller.call("post", path, None, headers=headers)
    assert answer.status_code in {411, 422}
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    assert caller.post(path, {"text": "x" * 200}).status_code == 413


def test_no_valid_token_no_answer(db):
    user = someone("analyst")
    caller = Caller(user)
    row = ApiToken.objects.get()
    assert caller.get("/me").json()["user"] == "analyst"
    assert ApiToken.objects.get().last_used_at
    for change in (
        {"revoked_at": now()},
        {"revoked_at": None, "expires_at": now() - timedelta(seconds=1)},
    ):
        ApiToken.objects.filter(pk=row.pk).update(**change)
        answer = caller.get("/me")
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"] == "Bearer"
        assert answer.json()["code"] == "unauthenticated"
    ApiToken.objects.filter(pk=row.pk).update(expires_at=None)
    assert caller.get("/me").status_code == 200
    type(user).objects.filter(pk=user.pk).update(is_active=False)
    assert caller.get("/me").status_code == 401
    # A session is no token: nothing here needs a guard against forged requests.
    page = Client()
    page.force_login(someone("senior"))
    assert page.get(f"{PREFIX}/cases").status_code == 401


def test_a_token_may_call_so_often_a_minute(caller, settings):
    settings.API_RATE = 2
    # A new minute, which a slow machine would reach, starts a new counter.
    with time_machine.travel(now().replace(second=5), tick=False):
        assert [caller.get("/me").status_code for _ in range(3)] == [200, 200, 429]
        assert int(caller.get("/me")["Retry-After"]) <= 60
        assert Caller(caller.user).get("/me").status_code == 200


def test_other_methods_are_told(caller):
    answer = caller.call("put", "/cases", {})
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert caller.client.options(f"{PREFIX}/cases").status_code in {401, 405}


def test_the_secret_of_a_subscription_is_shown_once(db):
    caller = Caller(someone("administrator"))
    body = caller.post(
        "/subscriptions", {"name": "CRM", "url": "https://example.com/"}
    ).json()
    assert len(body["secret"]) > 40
    assert "secret" not in caller.get(f"/subscriptions/{body['id']}").json()
    again = caller.post(
        "/subscriptions", {"name": "CRM", "url": "https://example.com/"}
    )
    assert (again.status_code, again.json()["code"]) == (409, "name_taken")
    wrong = caller.post("/subscriptions", {"name": "B", "url": "ftp://example.com/"})
    assert wrong.json()["errors"][0]["pointer"] == "#/url"


def test_the_page_shows_a_token_once_and_revokes_it(client):
    user = someone("analyst")
    client.force_login(user)
    data = {"name": "CRM", "user": "analyst", "scopes": ["cases:read", "cases:decide"]}
    page = client.post("/tokens/", data)
    raw = page.context["raw"]
    assert raw in page.content.decode()
    assert raw not in client.get("/tokens/").content.decode()
    token = ApiToken.objects.get()
    assert (token.user, token.scopes) == (user, ["cases:read", "cases:decide"])
    assert raw not in (token.digest, token.prefix)
    headers = {"Authorization": f"Bearer {raw}"}
    assert Client().get(f"{PREFIX}/me", headers=headers).status_code == 200
    client.post(f"/tokens/{token.pk}/revoke/")
    assert Client().get(f"{PREFIX}/me", headers=headers).status_code == 401
    lines = CaseEvent.objects.filter(user=user).values_list("what", flat=True)
    assert list(lines) == ["token_made", "token_revoked"]


def test_nobody_decides_in_the_name_of_another(client):
    someone("senior")
    client.force_login(someone("administrator"))
    data = {"name": "CRM", "user": "senior", "scopes": [Scope.DECIDE.value]}
    assert client.post("/tokens/", data).status_code == 422
    assert not ApiToken.objects.exists()
    assert (
        client.post("/tokens/", data | {"scopes": [Scope.READ.value]}).status_code
        == 200
    )
    assert ApiToken.objects.get().made_by.username == "administrator"


def test_one_sees_and_revokes_only_ones_own(client):
    owner = someone("senior")
    token, _ = api_tokens.create(
        actor=owner, user=owner, name="x", scopes=["cases:read"]
    )
    client.force_login(someone("analyst"))
    assert token.prefix not in client.get("/tokens/").content.decode()
    assert client.post(f"/tokens/{token.pk}/revoke/").status_code == 404
    for_other = {"name": "CRM", "user": "senior", "scopes": ["cases:read"]}
    assert client.post("/tokens/", for_other).status_code == 422
    client.force_login(someone("auditor"))
    assert client.get("/tokens/").status_code == 403


def test_the_description_is_valid_and_read_without_a_token(client):
    answer = client.get(f"{PREFIX}/schema/")
    assert answer.content == client.get(f"{PREFIX}/openapi.json").content
    document = answer.json()
    assert document["openapi"] == "3.1.0"
    for part in schemas.PARTS.values():
        Draft202012Validator.check_schema(part)
    named = set(re.findall(r"#/components/schemas/(\w+)", str(document)))
    assert named <= set(document["components"]["schemas"])
    ids = [
        one["operationId"]
        for methods in document["paths"].values()
        for one in methods.values()
    ]
    assert len(ids) == len(set(ids)) == len(list(description.endpoints()))


def test_the_trail_of_a_case_has_its_chain(db):
    caller = Caller(someone("auditor"))
    case = open_case()
    Team.objects.create(name="Others").connections.add(case.connection)
    Caller(with_every_role("any")).post(f"/cases/{case.pk}/notes", {"text": "Seen."})

    trail.seal_all()
    events = caller.get(f"/cases/{case.pk}/events").json()["items"]
    assert events[-1]["what"] == "note_added"
    assert events[-1]["by"] == "any"
    assert (
        trail.line(events[-1]["seq"], CaseEvent.objects.get(pk=events[-1]["id"]))
        in (events[-1]["line"])
    )


@pytest.mark.parametrize(
    "reference", ['{"id":"1","status":"complete"}', "[1]", "a\\b", "null"]
)
def test_a_reference_that_could_be_a_webhook_is_refused(caller, draft, reference):
    answer = caller.post("/cases", {**draft, "reference": reference})
    assert answer.status_code == 422, answer.content
    [fault] = answer.json()["errors"]
    assert fault["pointer"] == "#/reference"
    assert fault["detail"].startswith("A reference has no control characters")
    assert not Case.objects.exists()
