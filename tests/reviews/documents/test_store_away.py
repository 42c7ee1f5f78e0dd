"""While the document store is away, nothing says that its files are lost, and all say when to ask
again.
"""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command
from django.test import Client, override_settings

from checks.samples import good_certificate
from compliance.storage.backend import WholeFileStorage
from reviews.documents import store
from reviews.models import Case, Document
from tests.reviews.api.calling import Caller
from tests.reviews.documents.test_slow_store import PDF, storages_of
from tests.reviews.records.test_labels import settled_case
from tests.reviews.rows import one_person, open_case, someone

pytestmark = pytest.mark.django_db
REASON = "cannot be read from the store now"


class Away(WholeFileStorage):
    """A network disk that answers each question with an error, after a while."""

    asked: list[str] = []

    def _open(self, name, mode="rb"):
        self.asked.append(name)
        raise OSError("away")

    def version_of(self, name):
        self.asked.append(name)
        raise OSError("away")


@pytest.fixture
def document() -> Document:
    one_person()
    case = open_case(recommendation="Approve")
    return store.add(
        case,
        kind=Document.Kind.INCORPORATION,
        file=ContentFile(PDF),
        file_name="deed.pdf",
    )


@pytest.fixture
def away():
    Away.asked.clear()
    with override_settings(STORAGES=storages_of(Away)):
        yield


def add_page(document: Document) -> None:
    document.pages.create(
        number=1, width=10, height=10, image="pages/a.webp", sha256="ab" * 32
    )
    document.status = Document.Status.DRAWN
    document.save()


def records(case: Case) -> list[str]:
    """What the trail says was taken."""
    return list(
        case.events.filter(what__endswith="_taken").values_list("what", flat=True)
    )


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("get", "/cases/{case}/evidence/"),
        ("get", "/cases/{case}/report/pdf/"),
        ("post", "/cases/{case}/subject/"),
        ("get", "/documents/{document}/original/"),
        ("post", "/documents/{document}/original/"),
        ("get", "/documents/{document}/copy/"),
        ("get", "/documents/{document}/pages/1.webp"),
    ],
)
def test_a_page_says_that_it_works_again_later(document, away, method, address):
    add_page(document)
    client = Client(raise_request_exception=False)
    client.force_login(someone("senior"))
    path = address.format(case=document.case_id, document=document.pk)
    response = getattr(client, method)(path)
    assert response.status_code == 503
    assert response["Retry-After"] == "60"
    assert REASON in response.content.decode()
    assert records(document.case) == []
    # One wait for the time limit of the store, not two.
    assert len(Away.asked) == 1


@pytest.mark.parametrize("part", ["evidence", "report"])
def test_the_interface_says_so_too(document, away, part):
    add_page(document)
    caller = Caller(someone("senior", "eva"))
    response = caller.get(f"/cases/{document.case_id}/{part}")
    assert response.status_code == 503
    assert response["Retry-After"]
    assert REASON in response.json()["detail"]
    assert records(document.case) == []


def test_an_export_of_labels_leaves_nothing_out_in_silence(tmp_path, settings):
    settled_case(good_certificate(), candidate=1)
    settings.STORAGES = storages_of(Away)
    with pytest.raises(CommandError, match=REASON):
        call_command("export_labels", tmp_path / "labels")
