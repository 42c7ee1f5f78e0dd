"""Why a service recommends what it does: taken in whatever shape it comes, and shown in every place."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any

import pypdfium2
import pytest
from django.test import Client

from reviews.intake import cases
from reviews.jobs import lifecycle
from reviews.models import Case, Job
from tests import fakeservice
from tests.factories import make_agent, make_case, make_connection, make_job, make_user
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import words
from tests.webhooks.asking import ask
from tests.webhooks.test_receiver import send
from webhooks.tasks import EVENTS

pytestmark = pytest.mark.django_db

LACKS = "No document of incorporation was submitted."
VERSION = "kyb-2026-11-23"


@pytest.fixture
def job() -> Job:
    connection = make_connection()
    return make_job(
        make_case(connection, agent=make_agent(connection), reference="case-1")
    )


def event_payload(job: Job, **more: Any) -> dict[str, Any]:
    hook = {
        "id": job.remote_id,
        "status": "complete",
        "recommendation": "Review",
        **more,
    }
    assert send(Client(), json.dumps(hook).encode()).status_code == 200
    EVENTS.drain()
    return hook


def end(job: Job, **more: Any) -> Case:
    ask(event_payload(job, **more))
    job.refresh_from_db()
    assert job.status == Job.Status.COMPLETE
    return Case.objects.get(pk=job.case_id)


SHAPES: list[tuple[Any, list[str]]] = [
    ([LACKS], [LACKS]),
    (LACKS, [LACKS]),
    ([LACKS, LACKS, "", None, " "], [LACKS]),
    ([{"message": LACKS}], [f"Message: {LACKS}"]),
    ({"1": LACKS}, [LACKS]),
    ([[LACKS]], [LACKS]),
    (None, []),
    ([], []),
    (True, []),
    ({}, []),
    (7, ["7"]),
    (["a\u0000b"], ["ab"]),
    (["x" * 5000], ["x" * 500 + "…"]),
    ([f"r{n}" for n in range(60)], [*(f"r{n}" for n in range(40)), "And 20 more."]),
]


@pytest.mark.parametrize(("payload", "stored"), SHAPES)
def test_reasons_of_any_shape_are_kept_as_words(job, client, payload, stored):
    case = end(job, recommendation_reasons=payload, requirements_version=VERSION)
    assert case.recommendation_reasons == job.recommendation_reasons == stored
    assert case.requirements_version == job.requirements_version == VERSION
    client.force_login(make_user())
    text = words(client, f"/cases/{case.pk}/")
    assert all(reason in text for reason in stored)
    assert VERSION in text


@pytest.mark.parametrize(
    ("payload", "stored"), [("v" * 200, "v" * 80 + "…"), (3, "3"), (None, "")]
)
def test_a_version_of_any_shape_is_kept(job, payload, stored):
    assert end(job, requirements_version=payload).requirements_version == stored


def test_the_reasons_stand_wherever_the_recommendation_stands(job, client):
    script = "<script>alert(1)</script>"
    case = end(
        job, recommendation_reasons=[LACKS, script], requirements_version=VERSION
    )
    client.force_login(make_user(role="senior"))
    for address in (
        f"/cases/{case.pk}/",
        f"/cases/{case.pk}/?decide=approve",
        f"/cases/{case.pk}/report/",
        f"/jobs/{job.pk}/",
    ):
        html = client.get(address).content.decode()
        assert script not in html
        for message in (LACKS, "&lt;script&gt;alert(1)", VERSION):
            assert message in html, (address, message)
    sheet = client.get(f"/cases/{case.pk}/?decide=approve").content.decode()
    sheet = sheet[
        sheet.index('id="decision-form"') : sheet.index(
            "</form>", sheet.index('id="decision-form"')
        )
    ]
    assert LACKS in sheet

    pdf = pypdfium2.PdfDocument(client.get(f"/cases/{case.pk}/report/pdf/").content)
    printed = " ".join(page.get_textpage().get_text_bounded() for page in pdf)
    printed = re.sub(r"\s+", " ", printed)
    assert LACKS in printed
    assert VERSION in printed

    exported = client.post("/queue/act/", {"act": "csv", "case": [case.pk]})
    table = b"".join(exported.streaming_content).decode()
    assert f"{LACKS}; {script}" in table
    assert VERSION in table

    api = Caller(make_user("rest"))
    for path in (f"/cases/{case.pk}", f"/jobs/{job.pk}"):
        answer = api.get(path).json()
        assert answer["recommendation_reasons"] == [LACKS, script]
        assert answer["requirements_version"] == VERSION
    assert api.get("/cases").json()["items"][0]["recommendation_reasons"] == [
        LACKS,
        script,
    ]


def test_the_pack_holds_them(job, client):
    case = end(job, recommendation_reasons=[LACKS], requirements_version=VERSION)
    client.force_login(make_user(role="auditor"))
    packed = client.get(f"/cases/{case.pk}/evidence/")
    with zipfile.ZipFile(io.BytesIO(b"".join(packed.streaming_content))) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("case.json")]
        result = json.loads(archive.read(name))
    assert result["recommendation_reasons"] == [LACKS]
    assert result["requirements_version"] == VERSION


def test_a_service_that_says_none_is_shown_as_before(job, client):
    case = end(job)
    assert (case.recommendation_reasons, case.requirements_version) == ([], "")
    client.force_login(make_user())
    assert "Agent's re" not in words(client, f"/cases/{case.pk}/?decide=approve")


def test_reasons_that_only_the_job_itself_tells_are_kept(work_off):
    with fakeservice.running() as service:
        connection = make_connection(base_url=service.url, api_key="ck_key")
        case = cases.submit(
            actor=None, agent=make_agent(connection), subject="Northwind Ltd",
            data={"business_name": "Northwind Ltd"}, documents=[], reference="case-1",
        )  # fmt: skip
        job = case.jobs.get()
        lifecycle.advance(job)
        service.jobs[job.remote_id] |= {
            "status": "complete",
            "recommendation": "Review",
            "recommendation_reasons": [LACKS],
            "requirements_version": VERSION,
        }
        # The webhook came first, and says neither.
        event_payload(job)
        work_off()
    case.refresh_from_db()
    assert case.recommendation_reasons == [LACKS]
    assert case.requirements_version == VERSION


def test_a_new_run_forgets_them(job):
    case = end(job, recommendation_reasons=[LACKS], requirements_version=VERSION)
    assert cases.run_again(case, actor=None)
    case.refresh_from_db()
    assert (case.recommendation_reasons, case.requirements_version) == ([], "")
