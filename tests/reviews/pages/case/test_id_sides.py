"""Front and back of a government ID: handed in as files or as URLs, shown side by side."""

from __future__ import annotations

import hashlib
import re
import uuid
from urllib.parse import urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.timezone import now

from compliance.http import outbound
from reviews.documents import store
from reviews.jobs import start
from reviews.models import Case, Document, Kind
from reviews.pages.intake.information_requests import AnswerForm
from tests import fakeservice
from tests.factories import make_agent, make_case, make_connection
from tests.fakeservice import Step
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
    words,
)
from tests.reviews.rows import decide, someone
from tests.reviews.rows import open_case as case_of_business

pytestmark = pytest.mark.django_db

FRONT, BACK = Document.Kind.ID_FRONT, Document.Kind.ID_BACK
SELFIE = Document.Kind.SELFIE
PNG = b"\x89PNG\r\n\x1a\n rest"
URL = "https://vendor.example/front.png"
ID_DATA = "government_id_verification_data.id_data"


def person_of(**card: str) -> dict[str, object]:
    return {
        "first_name": "Amara",
        "last_name": "Okonkwo",
        "government_id_verification_data": {"id_data": card},
    }


def with_both_sides() -> tuple[Case, Document, Document]:
    case, _ = reviewed_case(kind=Kind.KYC)
    return case, add_document(case, name="f.png", kind=FRONT), add_document(case, name="b.png", kind=BACK)  # fmt: skip


def submitted(client, **values) -> Case:
    agent = make_agent(make_connection(), kind=Kind.KYC)
    person = {"first_name": "Amara", "last_name": "Okonkwo"}
    ids = {"agent": agent.pk, "submission": str(uuid.uuid4())}
    response = client.post("/cases/new/?kind=kyc", {**ids, **person, **values})
    assert response.status_code == 303, response.context["form"].errors
    return Case.objects.get()


def card_of(case: Case) -> dict[str, object]:
    """What the service is told of the ID."""
    data = start.to_wire(case)["self_attested_data"]
    assert not set(data) & {FRONT.value, BACK.value, SELFIE.value}
    card: dict[str, object] = data["government_id_verification_data"]["id_data"]
    return card


def test_the_form_takes_both_sides_as_files(analyst):
    files = {
        FRONT.value: SimpleUploadedFile("f.png", PNG),
        BACK.value: SimpleUploadedFile("b.png", PNG),
    }
    case = submitted(analyst, **files, **{f"{ID_DATA}.document_number": "X1"})
    one, other = case.documents.all()
    assert {(one.kind, one.file_name), (other.kind, other.file_name)} == {
        (FRONT, "f.png"), (BACK, "b.png"),
    }  # fmt: skip
    # Kept as it was attested, and sent with what was handed in.
    assert case.self_attested_data["government_id_verification_data"]["id_data"] == {
        "document_number": "X1"
    }
    card = card_of(case)
    assert card["document_number"] == "X1"
    for document in case.documents.all():
        assert f"/documents/{document.pk}/file/" in str(card[document.kind])
        lent = analyst.get(urlsplit(str(card[document.kind])).path)
        assert lent["Content-Type"] == "image/png"
        assert document.file_name in lent["Content-Disposition"]
        assert lent.getvalue() == PNG


def test_the_form_takes_a_selfie_and_sends_it_beside_the_id(analyst):
    case = submitted(analyst, **{SELFIE.value: SimpleUploadedFile("me.png", PNG)})
    document = case.documents.get()
    assert (document.kind, document.get_kind_display()) == (SELFIE, "Selfie")
    assert f"/documents/{document.pk}/file/" in str(
        card_of(case)["face_match_image_url"]
    )


def test_a_selfie_attested_as_a_url_becomes_a_document(analyst):
    case = submitted(analyst, **{f"{ID_DATA}.{SELFIE}": URL})
    document = case.documents.get()
    assert (document.kind, document.source_url) == (SELFIE, URL)
    assert card_of(case)[SELFIE] == URL


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (
            {FRONT.value: [SimpleUploadedFile(f"{n}.png", PNG) for n in "ab"]},
            "Choose one file: ID, front.",
        ),
        (
            {FRONT.value: SimpleUploadedFile("a.png", PNG), f"{ID_DATA}.{FRONT}": URL},
            "give a file or the address of an image, not both",
        ),
        (
            {
                SELFIE.value: SimpleUploadedFile("a.png", PNG),
                f"{ID_DATA}.{SELFIE}": URL,
            },
            "Selfie: give a file or the address of an image, not both",
        ),
    ],
)
def test_of_one_side_there_is_one_picture(analyst, values, text):
    agent = make_agent(make_connection(), kind=Kind.KYC)
    person = {"agent": agent.pk, "first_name": "Amara", "last_name": "Okonkwo"}
    response = analyst.post("/cases/new/?kind=kyc", {**person, **values})
    assert text in response.content.decode()
    assert not Case.objects.exists()


def test_a_business_has_no_id(analyst):
    connection = make_connection()
    make_agent(connection)
    assert f'name="{FRONT}"' not in analyst.get("/cases/new/?kind=kyb").content.decode()
    case = make_case(connection, self_attested_data=person_of(front_image_url=URL))
    store.import_id_pictures(case)
    assert not case.documents.exists()


