"""The same document in the cases of different subjects: told of, and never across accounts."""

from __future__ import annotations

import base64
import hashlib
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from agenthub.jobs import lifecycle
from agenthub.models import AgentJob, CheckRun, Delivery, DocumentPrint, ToolRun
from agenthub.tasks import DOCUMENTS
from checks import samples
from checks.document_fraud_check import tunables
from checks.document_fraud_check.content import fingerprints
from checks.document_fraud_check.tool import with_reuse
from tests.checks.document_fraud_check.editing import plain, rewritten
from tests.checks.document_fraud_check.genuine_kinds.scans import scan_of
from tests.checks.document_fraud_check.test_grain import saved
from tests.checks.documents import hostile, results_of
from tests.factories import make_hub

pytestmark = pytest.mark.django_db

FRAUD = "document_fraud_check"
SAMPLE = samples.good_certificate()


@pytest.fixture
def agent() -> Any:
    return make_hub()["kyb"]


def examine(
    agent: Any, case: str, name: str, content: bytes, **data: Any
) -> dict[str, Any]:
    """The fraud payload of a case in which `name` submits the document."""
    wire = {"b64_document": base64.b64encode(content).decode(), "file_name": "a.pdf"}
    attested = {"business_name": name, "incorporation_documents": [wire], **data}
    job, _ = lifecycle.create(
        agent=agent,
        job_id=uuid.uuid4(),
        input_payload={"kyb_schema": {"id": case, "self_attested_data": attested}},
        check_ids=["kyb.incorporation_document_verification"],
    )
    AgentJob.objects.filter(pk=job.pk).update(due_at=now() - timedelta(seconds=1))
    [row] = DOCUMENTS.claim()
    assert isinstance(row, AgentJob)
    lifecycle.advance(row)
    run = ToolRun.objects.get(check_run__job=job, tool_id=FRAUD)
    payload: dict[str, Any] = run.results["payload"]["fraud_verification_data"]
    return payload


def reuse_of(payload: dict[str, Any]) -> dict[str, Any] | None:
    rows = [
        i
        for i in payload["verification_data"]
        if i["indicator_id"] == "reused_in_other_case"
    ]
    return rows[0] if rows else None


def test_another_subject_with_the_same_document_is_told_of(agent):
    first = examine(agent, "case-1", "Halcyon Foods", SAMPLE.content)
    second = examine(agent, "case-2", "Brook Trading", SAMPLE.content)

    assert reuse_of(first) is None
    outcome = reuse_of(second)
    assert outcome is not None
    assert (outcome["type"], outcome["severity"]) == ("RISK", "high")
    assert "case-1" in outcome["description"]
    assert "the same file" in outcome["description"]
    assert second["verification_result"] == "HIGH_RISK"
    result = CheckRun.objects.get(job__case_id="case-2").result
    assert result["verdict"] == "fail"
    # It was reused, and nothing says that it was edited.
    for text in (result["explanation"], second["verification_description"]):
        assert "was already submitted in another case" in text
        assert "edit" not in text


def test_it_was_looked_for_and_the_marks_stay_at_the_hub(agent):
    number = {"business_registration_number": "SC 1199"}
    payload = examine(agent, "case-1", "Halcyon Foods", SAMPLE.content, **number)

    assert "prints" not in payload
    # Nobody who has the database finds the name or the number by trying all.
    hashes = set(DocumentPrint.objects.values_list("subject_name", "subject_number"))
    plain = [hashlib.sha256(text).hexdigest() for text in (b"halcyonfoods", b"sc1199")]
    assert hashes
    assert not hashes & {tuple(plain)}
    assert "" not in next(iter(hashes))
    assert not [item for item in payload["not_checked"] if "register" in item["why"]]
    assert {row.kind for row in DocumentPrint.objects.all()} == {
        "file",
        "form",
        "page",
        "pdf_id",
    }


@pytest.mark.parametrize(
    ("case", "name", "data"),
    [
        ("case-1", "Brook Trading", {}),  # the case itself, run again
        ("case-2", "HALCYON  FOODS.", {}),  # the same subject in a case of its own
        ("case-2", "Halcyon Foods Inc", {"business_registration_number": "6311204"}),
    ],
)
def test_the_same_subject_may_send_its_document_again(agent, case, name, data):
    examine(
        agent,
        "case-1",
        "Halcyon Foods",
        SAMPLE.content,
        business_registration_number="6311204",
    )

    assert reuse_of(examine(agent, case, name, SAMPLE.content, **data)) is None


def test_accounts_do_not_see_each_other(agent):
    examine(agent, "case-1", "Halcyon Foods", SAMPLE.content)

    elsewhere = make_hub()["kyb"]

    assert (
        reuse_of(examine(elsewhere, "case-2", "Brook Trading", SAMPLE.content)) is None
    )


def test_the_same_words_in_another_file_are_told_of(agent):
    examine(agent, "case-1", "Halcyon Foods", SAMPLE.content)
    again = samples.tampered_certificates(seed=1)["metadata_stripped"].content

    result = reuse_of(examine(agent, "case-2", "Brook Trading", again))

    assert result is not None
    assert result["severity"] == "high"
    assert "a page with the same words" in result["description"]


