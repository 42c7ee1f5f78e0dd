"""A document store that is slow or away holds no lock of the database, and no page for long."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.conf import settings as installed
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import override_settings

from compliance.storage import stored_files
from compliance.storage.backend import WholeFileStorage
from reviews.applicants import invitations
from reviews.documents import store
from reviews.intake import cases, information_requests
from reviews.models import Attachment, Case, Document
from tests.factories import make_agent, make_connection
from tests.reviews.rows import one_person, open_case, someone

PDF = b"%PDF-1.7\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n"
WAIT_LIMIT = 0.01  # seconds


class Watched(WholeFileStorage):
    """Notes whether a transaction was open when it was written to."""

    in_transaction: list[bool] = []

    def _save(self, name, content):
        self.in_transaction.append(connection.in_atomic_block)
        return super()._save(name, content)


class Away(WholeFileStorage):
    """A network disk that does not answer in time."""

    asked: list[str] = []

    def version_of(self, name):
        self.asked.append(name)
        time.sleep(2 * WAIT_LIMIT)
        raise OSError("timed out")


def storages_of(backend: type[WholeFileStorage]) -> dict[str, object]:
    data = {
        "BACKEND": "compliance.security.encrypted_files.EncryptedStorage",
        "OPTIONS": {"backend": f"{backend.__module__}.{backend.__name__}"},
    }
    return {**installed.STORAGES, "default": data}


def paper(name: str = "deed.pdf") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, PDF + name.encode())


@pytest.fixture
def watched():
    Watched.in_transaction.clear()
    with override_settings(STORAGES=storages_of(Watched)):
        yield Watched.in_transaction


@pytest.mark.django_db(transaction=True)
def test_no_transaction_waits_for_the_store(client, watched):
    one_person()
    ana = someone("analyst", "ana")
    client.force_login(ana)
    agent = make_agent(make_connection())
    kind = Document.Kind.INCORPORATION
    case = cases.submit(
        actor=ana,
        agent=agent,
        subject="Acorn",
        data={"business_name": "Acorn"},
        documents=[(kind, paper("a.pdf")), (kind, paper("b.pdf"))],
    )
    client.post(f"/cases/{case.pk}/notes/", {"text": "See.", "files": paper()})
    request = information_requests.create(
        case, actor=ana, message="Send it.", kinds=[kind.value]
    )
    information_requests.answer(request, files=[(kind, paper("c.pdf"))], text="Here.")
    invitation = invitations.create(agent, actor=ana)
    second = invitations.submit(
        invitation,
        subject="Beech",
        country="",
        data={"business_name": "Beech"},
        documents=[(kind, paper("d.pdf"))],
    )
    assert second is not None
    assert watched == [False] * 5
    assert [row.fault for row in Document.objects.all()] == [""] * 4
    assert Attachment.objects.get().fault == ""


@pytest.mark.django_db(transaction=True)
def test_a_refused_case_leaves_no_file(watched):
    ana, agent = someone("analyst", "ana"), make_agent(make_connection())
    values: dict[str, Any] = {
        "actor": ana,
        "agent": agent,
        "subject": "A",
        "data": {},
        "reference": "1",
    }
    kind = Document.Kind.INCORPORATION
    cases.submit(**values, documents=[])
    with pytest.raises(cases.ReferenceTakenError):
        cases.submit(**values, documents=[(kind, paper())])
    assert watched == [False]
    assert not list(default_storage.files("originals"))  # type: ignore[attr-defined]
    assert Case.objects.count() == 1
    assert not Document.objects.exists()


@pytest.mark.django_db
def test_a_page_waits_for_one_file_of_a_store_that_is_away(client, monkeypatch):
    monkeypatch.setattr(stored_files, "WAIT_LIMIT", WAIT_LIMIT)
    monkeypatch.setattr(stored_files, "RECOVERY", 0.0)
    monkeypatch.setattr(stored_files, "_budget", stored_files._WaitBudget())
    one_person()
    client.force_login(someone("senior", "ana"))
    case = open_case(recommendation="Approve")
    kind = Document.Kind.INCORPORATION
    for number in range(5):
        name = f"{number}.pdf"
        file = ContentFile(PDF)
        store.add(case, kind=kind, file=file, file_name=name)
    with override_settings(STORAGES=storages_of(Away)):
        html = client.get(f"/cases/{case.pk}/").content.decode()
    assert len(Away.asked) == 1
    assert "cannot be read from the store now" in html
    assert html.count("The file was not compared yet") >= 4
