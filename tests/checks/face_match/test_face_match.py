"""The face on an ID against a selfie. The faces are drawn: they are nobody's."""

from __future__ import annotations

import io
import json
import re
import sys
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import checks
from checks import engine, registry
from checks.base import Examined
from checks.samples.passports import draw_passport
from checks.vision import face_models
from compliance.work import isolation
from tests.checks.face_match.faces import card_of, encoded, selfie_of
from tests.checks.face_match.portraits import BACKGROUND, BEARDED, BLONDE, BRUNETTE

CHECK = "kyc.face_match"
URLS = {
    "front_image_url": "https://a.example/f",
    "face_match_image_url": "https://a.example/s",
}
with_it = pytest.mark.skipif(
    bool(face_models.missing()), reason="requirements/face.txt is not installed"
)


def attested(**card: str) -> dict[str, Any]:
    return {"government_id_verification_data": {"id_data": card}}


def look(front: bytes, selfie: bytes | None, said: Any = None) -> dict[str, Any]:
    said = said or attested(**URLS)
    check = registry.get(CHECK)
    [document] = check.documents_of(said)
    outcomes = dict(
        engine.examine(
            CHECK,
            file=front,
            file_name="",
            attested=said,
            document=document,
            beside=selfie,
        )
    )
    return engine.conclude(CHECK, [Examined(document, outcomes)], said)


