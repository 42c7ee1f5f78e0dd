"""Other cases of the same subject, raw payloads, and who else is here."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.core.files.base import ContentFile
from django.utils.timezone import now

from reviews.findings import related_cases
from reviews.intake import cases
from reviews.models import Presence, Team
from reviews.people import presence
from tests.factories import make_agent, make_case, make_connection, make_user
from tests.reviews.pages.case.rows import add_document, reviewed_case, words
from webhooks.models import Event

pytestmark = pytest.mark.django_db

ADDRESS = {
    "street_1": "251 Little Falls Drive",
    "city": "Wilmington",
    "postal_code": "19808",
}


def identified(connection=None, **values):
    case = make_case(connection, **values)
    related_cases.store_identifiers(case)
    return case


def test_cases_are_related_by_name_number_address_and_file(analyst):
    case = identified(
        subject="Parcha Labs, Inc.",
        self_attested_data={
            "business_name": "Parcha",
            "tin_number": "92-3212308",
            "address_of_incorporation": {**ADDRESS, "country_code": "US"},
        },
    )
    add_document(case, sha256="ab" * 32)
    hub = case.connection
    identified(hub, subject="PARCHA", reference="by-name", self_attested_data={})
    identified(
        hub,
        subject="A",
        reference="by-number",
        self_attested_data={"tin_number": "923212308"},
    )
    identified(
        hub,
        subject="B",
        reference="by-place",
        self_attested_data={"address_of_operation": ADDRESS},
    )
    add_document(
        identified(hub, subject="C", reference="by-file"),
        sha256="ab" * 32,
        name="copy.pdf",
    )
    identified(
        hub,
        subject="D",
        reference="of-nobody",
        self_attested_data={"tin_number": "000000000"},
    )
    text = words(analyst, f"/cases/{case.pk}/?tab=related")
    for message in (
        "PARCHA by-name",
        "Same name", "A by-number", "Same number", "B by-place", "Same address",
        "C by-file", "Same file: copy.pdf",
    ):  # fmt: skip
        assert message in text, message
    assert "of-nobody" not in text


EMPTY = (
    {"tin_number": "unknown"},
    {"tin_number": "pending"},
    {"document_number": "To be confirmed"},
    {"tax_id": "Not available"},
    {"business_registration_number": "applied for"},
    {"address": "not provided"},
    {"address": {"street_1": "unknown", "city": "unknown", "postal_code": "n/a"}},
    {"address": {"street_1": "", "city": "Johannesburg", "postal_code": "2000"}},
    {"business_name": "Not known"},
)


@pytest.mark.parametrize("data", EMPTY)
def test_what_says_that_nothing_is_known_relates_no_cases(analyst, data):
    case = identified(subject="N/A", self_attested_data=data)
    other = identified(case.connection, subject="Unknown", self_attested_data=data)
    # An earlier version has stored identifiers of such texts.
    for row in (case, other):
        for kind, text in related_cases._texts(row.subject, data):
            digest = related_cases._digest(kind, text)
            row.identifiers.create(kind=kind, digest=digest)
    assert related_cases.identifiers("Unknown", data) == []
    related, _more = related_cases.related(case, make_user("rita"))
    assert related == []
    assert list(related_cases.faults()) == []


def test_a_case_of_another_team_is_not_named(analyst):
    case = identified(subject="Parcha")
    theirs = make_connection("theirs")
    Team.objects.create(name="Others").connections.add(theirs)
    identified(theirs, subject="Parcha", reference="secret-one")
    text = words(analyst, f"/cases/{case.pk}/?tab=related")
    assert "secret-one" not in text
    assert "None of the cases that you may see." in text


def test_submitting_puts_down_what_identifies(analyst):
    agent = make_agent(make_connection())
    case = cases.submit(
        actor=None, agent=agent, subject="Northwind Ltd", data={"tin_number": "12-3456789"},
        documents=[("ein_documents", ContentFile(b"%PDF-", name="a.pdf"))],
    )  # fmt: skip
    assert set(case.identifiers.values_list("kind", flat=True)) == {"name", "number"}


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "x",
        {"tin_number": {"a": [1]}},
        {"address": 7},
        {"id": {"tin_number": "\ud800"}},
    ],
)
def test_whatever_is_attested_the_name_identifies(data):
    assert "name" in [kind for kind, _ in related_cases.identifiers("N" * 10_000, data)]


def test_raw_webhooks_and_what_was_sent_are_for_those_who_may_see_them(client):
    case, job = reviewed_case()
    job.sent = {"kyb_schema": {"id": "as-it-went"}}
    job.save()
    Event.objects.create(
        connection=case.connection, digest=b"1" * 32, body=b'{ "tool_id":"x",  "odd": "<b>" }',
        headers={"X-Signature": "c2lnbmVk", "User-Agent": "Vendor/1"}, job=job, received_at=now(),
        status="applied", due_at=None, secret=case.connection.webhook_secrets.get(),
    )  # fmt: skip
    client.force_login(make_user())
    html = client.get(f"/cases/{case.pk}/?tab=payload").content.decode()
    for text in (
        "as-it-went",
        "{ &quot;tool_id&quot;:&quot;x&quot;,  &quot;odd&quot;: &quot;&lt;b&gt;&quot; }",
        "Vendor/1",
        "verified, by the secret first",
        "X-Signature</span>. Signatures are not shown",
    ):
        assert text in html, text
    assert "c2lnbmVk" not in html
    reader = make_user("reader")
    reader.groups.clear()
    reader.user_permissions.set(Permission.objects.filter(codename="view_case"))
    client.force_login(reader)
    html = client.get(f"/cases/{case.pk}/?tab=payload").content.decode()
    assert "as-it-went" not in html
    assert 'id="panel-payload"' not in html
    assert "Your role does not see raw payloads." in html


def test_who_else_is_here_is_said_until_they_are_gone(client):
    case, _ = reviewed_case()
    ana, bo = make_user(), make_user("bo", first_name="Bo", last_name="Ek")
    address = f"/cases/{case.pk}/presence/"
    client.force_login(ana)
    assert client.post(address).content.strip() == b""
    assert presence.report(case, bo)[0].user == ana
    assert "Bo Ek has this case open since" in client.post(address).content.decode()
    Presence.objects.filter(user=bo).update(
        seen_at=now() - presence.TIMEOUT - timedelta(seconds=1)
    )
    assert client.post(address).content.strip() == b""
    assert client.post(address, {"gone": "1"}).status_code == 204
    assert not Presence.objects.exists()
    assert client.get(address).status_code == 405


def test_nobody_learns_who_is_at_a_case_they_may_not_see(client):
    theirs = make_connection("theirs")
    Team.objects.create(name="Others").connections.add(theirs)
    case = make_case(theirs)
    client.force_login(make_user())
    assert client.post(f"/cases/{case.pk}/presence/").status_code == 404


def test_a_scan_says_that_it_has_no_text(analyst):
    case, _ = reviewed_case()
    add_document(case, words=())
    assert "its pages hold no text to select or find" in words(
        analyst, f"/cases/{case.pk}/"
    )
    part = add_document(case, words=(), reason="Only 1 of 200 pages could be drawn.")
    assert "hold no text" not in words(analyst, f"/cases/{case.pk}/?doc={part.pk.hex}")
    other = add_document(case, name="typed.pdf")
    assert "hold no text" not in words(analyst, f"/cases/{case.pk}/?doc={other.pk.hex}")
