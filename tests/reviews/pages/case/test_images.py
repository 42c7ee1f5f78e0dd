"""The images of pages and their words."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from uuid import uuid4

import pytest
from PIL import Image

from tests.reviews.pages.case.rows import add_document, reviewed_case

pytestmark = pytest.mark.django_db


@pytest.fixture
def document():
    case, _ = reviewed_case()
    return add_document(
        case,
        words=[
            ["Northwind", 0.1, 0.1, 0.3, 0.12],
            ["Ltd", 0.31, 0.1, 0.35, 0.12],
            ["<b>", 0.1, 0.5, 0.2, 0.52],
        ],
    )


def test_the_image_is_private_and_not_stored(analyst, document):
    response = analyst.get(f"/documents/{document.pk}/pages/1.webp")
    assert response["Content-Type"] == "image/webp"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cache-Control"] == "private, no-store"
    content = b"".join(response.streaming_content)
    assert Image.open(io.BytesIO(content)).size == (100, 140)


def test_a_thumb_is_small(analyst, document):
    thumb = analyst.get(f"/documents/{document.pk}/pages/1.webp?thumb")
    assert Image.open(io.BytesIO(thumb.content)).format == "WEBP"
    assert thumb["Cache-Control"] == "private, no-store"


def test_images_and_words_need_a_login(client, document):
    for address in ("1.webp", "1/text/", "1/text/?layer"):
        response = client.get(f"/documents/{document.pk}/pages/{address}")
        assert (response.status_code, response["Location"].split("?")[0]) == (
            302,
            "/login/",
        )


def test_what_is_not_there_is_not_found(analyst, document):
    assert analyst.get(f"/documents/{document.pk}/pages/9.webp").status_code == 404
    assert analyst.get(f"/documents/{uuid4()}/pages/1.webp").status_code == 404
    page = document.pages.get()
    page.image.storage.delete(page.image.name)
    assert analyst.get(f"/documents/{document.pk}/pages/1.webp").status_code == 404


def test_the_text_of_a_page(analyst, document):
    html = analyst.get(f"/documents/{document.pk}/pages/1/text/").content.decode()
    assert "<p>Northwind Ltd</p>" in html
    assert "<p>&lt;b&gt;</p>" in html
    layer = analyst.get(f"/documents/{document.pk}/pages/1/text/?layer").json()
    assert layer[0] == [100.0, 162.4, 25.2, 250.0, "Northwind Ltd"]


def test_the_words_are_fetched_page_by_page(analyst):
    case, _ = reviewed_case()
    words = [["Northwind", 0.1, 0.1, 0.2, 0.12]]
    document = add_document(case, pages=3, words=words)
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    assert "Northwind</text>" not in html
    for number in (1, 2, 3):
        address = f"/documents/{document.pk}/pages/{number}/text/?layer"
        assert f'data-layer="{address}"' in html


def test_words_in_a_wrong_shape_are_left_out(analyst):
    case, _ = reviewed_case()
    document = add_document(case)
    page = document.pages.get()
    page.words = [
        ["x"],
        "y",
        None,
        [1, 2, 3, 4, 5],
        ["ok", 0.1, 0.1, 0.2, 0.2],
        ["z", "a", 0, 0, 0],
    ]
    page.save()
    layer = analyst.get(f"/documents/{document.pk}/pages/1/text/?layer").json()
    assert [line[4] for line in layer] == ["ok"]


def test_an_image_that_was_swapped_is_never_shown_and_drawn_anew(analyst, document):
    page = document.pages.get()
    with page.image.open() as picture:
        page.sha256 = hashlib.sha256(picture.read()).hexdigest()
    page.save()
    address = f"/documents/{document.pk}/pages/1.webp"
    assert b"".join(analyst.get(address).streaming_content).startswith(b"RIFF")
    document.move("drawn")
    Path(page.image.path).write_bytes(b"RIFF another picture")
    for query in (address, f"{address}?thumb"):
        answer = analyst.get(query)
        assert answer.status_code == 409
        assert b"not the one" in answer.content
    document.refresh_from_db()
    assert (document.status, document.due_at is not None) == ("pending", True)
