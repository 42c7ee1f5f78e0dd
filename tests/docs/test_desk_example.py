"""The case from end to end in docs/desk-api.md: each of its calls does what the page says."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from typing import Any, NamedTuple

import orjson
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import MULTIPART_CONTENT, encode_multipart

from reviews.access import roles
from reviews.models import Case, Job, Scope
from tests.docs.pages import code, read
from tests.factories import make_agent, make_connection, make_user
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import add_check_result, add_tool_result, wire

pytestmark = pytest.mark.django_db

BOUNDARY = "a-boundary"


class Call(NamedTuple):
    token: str
    path: str
    json: dict[str, Any] | None
    parts: dict[str, str]


def calls() -> list[Call]:
    page = read("docs/desk-api.md").partition("## A case from end to end")[2]
    lines = code(page, "sh")[0].replace("\\\n", " ").splitlines()
    return [_call(shlex.split(line)) for line in lines if line.startswith("curl ")]


def _call(words: list[str]) -> Call:
    token = words[words.index("-H") + 1].strip("$")
    [address] = [word for word in words if word.startswith("$desk")]
    result = (
        orjson.loads(words[words.index("--json") + 1]) if "--json" in words else None
    )
    parts = [after.split("=", 1) for word, after in pairwise(words) if word == "-F"]
    return Call(token, address.removeprefix("$desk"), result, dict(parts))


def of_agent(parts: dict[str, str], pk: int) -> dict[str, str]:
    """The example names the agent of a new installation; here it may have another id."""
    assert '"agent": 1' in parts["case"]
    return parts | {"case": parts["case"].replace('"agent": 1', f'"agent": {pk}')}


def multipart(parts: dict[str, str]) -> bytes:
    by_name = {
        name: SimpleUploadedFile(value[1:], b"%PDF-1.7 certificate")
        if value.startswith("@")
        else value.removesuffix(";type=application/json")
        for name, value in parts.items()
    }
    return encode_multipart(BOUNDARY, by_name)


def examined(check_id: str) -> None:
    """What the service would send: the document is fine, and one check of the case did not pass."""
    job = Job.objects.get()
    job.status = Job.Status.COMPLETE
    job.due_at = None
    job.save()
    add_check_result(
        job, {"passed": False, "explanation": "One name fits."}, check_id=check_id
    )
    document = job.case.documents.get()
    data = payloads.fraud() | {
        "verification_passed": True,
        "verification_result": "TRUSTED",
    }
    body = payloads.tool_results(
        "fraud_verification_data", data, document=wire(document), passed=True
    )
    add_tool_result(job, payloads.FRAUD, body, subject=str(document.pk))
    Case.objects.update(status=Case.Status.TO_REVIEW)


def _number() -> int:
    case = Case.objects.first()
    return case.pk if case else 0


def test_each_call_of_the_example_works():
    agent = make_agent(make_connection())
    scopes = (Scope.READ, Scope.SUBMIT, Scope.DECIDE, Scope.SUBSCRIPTIONS)
    callers = {
        "auth": Caller(make_user("ana", role=roles.SENIOR), *scopes),
        "second": Caller(make_user("sven", role=roles.SENIOR), *scopes),
        "admin": Caller(make_user("root", role=roles.ADMINISTRATOR), *scopes),
    }
    marked = next(
        call.json["check_id"]
        for call in calls()
        if call.path.endswith("/marks") and call.json
    )
    answers: dict[str, Any] = {}
    for call in calls():
        caller = callers[call.token]
        path = re.sub(r"^/cases/1\b", f"/cases/{_number()}", call.path)
        if call.parts:
            result = multipart(of_agent(call.parts, agent.pk))
            answer = caller.post(
                path,
                result,
                content_type=MULTIPART_CONTENT.replace("BoUnDaRyStRiNg", BOUNDARY),
            )
            assert answer.status_code == 201, answer.content
            examined(marked)
        elif call.json is not None:
            now_seen = (
                {"revision": Case.objects.get().revision}
                if "revision" in call.json
                else {}
            )
            answer = caller.post(path, call.json | now_seen)
        else:
            answer = caller.get(path)
        assert answer.status_code in {200, 201}, (call.path, answer.content)
        answers[call.path.rpartition("/")[2]] = answer.json()
    assert [row["reference"] for row in answers["cases?view=review"]["items"]] == [
        "C-7"
    ]
    assert answers["review-state"]["obstacles"]
    assert answers["marks"]["obstacles"] == []
    assert answers["decisions"]["status"] == "proposed"
    assert answers["second"]["status"] == "standing"
    assert Case.objects.get().status == Case.Status.DECIDED
