"""The check of faces over the wire: two pictures are fetched, and without its extra nobody is held up."""

from __future__ import annotations

import base64
import json
import sys
from typing import Any

import pytest

from checks.vision import face_models
from tests import fakeservice
from tests.checks.face_match.faces import card_of, selfie_of
from tests.checks.face_match.portraits import BRUNETTE
from tests.fakeservice import Step

CHECK = "kyc.face_match"
MISSING = face_models.missing()


def lend(caller, content: bytes, name: str) -> str:
    body = {"b64_document": base64.b64encode(content).decode(), "file_name": name}
    url: str = caller.post("uploadB64Document", body).json()["document"]["url"]
    return url


def run(caller, work_off, card: dict[str, str], **values: Any) -> dict[str, Any]:
    caller.kyc.checks = []
    caller.kyc.save()
    body = caller.kyc_body(**values)
    data = body["kyc_schema"]["self_attested_data"]
    data["government_id_verification_data"] = {"id_data": card}
    answer = caller.post("startKYCAgentJob", body)
    assert answer.status_code == 200, answer.content
    work_off()
    job_id = answer.json()["job_id"]
    text: dict[str, Any] = caller.get(
        "getJobById", job_id=job_id, include_check_results="1"
    ).json()
    return text


def both(caller) -> dict[str, str]:
    return {
        "front_image_url": lend(caller, card_of(BRUNETTE), "front.jpg"),
        "face_match_image_url": lend(caller, selfie_of(BRUNETTE), "selfie.jpg"),
    }


def test_both_pictures_are_fetched_and_compared_where_that_can_be_done(
    caller, work_off
):
    card = both(caller)
    outcome = run(caller, work_off, card, check_ids=[CHECK])
    [result] = outcome["check_results"]
    assert result["status"] == "completed"
    message = result["result"]
    if MISSING:
        assert (message["verdict"], outcome["recommendation"]) == (
            "inconclusive",
            "Review",
        )
        assert message["explanation"] == f"Not checked: {MISSING}."
        return
    # Two faces that are alike are no screening, which this agent requires.
    assert (message["verdict"], outcome["recommendation"]) == ("pass", "Review")
    pictures = message["payload"]["face_match"]["pictures"]
    assert [one["document"]["url"] for one in pictures] == list(card.values())


def test_an_agent_that_names_no_checks_compares_faces_only_where_that_can_be_done(
    caller, work_off, monkeypatch
):
    card = {"front_image_url": lend(caller, card_of(), "front.jpg")}
    ran = {one["check_id"] for one in run(caller, work_off, card)["check_results"]}
    assert (CHECK in ran) is not bool(MISSING)
    monkeypatch.setitem(sys.modules, "dlib", None)
    ran = {one["check_id"] for one in run(caller, work_off, card)["check_results"]}
    assert CHECK not in ran
    assert "kyc.government_id_barcode" in ran


def test_what_an_agent_runs_is_told_without_what_cannot_be_done_here(
    caller, monkeypatch
):
    def message() -> set[str]:
        body = caller.get("getAvailableChecks", agent_key=caller.kyc.key).json()
        return {one["check_id"] for one in body["checks"]}

    caller.kyc.checks = []
    caller.kyc.save()
    assert (CHECK in message()) is not bool(MISSING)
    monkeypatch.setitem(sys.modules, "dlib", None)
    assert CHECK not in message()
    caller.kyc.checks = [{"check_id": CHECK}]
    caller.kyc.save()
    assert message() == {CHECK}
    body = caller.get("getCheckInfo", check_id=CHECK).json()
    assert "requirements/face.txt" in body["description"]


def test_a_selfie_alone_does_not_apply(caller, work_off):
    card = {"face_match_image_url": "https://vendor.example/selfie.jpg"}
    outcome = run(caller, work_off, card, check_ids=[CHECK])
    [result] = outcome["check_results"]
    assert (result["status"], result["result"]["verdict"]) == (
        "completed",
        "not_applicable",
    )


@pytest.mark.parametrize("removed_rows", ["front_image_url", "face_match_image_url"])
def test_a_picture_that_cannot_be_had_is_told_apart(
    caller, work_off, settings, removed_rows
):
    with fakeservice.running() as host:
        port = int(host.url.split(":")[2].split("/")[0])
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        host.plan = [Step(status=404)]
        card = both(caller) | {removed_rows: f"{host.url}/gone.jpg"}
        result = run(caller, work_off, card, check_ids=[CHECK])
    which = "the one beside it: " if removed_rows == "face_match_image_url" else ""
    words = f"The document could not be examined: {which}its URL answered HTTP 404."
    assert result["status"] == "failed"
    assert words in json.dumps(result)
