"""Who was shown what is recorded, and auditors see it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import now

from reviews.access import reads, roles
from reviews.models import Read
from tests.factories import make_case, make_user
from tests.reviews.api.calling import Caller
from tests.reviews.rows import add_risky_document, open_case, someone

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_waits():
    reads._waiting.clear()
    reads._recent.clear()


def stored_reads() -> list[tuple[str, str, str, int | None]]:
    reads.flush()
    rows = Read.objects.order_by("pk")
    return list(rows.values_list("by", "kind", "item", "case"))


def test_what_a_person_is_shown_of_a_case_is_recorded(client):
    case = open_case()
    document = add_risky_document(case)
    client.force_login(make_user("ana"))
    for address in (
        f"/cases/{case.pk}/",
        f"/cases/{case.pk}/",
        f"/documents/{document.pk}/pages/1/text/",
        f"/cases/{case.pk}/report/",
    ):
        assert client.get(address).status_code == 200, address
    assert stored_reads() == [
        ("ana", "case", str(case.pk), case.pk),
        ("ana", "document", f"{document.pk}/1", case.pk),
        ("ana", "report", str(case.pk), case.pk),
    ]


def test_what_was_refused_or_is_no_case_is_not(client):
    case = open_case()
    assert client.get(f"/cases/{case.pk}/").status_code == 302
    client.force_login(make_user("ana"))
    for address in ("/", "/dashboard/", "/cases/999999/"):
        client.get(address)
    assert stored_reads() == []


def test_an_auditor_finds_who_read_a_case(client):
    case = open_case()
    other = make_case(case.connection, reference="C-2", subject="Other Ltd")
    browser = Client()
    browser.force_login(make_user("ana"))
    browser.get(f"/cases/{case.pk}/")
    browser.get(f"/cases/{other.pk}/")
    reads.flush()
    client.force_login(someone(roles.AUDITOR))
    page = client.get("/reads/", {"case": "C-2"}).content.decode()
    assert "Other Ltd" in page
    assert case.subject not in page
    assert "ana" in page


@pytest.mark.parametrize("role", sorted(set(roles.ROLES) - {roles.AUDITOR}))
def test_nobody_but_auditors_sees_it(client, role):
    client.force_login(make_user("somebody", role=role))
    assert client.get("/reads/").status_code == 403


def test_old_notes_go(settings):
    settings.READS_DAYS = 30
    user = make_user("ana")
    for days in (1, 29, 31):
        at = now() - timedelta(days=days)
        Read.objects.create(user=user, by="ana", kind="case", item="1", at=at)
    assert reads.remove_old() == 1
    assert Read.objects.count() == 2


def test_the_interface_and_exports_are_recorded_with_their_case(client):
    case = open_case()
    Caller(make_user("bot")).get(f"/cases/{case.pk}/notes")
    client.force_login(make_user("ana"))
    answer = client.post(f"/cases/{case.pk}/subject/")
    b"".join(answer.streaming_content)
    assert stored_reads() == [
        ("bot", "interface", f"cases/{case.pk}/notes", case.pk),
        ("ana", "export", str(case.pk), case.pk),
    ]


def test_an_auditor_narrows_by_time(client):
    case = open_case()
    user = make_user("ana")
    for days in (0, 3):
        at = now() - timedelta(days=days)
        Read.objects.create(user=user, by=f"ana{days}", kind="case", case=case, at=at)
    client.force_login(someone(roles.AUDITOR))
    day = f"{now() - timedelta(days=1):%Y-%m-%d}"
    since = client.get("/reads/", {"since": day}).content.decode()
    assert "ana0" in since
    assert "ana3" not in since
    until = client.get("/reads/", {"until": day}).content.decode()
    assert "ana3" in until
    assert "ana0" not in until
    assert client.get("/reads/", {"since": "2026-02-30"}).status_code == 200
