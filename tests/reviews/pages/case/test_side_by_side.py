"""The documents of a form in two cases, side by side: what differs, and who may see it."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from reviews.access import reads
from reviews.models import Case, Connection, Document, Read, Team
from tests.factories import make_case, make_connection, make_user
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
    words,
)

pytestmark = pytest.mark.django_db

HERE = "Certificate of Formation Halcyon Foods number 6311204 State of Delaware"
THERE = "Certificate of Formation Brook Trading number 6311204 State of Delaware"
OTHER = "Invoice for electricity and gas of the month of May"


def page_of(text: str) -> list[tuple[Any, ...]]:
    """Words one below another."""
    return [
        (word, 0.1, index / 50, 0.3, (index + 0.5) / 50)
        for index, word in enumerate(text.split())
    ]


def case_with(connection: Connection, reference: str, *texts: str) -> Case:
    case = make_case(connection, reference=reference, subject=f"Subject {reference}")
    for text in texts:
        add_document(case, name=f"{reference}.pdf", words=page_of(text))
    return case


def finding(*references: str) -> dict[str, Any]:
    return payloads.indicator(
        "INFO",
        "A page has the form of documents in other cases",
        category="network",
        raw="\n".join(f"{reference} 2026-11-20" for reference in references),
    )


def case_with_finding(*references: str) -> tuple[Case, Document]:
    case, job = reviewed_case()
    document = add_document(case, words=page_of(HERE))
    part = payloads.fraud(finding(*references))
    key = "fraud_verification_data"
    body = payloads.tool_results(key, part, document=wire(document))
    add_tool_result(job, payloads.FRAUD, body, subject=document.pk.hex)
    return case, document


def beside(document: Document, *references: str) -> str:
    named = "&".join(f"case={quote(reference)}" for reference in references)
    return f"/documents/{document.pk}/beside/?{named}"


def test_the_finding_leads_to_the_most_similar_document(analyst):
    case, document = case_with_finding("C 2&3", "C-9")
    other = case_with(case.connection, "C 2&3", OTHER)
    # The certificate is neither the first nor the last of the case.
    similar = add_document(other, words=page_of(THERE))
    add_document(other, words=page_of(OTHER))
    html = analyst.get(f"/cases/{case.pk}/?doc={document.pk.hex}").content.decode()
    link = re.search(r'href="(/documents/[^"]+/beside/[^"]+)"', html)
    assert link
    response = analyst.get(link[1].replace("&amp;", "&"), follow=True)
    assert response.redirect_chain[-1][0].startswith(
        f"/documents/{document.pk}/beside/{similar.pk}/"
    )
    assert response.status_code == 200


def test_other_findings_have_no_such_link(analyst):
    case, job = reviewed_case()
    document = add_document(case)
    part = payloads.fraud(payloads.indicator(raw="C-2 2026-11-20"))
    body = payloads.tool_results(
        "fraud_verification_data", part, document=wire(document)
    )
    add_tool_result(job, payloads.FRAUD, body, subject=document.pk.hex)
    html = analyst.get(f"/cases/{case.pk}/?doc={document.pk.hex}").content.decode()
    assert "/beside/" not in html


def test_both_pages_are_shown_with_the_words_that_differ(analyst):
    case, document = case_with_finding("C-2")
    other = case_with(case.connection, "C-2", THERE).documents.get()
    address = f"/documents/{document.pk}/beside/{other.pk}/?case=C-2"
    html = analyst.get(address).content.decode()
    for one in (document, other):
        assert f"/documents/{one.pk}/pages/1.webp" in html
    # Two words differ on each page, and stand at the same places.
    assert html.count("<rect") == 4
    text = words(analyst, address)
    assert "8 words are the same, of 10 on the longer page" in text
    assert "Halcyon Foods Brook Trading" in text
    assert "Numbers that are on both pages: 6311204 ." in text


def test_words_of_a_scan_are_not_compared(analyst):
    case, document = case_with_finding("C-2")
    other = case_with(case.connection, "C-2", "").documents.get()
    text = words(analyst, f"/documents/{document.pk}/beside/{other.pk}/")
    assert "Its words are not compared" in text
    assert "words are the same" not in text


def test_a_case_of_another_team_is_as_if_it_did_not_exist(client: Client):
    case, document = case_with_finding("C-2")
    theirs = make_connection("theirs")
    hidden = case_with(theirs, "C-2", THERE).documents.get()
    for name, connection in (("ours", case.connection), ("theirs", theirs)):
        team = Team.objects.create(name=name)
        team.connections.add(connection)
    person = make_user("pia")
    Team.objects.get(name="ours").members.add(person)
    client.force_login(person)
    assert "No document to compare" in words(client, beside(document, "C-2"))
    address = f"/documents/{document.pk}/beside/{hidden.pk}/"
    assert client.get(address).status_code == 404
    # Nor from the other side.
    address = f"/documents/{hidden.pk}/beside/{document.pk}/"
    assert client.get(address).status_code == 404


def test_documents_of_two_connections_are_not_compared(analyst):
    """Each account of a service has its own connection, and the register asks within one."""
    _case, document = case_with_finding("C-2")
    other = case_with(make_connection("second"), "C-2", THERE).documents.get()
    assert "No document to compare" in words(analyst, beside(document, "C-2"))
    address = f"/documents/{document.pk}/beside/{other.pk}/"
    assert analyst.get(address).status_code == 404


def test_both_documents_are_recorded_as_read(analyst, settings):
    settings.READS_FLUSH_SECONDS = 0
    reads.forget()
    case, document = case_with_finding("C-2")
    second = case_with(case.connection, "C-2", THERE)
    other = second.documents.get()
    analyst.get(f"/documents/{document.pk}/beside/{other.pk}/")
    reads.flush()
    rows = Read.objects.filter(kind=Read.Kind.DOCUMENT)
    assert set(rows.values_list("item", "case_id")) == {
        (str(document.pk), case.pk),
        (str(other.pk), second.pk),
    }
