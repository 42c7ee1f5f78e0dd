"""Files that are made to harm their reader, through the form: told of, and nobody else waits."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from agenthub.models import Agent, AgentJob
from checks import samples
from reviews.models import Case, CheckResult, Document
from tests.checks.documents import hostile
from tests.factories import make_connection, make_hub, make_user

pytestmark = pytest.mark.django_db(transaction=True)

INCORPORATION = "kyb.incorporation_document_verification"
SAFETY = "document_safety_check"
# What the page says of each: the indicator, and the words of the check of safety.
SAID = {
    "flate_bomb.pdf": (
        "The file is too large to be opened safely",
        "inflates without end",
    ),
    "nested_forms.pdf": (
        "The file is too large to be opened safely",
        "drawings within drawings",
    ),
    "picture_bomb.png": (
        "The file is too large to be opened safely",
        "picture is too large",
    ),
    "page_loop.pdf": ("The file could not be opened as a document", "is damaged"),
    "truncated.pdf": ("The file could not be opened as a document", "is damaged"),
    "locked.pdf": ("The file is locked with a password", "is locked with a password"),
}


@pytest.fixture
def hub(served):
    result = make_hub(make_connection(base_url=f"{served}/api/v1"))
    checks = [{"check_id": INCORPORATION}, {"check_id": SAFETY}]
    Agent.objects.filter(pk=result["kyb"].pk).update(checks=checks)
    return result


@pytest.fixture
def analyst(client, hub):
    client.force_login(make_user())
    return client


def submit(analyst, hub, files: dict[str, bytes], *, reference: str = "case-1"):
    return analyst.post(
        "/cases/new/?kind=kyb",
        {
            "agent": hub["desk_kyb"].pk,
            "reference": reference,
            "business_name": samples.good_certificate().attested["business_name"],
            "incorporation_documents": [
                SimpleUploadedFile(*file) for file in files.items()
            ],
        },
    )


def page(analyst, case: Case, **values: str) -> str:
    response = analyst.get(case.get_absolute_url(), values)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.fault("F15", "hostile documents beside a good one")
def test_each_hostile_file_is_told_of_and_the_good_one_is_read(analyst, hub, work_off):
    sample = samples.good_certificate()
    files = {name: hostile()[name] for name in SAID} | {"good.pdf": sample.content}
    assert submit(analyst, hub, files).status_code in {302, 303}
    work_off()
    case = Case.objects.get()
    assert case.status == Case.Status.TO_REVIEW
    assert case.recommendation == "Review"
    # On a slow machine a check may run twice, and the first run may end undecided. The last result
    # counts.
    results = CheckResult.objects.filter(
        source="check",
        check_id=SAFETY,
        confirmation=CheckResult.Confirmation.CONFIRMED,
    )
    assert results.latest("pk").passed is False
    assert "6 of 7 documents" in page(analyst, case, check=SAFETY)
    documents = {document.file_name: document for document in Document.objects.all()}
    assert len(documents) == len(files)
    for name, (indicator, reason) in SAID.items():
        document = documents[name]
        result = page(analyst, case, check=INCORPORATION, doc=document.pk.hex)
        assert indicator in result, name
        assert reason in result, name
        assert reason in page(analyst, case, check=SAFETY), name
    good = documents["good.pdf"]
    result = page(analyst, case, check=INCORPORATION, doc=good.pk.hex)
    assert sample.attested["registered_business_name"] in result


@pytest.mark.fault("F10", "a document stops its reader")
def test_a_file_that_stops_its_reader_ends_its_job_with_the_reason(
    analyst, hub, work_off, settings
):
    settings.DOCUMENT_SECONDS = 0
    submit(analyst, hub, {"slow.pdf": samples.good_certificate().content})
    work_off()
    assert AgentJob.objects.get().status == AgentJob.Status.FAILED
    result = page(analyst, Case.objects.get())
    assert "Reading stopped after 0 s" in result
    assert "The examination of the file had to be stopped" in result


@pytest.mark.parametrize(
    ("name", "word"), [("web_page.pdf", "is not a"), ("empty.pdf", "is empty")]
)
def test_what_is_no_document_is_refused_by_the_form(analyst, hub, name, word):
    answer = submit(analyst, hub, {name: hostile()[name]})
    assert word in answer.content.decode()
    assert not Case.objects.exists()