def test_a_picture_attested_as_a_url_is_fetched_through_the_one_door(
    analyst, monkeypatch
):
    rows = []

    def answer(method, url, **options):
        rows.append((method, url))
        response = outbound.Response()
        response.status_code = 404
        return response

    monkeypatch.setattr(outbound, "request", answer)
    case = submitted(analyst, **{f"{ID_DATA}.{FRONT}": URL})
    document = case.documents.get()
    assert (document.kind, document.source_url, document.status) == (
        FRONT,
        URL,
        "pending",
    )
    assert card_of(case)[FRONT] == URL
    store.prepare(document)
    assert rows == [("GET", URL)]
    assert "It could not be fetched: HTTP 404." in words(analyst, f"/cases/{case.pk}/")


def test_a_picture_is_asked_for_again_while_its_server_is_down(analyst, settings):
    with fakeservice.running() as server:
        server.plan += [Step(status=503), Step(status=429), Step(status=200, body=PNG)]
        settings.OUTBOUND_ALLOW = {outbound.origin(server.url)}
        case = submitted(analyst, **{f"{ID_DATA}.{FRONT}": f"{server.url}/front"})
        document = case.documents.get()
        for _ in range(2):
            store.prepare(document)
            document.refresh_from_db()
            assert (document.status, document.file.name) == ("pending", "")
            assert document.due_at > now()
        store.prepare(document)
    document.refresh_from_db()
    assert document.sha256 == hashlib.sha256(PNG).hexdigest()


def test_our_copy_takes_the_place_of_the_url(tmp_path):
    case = make_case(
        kind=Kind.KYC, self_attested_data=person_of(front_image_url=URL, mrz="P<")
    )
    store.import_id_pictures(case)
    picture = SimpleUploadedFile("new.png", PNG)
    store.add(case, kind=FRONT.value, file=picture, file_name="new.png")
    [newest] = [row for row in case.documents.all() if row.file_name == "new.png"]
    card = card_of(case)
    assert f"/documents/{newest.pk}/file/" in str(card[FRONT])
    assert card["mrz"] == "P<"
    attested = case.self_attested_data["government_id_verification_data"]
    assert attested["id_data"][FRONT] == URL


@pytest.mark.parametrize(
    "data", [None, "x", {"id_data": ["x"]}, {"id_data": {FRONT.value: 7}}]
)
def test_what_is_no_id_is_survived(data):
    case = make_case(
        kind=Kind.KYC, self_attested_data={"government_id_verification_data": data}
    )
    store.import_id_pictures(case)
    assert not case.documents.exists()
    picture = SimpleUploadedFile("b.png", PNG)
    store.add(case, kind=BACK.value, file=picture, file_name="b.png")
    assert "/file/" in str(card_of(case)[BACK])


def test_front_and_back_stand_side_by_side_unless_asked_otherwise(analyst):
    case, front, back = with_both_sides()
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    places = [html.index(f"/documents/{one.pk}/pages/1.webp") for one in (front, back)]
    assert places == sorted(places)
    [closing] = re.findall(r'id="compare" href="([^"]+)"', html)
    alone = analyst.get(closing).content.decode()
    assert f"/documents/{back.pk}/pages/1.webp" not in alone
    [opening] = re.findall(r'id="compare" href="([^"]+)"', alone)
    again = analyst.get(opening.replace("&amp;", "&")).content.decode()
    assert f"/documents/{back.pk}/pages/1.webp" in again


def test_the_other_side_stands_beside_whichever_is_asked_for(analyst):
    case, front, back = with_both_sides()
    paper = add_document(case, name="bill.pdf", kind=Document.Kind.ADDRESS)
    html = analyst.get(f"/cases/{case.pk}/?doc={back.pk.hex}").content.decode()
    places = [html.index(f"/documents/{one.pk}/pages/1.webp") for one in (back, front)]
    assert places == sorted(places)
    # The tab of another document shows that alone.
    assert f'href="/cases/{case.pk}/?doc={paper.pk.hex}"' in html
    html = analyst.get(f"/cases/{case.pk}/?doc={paper.pk.hex}").content.decode()
    assert "beside-page-1" not in html


def test_beside_a_selfie_stands_the_front(analyst):
    case, front, _ = with_both_sides()
    selfie = add_document(case, name="me.png", kind=SELFIE)
    html = analyst.get(f"/cases/{case.pk}/?doc={selfie.pk.hex}").content.decode()
    places = [
        html.index(f"/documents/{one.pk}/pages/1.webp") for one in (selfie, front)
    ]
    assert places == sorted(places)
    html = analyst.get(f"/cases/{case.pk}/?doc={front.pk.hex}").content.decode()
    assert f"/documents/{selfie.pk}/pages/1.webp" not in html


def test_a_row_of_the_front_says_what_the_back_says_of_it(analyst):
    case, front, back = with_both_sides()
    for document, number in ((front, "X1234567"), (back, "X1234568")):
        row = payloads.comparison(
            "Document number", attested="X1234567", extracted=number
        )
        body = payloads.tool_results(
            "extraction_data", payloads.extraction(row), document=wire(document)
        )
        add_tool_result(
            case.jobs.get(), payloads.EXTRACTION, body, subject=document.pk.hex
        )
    text = words(analyst, f"/cases/{case.pk}/")
    assert "X1234568" in text[text.index(" beside ") :]


def test_an_applicant_is_asked_for_what_the_kind_of_case_has(client):
    case = case_of_business(kind=Kind.KYC)
    decide(case, someone("analyst"), "request", kinds=[FRONT.value])
    request = case.requests.get()
    assert request.kinds == [FRONT.value]
    assert list(AnswerForm(request).fields) == [FRONT.value, "text"]
    request.kinds = []
    offered = set(AnswerForm(request).fields)
    assert {FRONT.value, BACK.value} <= offered
    assert Document.Kind.EIN.value not in offered