def test_an_edited_copy_descends_from_the_same_original(agent):
    examine(agent, "case-1", "Halcyon Foods", SAMPLE.content)
    edited = samples.tampered_certificates(seed=1)["overlay_rewritten"].content

    result = reuse_of(examine(agent, "case-2", "Brook Trading", edited))

    assert result is not None
    assert result["severity"] == "medium"
    assert "descends from the same original" in result["description"]


def with_own_id(content: bytes) -> bytes:
    """The samples have one PDF id, which would link them as copies of one file."""

    def edit(pdf: Any) -> None:
        del pdf.trailer["/ID"]

    return rewritten(content, edit)


def form_of(payload: dict[str, Any]) -> dict[str, Any] | None:
    for item in payload["verification_data"]:
        if item["indicator_id"] == "same_form_in_other_case":
            found: dict[str, Any] = item
            return found
    return None


def test_the_same_form_with_other_names_is_told_of(agent):
    """Certificates of one template, with other names, numbers and dates, in four ways of arriving."""
    first, second, third, fourth = (samples.good_certificate(s) for s in range(71, 75))
    own = with_own_id(first.content)
    assert form_of(examine(agent, "case-1", "Halcyon Foods", own)) is None

    for case, file in (
        ("case-2", with_own_id(second.content)),
        ("case-3", with_own_id(plain(third.content))),
        ("case-4", saved(scan_of(fourth.content), "JPEG", quality=85)),
    ):
        payload = examine(agent, case, f"Company of {case}", file)
        message = form_of(payload)
        assert message is not None, case
        assert message["type"] == "INFO"
        assert "case-1" in message["description"]
        assert "a page of the same form" in message["description"]
        assert reuse_of(payload) is None


def test_a_form_of_many_subjects_is_its_issuers_own(agent):
    examine(agent, "case-1", "Halcyon Foods", samples.good_certificate(71).content)
    marks = DocumentPrint.objects.filter(kind="form").values_list("value", flat=True)
    rows = []
    for number in range(tunables.FORM_OF_ISSUER):
        job, _ = lifecycle.create(
            agent=agent,
            job_id=uuid.uuid4(),
            input_payload={"kyb_schema": {"id": f"other-{number}"}},
        )
        for mark in marks:
            row = DocumentPrint(
                account_id=job.account_id,
                job=job,
                case_id=job.case_id,
                subject_name=f"{number}",
                kind="form",
                value=mark,
            )
            rows.append(row)
    AgentJob.objects.update(due_at=None)
    DocumentPrint.objects.bulk_create(rows)

    again = with_own_id(samples.good_certificate(72).content)
    payload = examine(agent, "case-2", "Brook Trading", again)

    assert form_of(payload) is None


def test_a_document_of_another_form_is_not(agent):
    examine(agent, "case-1", "Halcyon Foods", SAMPLE.content)

    payload = examine(agent, "case-2", "Brook Trading", samples.ein_letter().content)

    assert form_of(payload) is None


def test_the_same_file_is_told_of_once(agent):
    examine(agent, "case-1", "Halcyon Foods", SAMPLE.content)

    payload = examine(agent, "case-2", "Brook Trading", SAMPLE.content)

    assert reuse_of(payload) is not None
    assert form_of(payload) is None


def test_forms_of_another_account_are_not_asked_for(agent):
    examine(agent, "case-1", "Halcyon Foods", samples.good_certificate(71).content)

    elsewhere = make_hub()["kyb"]
    again = with_own_id(samples.good_certificate(72).content)
    payload = examine(elsewhere, "case-2", "Brook Trading", again)

    assert form_of(payload) is None


def test_a_register_is_asked_for_the_marks_that_the_file_has():
    rows: list[fingerprints.Fingerprint] = []

    class Nobody:
        def elsewhere(self, prints):
            rows.extend(prints)
            return [fingerprints.Earlier("case-7", ("pdf_id",), "2026-01-01")]

    results = with_reuse(results_of(SAMPLE.content)[FRAUD], Nobody())

    assert {one.kind for one in rows} == {"file", "form", "page", "pdf_id"}
    [message] = [
        item
        for item in results["payload"]["fraud_verification_data"]["verification_data"]
        if item["indicator_id"] == "reused_in_other_case"
    ]
    assert "case-7" in message["description"]


@pytest.mark.parametrize(
    "name", ["flate_bomb.pdf", "nested_forms.pdf", "picture_bomb.png"]
)
def test_a_bomb_is_told_of_and_the_job_goes_on(agent, name):
    payload = examine(agent, "case-1", "Halcyon Foods", hostile()[name])

    assert payload["verification_passed"] is False
    assert payload["verification_data"][0]["indicator_id"] == "too_large"
    assert AgentJob.objects.get().status == "COMPLETE"


def test_a_document_that_stalls_its_reader_is_told_of_and_fails_the_check(
    agent, settings
):
    settings.DOCUMENT_SECONDS = 0

    payload = examine(agent, "case-1", "Halcyon Foods", SAMPLE.content)

    [message] = payload["verification_data"]
    assert (message["indicator_id"], message["type"]) == ("timed_out", "RISK")
    assert "took too long" in message["description"]
    assert payload["verification_passed"] is False
    assert CheckRun.objects.get().status == "failed"
    assert (
        Delivery.objects.filter(tool_id=FRAUD).exists() is False
    )  # no address was given
