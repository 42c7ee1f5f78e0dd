"""Who asks says so, by the name of the project: over real sockets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agenthub.documents import fetching as hub_documents
from agenthub.models import AgentJob
from agenthub.screening import catalogue
from compliance.http import outbound
from reviews.documents import store
from reviews.models import Document
from tests import fakeservice
from tests.factories import make_case, make_hub
from tests.fakeservice import FakeService, Step

PDF = b"%PDF-1.7\n%%EOF\n"


@pytest.fixture
def host(settings) -> Iterator[FakeService]:
    with fakeservice.running() as service:
        settings.OUTBOUND_ALLOW = frozenset({outbound.origin(service.url)})
        service.plan = [Step(body=PDF)]
        yield service


def agents(host: FakeService) -> list[str]:
    return [headers["User-Agent"] for headers in host.headers]


def test_a_caller_that_says_nothing_is_the_desk(host):
    outbound.request("GET", host.url)
    assert agents(host) == ["compliance-desk"]


@pytest.mark.django_db
def test_the_desk_fetches_documents_under_its_name(host, work_off):
    wire = {"url": f"{host.url}/a.pdf", "file_name": "a.pdf"}
    store.import_document(make_case(), kind=Document.Kind.EIN, wire=wire)
    work_off()
    assert agents(host) == ["compliance-desk"]


@pytest.mark.django_db
def test_the_hub_fetches_documents_under_its_name(host):
    result = make_hub()
    job = AgentJob(account=result["account"], agent=result["kyb"])
    assert hub_documents.fetch({"url": f"{host.url}/a.pdf"}, job) == PDF
    assert agents(host) == ["compliance-hub"]


def test_the_hub_fetches_lists_under_its_name(host):
    assert catalogue._fetch(f"{host.url}/list.csv") == PDF
    assert agents(host) == ["compliance-hub"]
