"""Every endpoint of the hub through which a file comes in or goes out."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import unquote

import pytest

from agenthub.models import AgentJob, Upload
from compliance.storage import file_types
from compliance.storage.backend import WholeFileStorage
from tests import fakeservice
from tests.agenthub.conftest import details
from tests.compliance.storage.files import NAMES, PDF, REFUSED, TAKEN
from tests.fakeservice import Step
from tests.reviews.documents.test_slow_store import storages_of

# Without content a document is missing, which is told before its type is looked at.
WITH_CONTENT = [name for name in REFUSED if REFUSED[name]]


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


@pytest.mark.parametrize("refused", WITH_CONTENT)
def test_what_is_no_accepted_type_is_not_lent(caller, refused):
    body = {"b64_document": encoded(REFUSED[refused]), "file_name": "certificate.pdf"}
    answer = caller.post("uploadB64Document", body)
    assert details(answer) == {("b64_document",): "not_a_document"}
    assert str(file_types.ACCEPTED) in answer.content.decode()
    assert not Upload.objects.exists()


@pytest.mark.parametrize("refused", WITH_CONTENT)
def test_a_job_with_a_document_of_no_accepted_type_is_not_started(caller, refused):
    body = caller.kyb_body()
    listed = [
        {"b64_document": encoded(REFUSED[refused]), "file_name": "certificate.pdf"}
    ]
    body["kyb_schema"]["self_attested_data"]["incorporation_documents"] = listed
    answer = caller.post("startKYBAgentJob", body)
    assert "not_a_document" in details(answer).values()
    assert str(file_types.ACCEPTED) in answer.content.decode()
    assert not AgentJob.objects.exists()


@pytest.mark.parametrize("refused", REFUSED)
def test_a_picture_of_no_accepted_type_is_not_read(caller, settings, work_off, refused):
    with fakeservice.running() as host:
        port = int(host.url.split(":")[2].split("/")[0])
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        host.plan = [Step(body=REFUSED[refused])] * 4
        body = caller.kyc_body(check_ids=["kyc.government_id_barcode"])
        card = {"front_image_url": f"http://127.0.0.1:{port}/a.png"}
        body["kyc_schema"]["self_attested_data"]["government_id_verification_data"] = {
            "id_data": card
        }
        caller.kyc.checks = []
        caller.kyc.save()
        assert caller.post("startKYCAgentJob", body).status_code == 200
        work_off()
    job = AgentJob.objects.get()
    words = f"{job.error} {[run.result for run in job.check_runs.all()]}"
    assert f"not a {file_types.ACCEPTED} file" in words


@pytest.mark.parametrize("values", TAKEN)
def test_what_is_lent_is_offered_with_its_type_and_extension(caller, settings, values):
    content, extension = TAKEN[values]
    answer = lent(caller, settings, content, "scan.exe")
    assert answer.sent == content
    assert offered(answer) == f"scan.exe.{extension}"
    assert answer["Content-Type"] == file_types.content_type_of(content)
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("name", [name for name in NAMES if len(name) < 256])
def test_a_document_of_a_signed_link_is_offered_under_a_safe_name(
    caller, settings, name
):
    assert offered(lent(caller, settings, PDF, name)) == NAMES[name]


def lent(caller, settings, content: bytes, name: str) -> Any:
    body = {"b64_document": encoded(content), "file_name": name}
    response = caller.post("uploadB64Document", body)
    assert response.status_code == 200, response.content
    answer = caller.client.get(
        response.json()["url"].removeprefix(settings.CALLBACK_URL)
    )
    answer.sent = b"".join(answer.streaming_content)
    return answer


def offered(answer: Any) -> str:
    text = answer["Content-Disposition"]
    assert text.startswith("attachment")
    plain, _, quoted = text.partition("filename*=utf-8''")
    return unquote(quoted) if quoted else plain.partition('filename="')[2].rstrip('"')


class Away(WholeFileStorage):
    """A network disk that answers each question with an error."""

    def _open(self, name, mode="rb"):
        raise OSError("away")


def test_a_file_of_a_store_that_is_away_is_not_called_missing(caller, settings):
    body = {"b64_document": encoded(PDF), "file_name": "a.pdf"}
    url = caller.post("uploadB64Document", body).json()["document"]["url"]
    path = url.partition("/api/v1/")[2]
    assert b"".join(caller.get(path).streaming_content) == PDF
    settings.STORAGES = storages_of(Away)
    answer = caller.get(path)
    # A 404 would be final for who fetches it.
    assert answer.status_code == 503
    assert answer["Retry-After"]
    assert "cannot be read from the store now" in answer.content.decode()