def content_of(result: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = result["payload"]["face_match"]
    return content


@with_it
def test_the_same_face_passes():
    result = look(card_of(BRUNETTE), selfie_of(BRUNETTE))
    assert (result["verdict"], result["passed"]) == ("pass", True), result[
        "explanation"
    ]
    content = content_of(result)
    assert content["distance"] < 0.3
    assert content["faces_found"] == {"front": 1, "selfie": 1}
    assert content["bounds"] == {"review": 0.55, "fail": 0.65}


@with_it
@pytest.mark.parametrize(
    ("front", "selfie", "verdict", "least", "most"),
    [
        (BRUNETTE, BEARDED, "review", 0.55, 0.65),
        (BEARDED, BLONDE, "fail", 0.65, 1.0),
        (BLONDE, BEARDED, "fail", 0.65, 1.0),
    ],
)
def test_another_face_fails_and_one_about_the_bound_goes_to_a_person(
    front, selfie, verdict, least, most
):
    result = look(card_of(front), selfie_of(selfie))
    apart = content_of(result)["distance"]
    assert least < apart < most
    assert (result["verdict"], result["passed"]) == (verdict, False)
    assert f"(distance {apart}" in result["explanation"]
    assert result["alerts"] == {"alert_1": result["explanation"]}


@with_it
@pytest.mark.parametrize(
    ("front", "selfie", "text"),
    [
        ([], [BLONDE], "No face was found on the ID."),
        ([BLONDE], [], "No face was found on the selfie."),
        ([BLONDE], [BLONDE, BEARDED], "2 faces were found on the selfie"),
        ([BLONDE, BRUNETTE], [BLONDE], "2 faces were found on the ID"),
    ],
)
def test_none_or_several_faces_tell_nothing(front, selfie, text):
    result = look(card_of(*front), selfie_of(*selfie))
    assert (result["verdict"], result["passed"]) == ("inconclusive", False)
    assert text in result["explanation"]
    content = content_of(result)
    assert content["distance"] is None
    assert content["faces_found"] == {"front": len(front), "selfie": len(selfie)}


@with_it
def test_a_face_that_is_too_small_is_not_compared():
    """Among photographs, such faces of one person were as far apart as those of two."""
    small = Image.open(io.BytesIO(selfie_of(BLONDE))).resize((88, 88))
    wide = Image.new("RGB", (600, 400), BACKGROUND)
    wide.paste(small, (100, 100))
    result = look(card_of(BLONDE), encoded(wide))
    assert result["verdict"] == "inconclusive"
    assert "The face on the selfie is too small to be compared" in result["explanation"]
    content = content_of(result)
    assert content["distance"] is None
    assert content["faces_found"] == {"front": 1, "selfie": 1}


@with_it
def test_a_page_of_print_has_no_face():
    picture, _ = draw_passport(3, expires=date(2030, 1, 1))
    assert content_of(look(picture, selfie_of(BLONDE)))["faces_found"]["front"] == 0


@with_it
@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_each_face_has_its_place_however_the_card_lies(turned):
    content = content_of(look(card_of(BRUNETTE, turned=turned), selfie_of(BRUNETTE)))
    assert content["distance"] < 0.3
    [front, selfie] = content["pictures"]
    assert [one["document"]["url"] for one in (front, selfie)] == list(URLS.values())
    [box] = front["boxes"]
    # The middle of the portrait, which is drawn at 190 of 1000 across and 190 of 640 down.
    x, y = {
        0: (0.19, 0.3), 90: (0.3, 0.81), 180: (0.81, 0.7), 270: (0.7, 0.19),
    }[turned]  # fmt: skip
    assert (box["x0"] + box["x1"]) / 2 == pytest.approx(x, abs=0.03)
    assert (box["y0"] + box["y1"]) / 2 == pytest.approx(y, abs=0.03)


@with_it
def test_a_scan_as_a_pdf_of_two_pages_is_looked_at_whole():
    card = Image.open(io.BytesIO(card_of(BRUNETTE)))
    out = io.BytesIO()
    blank = Image.new("RGB", card.size, "white")
    blank.save(out, "PDF", save_all=True, append_images=[card])
    result = look(out.getvalue(), selfie_of(BRUNETTE))
    assert result["verdict"] == "pass", result["explanation"]
    assert content_of(result)["pictures"][0]["boxes"][0]["page"] == 2


@with_it
def test_one_file_for_both_tells_nothing():
    result = look(selfie_of(BLONDE), selfie_of(BLONDE))
    assert result["verdict"] == "inconclusive"
    assert "are the same file" in result["explanation"]


@with_it
def test_what_cannot_be_opened_says_so():
    result = look(b"<html>", selfie_of(BLONDE))
    assert result["verdict"] == "inconclusive"
    assert result["explanation"].startswith(
        "The ID could not be opened. The file is a web page"
    )
    result = look(card_of(BLONDE), b"\xff\xd8\xff broken")
    assert result["verdict"] == "inconclusive"
    assert result["explanation"].startswith("The selfie could not be opened.")


@with_it
def test_nothing_that_was_measured_of_a_face_leaves():
    """A template has 128 numbers; the payload has those of places, bounds and one distance."""
    result = look(card_of(BRUNETTE), selfie_of(BRUNETTE))

    def numbers(value: Any) -> list[float]:
        if isinstance(value, dict):
            return [one for inner in value.values() for one in numbers(inner)]
        if isinstance(value, list):
            return [one for inner in value for one in numbers(inner)]
        return [value] if isinstance(value, float) else []

    assert len(numbers(json.loads(json.dumps(result)))) == 2 * 4 + 2 + 1
    from checks.vision import faces

    pixels = Image.open(io.BytesIO(selfie_of(BLONDE)))
    [face] = faces.find(np.asarray(pixels))
    assert "measures" not in repr(face)


@with_it
def test_the_result_says_by_what_it_was_compared():
    result = look(card_of(BRUNETTE), selfie_of(BRUNETTE))
    assert result["versions"]["face model"] == "dlib_face_recognition_resnet_model_v1"
    assert result["versions"]["dlib"]
    values = {one["label"]: one["value"] for one in result["evidence"]}
    assert values["Faces on the ID"] == "1"
    assert float(values["Distance"]) == content_of(result)["distance"]


@with_it
def test_it_runs_in_the_child_that_documents_are_read_in():
    result = attested(**URLS)
    [document] = registry.get(CHECK).documents_of(result)
    photograph = Image.open(io.BytesIO(selfie_of(BRUNETTE))).resize((4000, 4000))
    results = dict(
        isolation.stream(
            "checks.engine:examine",
            {
                "check_id": CHECK, "file": card_of(BRUNETTE), "file_name": "", "attested": result,
                "document": document, "beside": encoded(photograph, "PNG"),
            },
            seconds=60,
        )
    )  # fmt: skip
    assert results[CHECK]["verdict"] == "pass", results[CHECK]["explanation"]


def test_without_the_extra_it_says_that_nothing_was_checked(monkeypatch):
    monkeypatch.setitem(sys.modules, "dlib", None)
    result = look(card_of(BLONDE), selfie_of(BLONDE))
    assert (result["verdict"], result["passed"]) == ("inconclusive", False)
    assert result["explanation"] == (
        "Not checked: dlib or its models (requirements/face.txt) is not installed."
    )
    assert registry.get(CHECK).lacks


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ({}, "Neither the front of an ID nor a selfie was submitted."),
        ({"front_image_url": "https://a.example/f"}, "No selfie was submitted"),
        ({"face_match_image_url": "https://a.example/s"}, "No front of an ID was submitted"),
        (
            {"front_image_url": "https://a.example/f", "face_match_video_url": "https://a.example/v"},
            "videos are not examined",
        ),
        ({"front_image_url": 7, "face_match_image_url": {"a": 1}}, "Neither the front"),
    ],
)  # fmt: skip
def test_without_both_pictures_it_does_not_apply(card, text):
    check = registry.get(CHECK)
    assert list(check.documents_of(attested(**card))) == []
    result = engine.conclude(CHECK, [], attested(**card))
    assert result["verdict"] == "not_applicable"
    assert text in result["explanation"]


def test_an_id_alone_as_on_the_command_line_has_nothing_to_be_compared_with():
    assert look(card_of(BLONDE), None)["verdict"] == "not_applicable"


def test_the_landmarks_that_are_not_free_are_named_nowhere():
    folder = Path(checks.__file__).parent
    naming = [
        path.name
        for path in folder.rglob("*.py")
        if "face_landmarks" in path.read_text()
    ]
    assert naming == ["face_models.py"]
    assert re.findall(
        r"\w+_face_landmarks", (folder / "vision/face_models.py").read_text()
    ) == ["shape_predictor_5_face_landmarks"]
