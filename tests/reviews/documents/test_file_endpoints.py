"""Every endpoint of the desk through which a file comes in or goes out."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from compliance.storage import file_types
from reviews.documents import store
from reviews.intake import information_requests
from reviews.models import Attachment, Document
from tests import factories, fakeservice
from tests.compliance.storage.files import NAMES, PDF, REFUSED, TAKEN
from tests.fakeservice import Step
from tests.reviews.api.calling import Caller
from tests.reviews.applicant_links import open_link
from tests.reviews.rows import decide, open_case, someone

pytestmark = pytest.mark.django_db
KIND = "incorporation_documents"
REFUSAL = re.compile(f"(is not|must be) a {file_types.ACCEPTED} file")


def form(client: Client, content: bytes, name: str) -> str:
    agent = factories.make_agent(factories.make_connection())
    client.force_login(someone("analyst"))
    data = {
        "agent": agent.pk,
        "business_name": "Acorn",
        KIND: SimpleUploadedFile(name, content),
    }
    return client.post("/cases/new/?kind=kyb", data).content.decode()


def rest(client: Client, content: bytes, name: str) -> str:
    agent = factories.make_agent(factories.make_connection())
    body = {
        "agent": agent.pk,
        "self_attested_data": {"business_name": "Acorn"},
        "documents": [
            {
                "kind": KIND,
                "file_name": name,
                "b64_document": base64.b64encode(content).decode(),
            }
        ],
    }
    return Caller(someone("analyst")).post("/cases", body).content.decode()


def link(client: Client, content: bytes, name: str) -> str:
    case = open_case()
    decide(case, someone("analyst"), "request", kinds=[KIND])
    address = open_link(client, information_requests.address(case.requests.get()))
    return client.post(
        address, {KIND: SimpleUploadedFile(name, content)}
    ).content.decode()


def note(client: Client, content: bytes, name: str) -> str:
    case = open_case()
    client.force_login(someone("analyst"))
    data = {"text": "See.", "files": SimpleUploadedFile(name, content)}
    answer = client.post(f"/cases/{case.pk}/notes/", data, follow=True)
    return answer.content.decode()


ENDPOINTS = (form, rest, link, note)
# The description of the interface already asks for content.
TRIES = [
    (endpoint, name)
    for endpoint in ENDPOINTS
    for name in REFUSED
    if (endpoint, name) != (rest, "empty")
]


@pytest.mark.parametrize(("endpoint", "refused"), TRIES)
def test_what_is_no_accepted_type_is_refused_at_every_endpoint(
    client, endpoint, refused
):
    words = endpoint(client, REFUSED[refused], "certificate.pdf")
    assert "is empty" in words or REFUSAL.search(words)
    assert not Document.objects.exists()
    assert not Attachment.objects.exists()


@pytest.mark.parametrize("values", TAKEN)
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_what_is_taken_is_offered_with_the_extension_of_its_content(
    client, endpoint, values
):
    content, extension = TAKEN[values]
    endpoint(client, content, "scan.exe")
    answer = download(client)
    assert answer.sent == content
    assert offered(answer) == f"scan.exe.{extension}"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Type"] == "application/octet-stream"


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_shown_and_offered_without_what_deceives(client, name):
    document = adopt(
        {"b64_document": base64.b64encode(PDF).decode(), "file_name": name}
    )
    assert document.file_name == file_types.shown_name(name)
    answer = download(client)
    assert offered(answer) == NAMES[name]
    page = client.get(f"/cases/{document.case_id}/").content.decode()
    assert "\u202e" not in page
    pack = closed(client.get(f"/cases/{document.case_id}/evidence/"))
    with zipfile.ZipFile(io.BytesIO(pack.sent)) as archive:
        [packed] = [
            path for path in archive.namelist() if path.startswith("documents/")
        ]
    assert packed == f"documents/01-{file_types.ascii_name(name, PDF)}"


@pytest.mark.parametrize("refused", [name for name in REFUSED if name != "empty"])
def test_a_document_of_a_job_from_elsewhere_is_not_kept_where_it_is_no_accepted_type(
    refused,
):
    content = base64.b64encode(REFUSED[refused]).decode()
    document = adopt({"b64_document": content, "file_name": "a.pdf"})
    assert (document.status, bool(document.file)) == ("unreadable", False)
    assert str(file_types.ACCEPTED) in document.reason


@pytest.mark.parametrize("refused", REFUSED)
def test_what_a_url_answers_is_not_kept_where_it_is_no_accepted_type(
    settings, work_off, refused
):
    with fakeservice.running() as host:
        port = int(host.url.split(":")[2].split("/")[0])
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        host.plan = [Step(body=REFUSED[refused])]
        document = adopt(
            {"url": f"http://127.0.0.1:{port}/a.pdf", "file_name": "a.pdf"}
        )
        work_off()
    document.refresh_from_db()
    assert (document.status, bool(document.file)) == ("unreadable", False)
    assert "is empty" in document.reason or str(file_types.ACCEPTED) in document.reason


def test_the_service_is_lent_a_document_with_its_type_and_name(client):
    document = adopt(
        {"b64_document": base64.b64encode(PDF).decode(), "file_name": "deed.pdf.exe"}
    )
    answer = closed(client.get(urlsplit(store.service_url(document)).path))
    assert answer["Content-Type"] == "application/pdf"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert offered(answer) == "deed.pdf"


def adopt(wire: dict[str, Any]) -> Document:
    return store.import_document(open_case(), kind=KIND, wire=wire)


def download(client: Client) -> Any:
    client.force_login(someone("senior", "sven"))
    if row := Document.objects.filter(file__gt="").first():
        return closed(client.post(f"/documents/{row.pk}/original/"))
    return closed(client.post(f"/attachments/{Attachment.objects.get().pk}/"))


def closed(answer: Any) -> Any:
    """An answer whose file has been sent and closed."""
    answer.sent = b"".join(answer.streaming_content)
    return answer


def offered(answer: Any) -> str:
    text = answer["Content-Disposition"]
    assert text.startswith("attachment")
    plain, _, encoded = text.partition("filename*=utf-8''")
    return unquote(encoded) if encoded else plain.partition('filename="')[2].rstrip('"')
