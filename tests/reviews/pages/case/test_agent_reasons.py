"""Why the agent recommends what it does: the checks that led to it stand beside what it says."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pypdfium2
import pytest

from reviews.findings.review_state import ReviewState
from reviews.models import Case
from tests.factories import make_user
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import add_check_result, reviewed_case

pytestmark = pytest.mark.django_db

HIT = "Sanctions screening: 1 hit. Same number: “Northwind Ltd” on Demo list."
FORM = "Tax number: The number has eight digits."
DOUBT = "Address type: A mailbox is at the address."
LACKS = "No document of incorporation was submitted."


def rejected_case(recommendation: str = "Reject") -> Case:
    case, job = reviewed_case(
        recommendation=recommendation, recommendation_reasons=[LACKS]
    )
    for check_id, verdict, words in (
        ("kyb.address_type", "review", DOUBT),
        ("kyb.tax_number", "fail", FORM),
        ("kyb.sanctions_screening_check_v2", "fail", HIT),
        ("kyb.business_name", "pass", "Name: It agrees."),
        ("kyb.web_presence_check", "not_applicable", "Web: No website was attested."),
    ):
        body = {"verdict": verdict, "explanation": words.partition(": ")[2]}
        add_check_result(job, body, check_id=check_id)
    return case


def test_the_checks_that_failed_come_first_the_worst_before_all():
    assert ReviewState.of(rejected_case()).agent_reasons == [HIT, FORM, DOUBT, LACKS]


@pytest.mark.parametrize("recommendation", ["Approve", ""])
def test_who_recommends_to_approve_or_nothing_has_its_own_reasons_alone(recommendation):
    assert ReviewState.of(rejected_case(recommendation)).agent_reasons == [LACKS]


def test_a_reason_that_the_service_says_itself_stands_once():
    case = rejected_case()
    case.recommendation_reasons = [FORM, LACKS]
    assert ReviewState.of(case).agent_reasons == [HIT, FORM, DOUBT, LACKS]


def test_the_reasons_stand_on_the_page_in_rest_in_the_report_and_in_the_pack(client):
    case = rejected_case()
    client.force_login(make_user(role="senior"))
    for address in ("", "?decide=reject", "report/"):
        html = client.get(f"/cases/{case.pk}/{address}").content.decode()
        list_of_reasons = html[html.index('aria-label="The agent') :]
        places = [list_of_reasons.index(words) for words in (HIT, FORM, DOUBT, LACKS)]
        assert places == sorted(places), address
    pdf = pypdfium2.PdfDocument(client.get(f"/cases/{case.pk}/report/pdf/").content)
    printed = re.sub(
        r"\s+", " ", " ".join(page.get_textpage().get_text_bounded() for page in pdf)
    )
    assert f"Agent: {HIT}" in printed

    answer = Caller(make_user("rest")).get(f"/cases/{case.pk}/review-state").json()
    assert answer["agent_reasons"] == [HIT, FORM, DOUBT, LACKS]

    client.force_login(make_user("auditor", role="auditor"))
    packed = b"".join(client.get(f"/cases/{case.pk}/evidence/").streaming_content)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("case.json")]
        assert json.loads(archive.read(name))["agent_reasons"] == [
            HIT,
            FORM,
            DOUBT,
            LACKS,
        ]
