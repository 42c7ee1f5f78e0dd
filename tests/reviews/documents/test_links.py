"""Links to documents and of applicants: short, recorded, ended at once, and in no line of the log."""

from __future__ import annotations

import logging
import re
from datetime import timedelta

import pytest
import time_machine
from django.core.files.base import ContentFile
from django.core.signing import Signer
from django.test import Client

from agenthub.documents import uploads
from agenthub.models import Account
from compliance.identity import invitations
from compliance.security.logs import Formatter, JsonFormatter
from reviews.access import api_tokens
from reviews.documents import store
from reviews.intake import information_requests
from reviews.models import CaseEvent
from tests.factories import make_case, make_user
from tests.reviews.applicant_links import key_of, open_link

pytestmark = pytest.mark.django_db
PDF = b"%PDF-1.4\n%%EOF\n"


@pytest.fixture
def clock():
    with time_machine.travel(1_800_000_000, tick=False) as travelling:
        yield travelling


@pytest.fixture
def document(clock):
    case = make_case()
    file = ContentFile(PDF, name="a.pdf")
    return store.add(case, kind="ein_documents", file=file, file_name="a.pdf")


def path_of(document) -> str:
    return "/documents/" + store.service_url(document).partition("/documents/")[2]


def fetch(path: str) -> int:
    """The status of a link. A file is read to its end, which closes it."""
    return read(Client().get(path))


def read(answer) -> int:
    if answer.streaming:
        answer.getvalue()
    return answer.status_code


def whats() -> list[str]:
    return list(CaseEvent.objects.values_list("what", flat=True))


def test_each_use_of_a_link_is_recorded(document):
    path = path_of(document)
    assert fetch(path) == 200
    assert fetch(path) == 200
    assert fetch(path[:-3] + "x/") == 404
    assert whats().count("document_link_used") == 2


def test_a_link_works_for_a_day(document, clock):
    path = path_of(document)
    clock.shift(timedelta(hours=23))
    assert fetch(path) == 200
    clock.shift(timedelta(hours=2))
    assert fetch(path) == 404


def test_a_page_ends_the_links_of_a_document(document, clock, client):
    path = path_of(document)
    user = make_user("ana")
    client.force_login(user)
    page = client.get(f"/cases/{document.case_id}/?doc={document.pk}").content.decode()
    address = f"/documents/{document.pk}/end-links/"
    assert address in page
    clock.shift(5)
    assert client.get(address).status_code == 405
    assert client.post(address).status_code == 302
    assert fetch(path) == 404
    clock.shift(5)
    assert fetch(path_of(document)) == 200
    line = CaseEvent.objects.get(what="document_links_ended")
    assert (line.user, line.case) == (user, document.case)
    client.force_login(make_user("olaf", role="auditor"))
    assert client.post(address).status_code == 403


def test_rest_ends_them_too(document, clock):
    path = path_of(document)
    user = make_user("ana")
    address = f"/api/desk/v1/documents/{document.pk}/end-links"
    for scope, status in (("cases:read", 403), ("cases:decide", 204)):
        _, raw = api_tokens.create(actor=user, user=user, name="x", scopes=[scope])
        browser = Client(headers={"Authorization": f"Bearer {raw}"})
        assert browser.post(address).status_code == status
    assert fetch(path) == 404


def test_an_applicant_does_not_count_for_another(clock):
    """Both come by one address."""
    case = make_case()
    browsers: list[tuple[Client, str]] = []
    for number in range(2):
        row = information_requests.create(
            case, actor=make_user(f"u{number}"), message="x", kinds=[]
        )
        browser = Client()
        path = open_link(browser, information_requests.address(row))
        browsers.append((browser, path))
    (first, path), (second, other_path) = browsers
    for _ in range(31):
        answer = first.get(path)
    assert answer.status_code == 429
    assert second.get(other_path).status_code == 200
    wrong = {"link": "1:wrong"}
    assert Client().post("/requests/open/", wrong).status_code == 422
    assert whats().count("request_link_used") == 2


LINKS = re.compile(r"[A-Za-z0-9_-]{20,}")


@pytest.mark.parametrize("make", [Formatter, JsonFormatter])
def test_no_link_is_in_a_line_of_the_log(document, clock, make):
    """Every kind of link, right and wrong, over its whole life."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    handler = Keep()
    handler.setFormatter(make())
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    user = make_user("bo", email="bo@example.com")
    row = information_requests.create(document.case, actor=user, message="x", kinds=[])
    account = Account.objects.create(name="a")
    upload = uploads.keep(account, content=PDF, file_name="a.pdf")
    addresses = {
        path_of(document),
        # Of an earlier version, or where somebody puts the key into a path.
        f"/requests/{Signer(salt='reviews.request').sign(str(row.pk))}/",
        "/requests/" + key_of(information_requests.address(row)),
        "/api/v1/" + uploads.url(upload).partition("/api/v1/")[2],
        "/account/password/reset/key/" + invitations.link(user).partition("#")[2],
        "/api/v1/batches/1:1abcde:abcdefghijklmnopqrstuvwxyz0123456789",
    }
    try:
        for path in addresses:
            for wrong in ("", "x", "/x", "%0a"):
                client = Client(raise_request_exception=False)
                read(client.get(path + wrong))
                read(client.post(path + wrong, {"text": ""}))
                read(client.delete(path + wrong))
        for _ in range(31):
            Client().get("/requests/1:kp2LabcdefghijklmnopqrstuvwxyZ/")
        logging.getLogger("x").warning("GET %s", next(iter(addresses)))
    finally:
        root.removeHandler(handler)
    assert any("/requests/[removed]" in line for line in lines)
    for line in lines:
        for path in addresses:
            token = path.rstrip("/").rpartition("/")[2]
            assert token not in line
            assert token.rpartition(":")[2] not in line
