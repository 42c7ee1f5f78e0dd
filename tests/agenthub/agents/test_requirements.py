"""What a case must bring before Approve, held over the interface and in the job webhook."""

from __future__ import annotations

import base64
from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.timezone import now

from agenthub.agents import requirements
from agenthub.models import Delivery
from agenthub.models.lists import ListSource, ListVersion
from agenthub.screening import catalogue, loading, sample_lists
from checks import registry, samples
from tests.agenthub.conftest import Caller, make_caller

pytestmark = pytest.mark.django_db

CHECKS = ["kyb.incorporation_document_verification", "kyb.sanctions_screening_check_v2"]
HOOK = "http://127.0.0.1:9/hook"


@pytest.fixture
def strict() -> Caller:
    """A client whose agents require what their kind does."""
    result = make_caller()
    for agent in (result.kyb, result.kyc):
        agent.checks, agent.requirements = [], []
        agent.save()
    return result


@pytest.fixture
def lists(tmp_path):
    (tmp_path / "sdn").write_bytes(sample_lists.ofac_sdn_xml())
    loading.load(catalogue.source("ofac_sdn"), tmp_path / "sdn")


def run(
    caller: Caller, work_off, data: dict[str, Any], *check_ids: str
) -> dict[str, Any]:
    body = caller.kyb_body(check_ids=list(check_ids), webhook_url=HOOK)
    body["kyb_schema"]["self_attested_data"] = data
    job_id = caller.post("startKYBAgentJob", body).json()["job_id"]
    work_off()
    answer: dict[str, Any] = caller.get("getJobById", job_id=job_id).json()
    return answer


def good() -> dict[str, Any]:
    sample = samples.good_certificate()
    content = base64.b64encode(sample.content).decode()
    return sample.attested | {
        "incorporation_documents": [{"b64_document": content, "file_name": "c.pdf"}]
    }


def test_a_name_alone_is_not_approved_and_the_webhook_says_what_it_lacks(
    strict, lists, work_off, settings
):
    settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", 9)})
    result = run(strict, work_off, {"business_name": "Only A Name Ltd"}, CHECKS[1])
    lacks = [
        "No address of the business was attested.",
        "No document of incorporation was submitted.",
    ]
    assert (result["recommendation"], result["recommendation_reasons"]) == (
        "Review",
        lacks,
    )
    assert result["requirements_version"] == f"kyb-{requirements.VERSION}"
    event = orjson.loads(bytes(Delivery.objects.get(kind="job").body))
    assert event["recommendation_reasons"] == lacks
    assert event["requirements_version"] == result["requirements_version"]


def test_a_case_that_brings_all_is_approved(strict, lists, work_off):
    result = run(strict, work_off, good(), *CHECKS)
    assert (result["recommendation"], result["recommendation_reasons"]) == (
        "Approve",
        [],
    )


@pytest.mark.parametrize("is_loaded", [True, False])
def test_a_list_that_is_missing_or_too_old_leaves_review(
    strict, work_off, request, is_loaded
):
    if is_loaded:
        request.getfixturevalue("lists")
        ListVersion.objects.update(loaded_at=now() - timedelta(days=400))
    result = run(strict, work_off, good(), *CHECKS)
    [words] = result["recommendation_reasons"]
    assert result["recommendation"] == "Review"
    assert ("400 days ago" if is_loaded else "No list of sanctions is loaded.") in words


@pytest.mark.parametrize("second", ["stale", "earlier_engine", "never_loaded"])
def test_one_fresh_list_does_not_stand_for_another(strict, lists, work_off, second):
    source = ListSource.objects.create(
        slug="second",
        title="Second list",
        format="x",
        topics=["sanction"],
        max_age_days=8,
    )
    if second != "never_loaded":
        fresh = ListVersion.objects.get()
        ListVersion.objects.create(
            source=source, status="active", file_name="x", sha256="", topics=["sanction"],
            engine_version="0" if second == "earlier_engine" else fresh.engine_version,
        )  # fmt: skip
    if second == "stale":
        ListVersion.objects.filter(source=source).update(
            loaded_at=now() - timedelta(days=30)
        )
    result = run(strict, work_off, good(), *CHECKS)
    words = {
        "stale": "The list Second list is too old: it was loaded on ",
        "earlier_engine": "The list Second list waits to be indexed again: ",
        "never_loaded": "The list Second list is not loaded.",
    }
    assert result["recommendation"] == "Review"
    assert any(
        reason.startswith(words[second]) for reason in result["recommendation_reasons"]
    )
    if second == "stale":
        assert any(
            "30 days ago" in reason for reason in result["recommendation_reasons"]
        )


EMPTY: list[tuple[str, Any]] = [
    (
        "address_of_incorporation",
        {"type": "Address", "street_1": " ", "country_code": "US"},
    ),
    ("address_of_incorporation", {"street_1": "\u200b"}),
    ("address_of_incorporation", {"street_1": " - "}),
    ("incorporation_documents", []),
    ("incorporation_documents", [{"type": "Document", "file_name": ""}]),
    ("business_name", "\u00a0\u2003"),
]


@pytest.mark.parametrize(("member", "value"), EMPTY)
def test_what_holds_nothing_is_not_there(strict, lists, member, value):
    verdicts = dict.fromkeys(CHECKS, "pass")
    assert requirements.missing(strict.kyb, good(), verdicts) == []
    data = good() | {member: value}
    if member == "business_name":
        data["registered_business_name"] = None
    [words] = requirements.missing(strict.kyb, data, verdicts)
    assert words.startswith("No ")


@pytest.mark.parametrize(
    "file", [b"", b"nothing", b"%PDF-1.7 nothing", b"\x89PNG\r\n\x1a\n"]
)
def test_a_required_document_that_cannot_be_read_is_not_examined(
    strict, lists, work_off, file
):
    wire = {"b64_document": base64.b64encode(file).decode(), "file_name": "c.pdf"}
    body = strict.kyb_body(check_ids=CHECKS)
    body["kyb_schema"]["self_attested_data"] = good() | {
        "incorporation_documents": [wire]
    }
    answer = strict.post("startKYBAgentJob", body)
    if answer.status_code == 400:  # refused at once
        return
    work_off()
    data = strict.get("getJobById", job_id=answer.json()["job_id"]).json()
    assert data.get("recommendation") != "Approve"


def test_a_document_of_another_company_is_not_approved(strict, lists, work_off):
    names = dict.fromkeys(
        ("business_name", "registered_business_name"), "Quite Another GmbH"
    )
    result = run(strict, work_off, good() | names, *CHECKS)
    assert result["recommendation"] != "Approve"


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["kyb", "kyc"])
@pytest.mark.parametrize("check", ["all", *(check.id for check in registry.select())])
def test_a_name_alone_is_never_approve_whatever_the_agent_runs(
    strict, lists, work_off, kind, check
):
    agent = getattr(strict, kind)
    listed = {one.id for one in registry.select(kind=kind)}
    if check != "all" and check not in listed:
        return
    agent.checks = [] if check == "all" else [{"check_id": check}]
    agent.save()
    answer = strict.post(
        f"start{kind.upper()}AgentJob", getattr(strict, f"{kind}_body")()
    )
    work_off()
    body = strict.get("getJobById", job_id=answer.json()["job_id"]).json()
    assert body.get("recommendation", "Review") != "Approve"
    assert body["status"] == "failed" or body["recommendation_reasons"]


def test_an_agent_that_was_given_fields_alone_before_is_never_approve(strict, lists):
    agent = strict.kyb
    agent.requirements = ["legal_name", "address"]
    words = requirements.missing(agent, good(), dict.fromkeys(CHECKS, "pass"))
    assert words == ["The requirements of this agent ask for nothing to be examined."]


def test_the_page_of_an_agent_refuses_requirements_that_examine_nothing(strict, client):
    boss = User.objects.create_superuser("boss")
    client.force_login(boss)
    address = reverse("hub-agent", args=[strict.kyb.pk])
    data = {
        "name": "Ours",
        "is_active": "on",
        "requirements": ["legal_name", "address"],
    }
    refused = client.post(address, data)
    assert refused.status_code == 200
    assert (
        "name at least one requirement that examines something"
        in refused.content.decode()
    )
    strict.kyb.refresh_from_db()
    assert strict.kyb.requirements == []
    data["requirements"] = ["sanctions_screening", "legal_name"]
    assert client.post(address, data).status_code == 303
    strict.kyb.refresh_from_db()
    assert strict.kyb.requirements == ["legal_name", "sanctions_screening"]
    html = client.get(address).content.decode()
    assert html.count("checked") >= 2
    assert (
        client.post(address, data | {"requirements": ["date_of_birth"]}).status_code
        == 200
    )


def test_a_document_that_nobody_examined_counts_for_nothing(strict, lists, work_off):
    result = run(strict, work_off, good(), CHECKS[1])
    assert result["recommendation"] == "Review"
    assert result["recommendation_reasons"] == [
        "No document of incorporation was examined and passed."
    ]


def test_a_person_brings_more_than_a_name(strict, lists):
    def lacks(**data: Any) -> list[str]:
        verdicts = {
            "kyc.sanctions_screening_check_v2": "pass",
            "kyc.government_id_mrz": "pass",
        }
        return requirements.missing(strict.kyc, data, verdicts)

    name = {"first_name": "Ana", "last_name": "Reyes"}
    identity = "Neither a government ID nor a proof of address was submitted."
    assert lacks(**name) == ["No date of birth was attested.", identity]
    empty = {"government_id_verification_data": {"id_data": {"mrz": " "}}}
    assert lacks(**name, date_of_birth="1990-01-01", **empty) == [identity]
    payload = {"government_id_verification_data": {"id_data": {"mrz": "P<NGA"}}}
    assert lacks(**name, date_of_birth="1990-01-01", **payload) == []


@pytest.mark.parametrize(
    "card",
    [
        {"vendor_validated": True},
        {
            "vendor_name": "V",
            "vendor_validated": True,
            "vendor_verification_url": "https://v.example/1",
        },
        {
            "document_number": "12345678Z",
            "document_type": "National ID",
            "issuing_country": "ES",
        },
        {
            "first_name": "Ana",
            "last_name": "Reyes",
            "date_of_birth": "1990-01-01",
            "vendor_validated": True,
        },
    ],
)
def test_what_a_form_says_of_an_id_is_no_examined_id(strict, lists, work_off, card):
    """A vendor's word, a number: whoever fills in the form can fill in these, too."""
    body = strict.kyc_body()
    body["kyc_schema"]["self_attested_data"] |= {
        "date_of_birth": "1990-01-01", "government_id_verification_data": {"id_data": card},
    }  # fmt: skip
    job_id = strict.post("startKYCAgentJob", body).json()["job_id"]
    work_off()
    answer = strict.get("getJobById", job_id=job_id).json()
    assert answer["recommendation"] != "Approve"
    assert (
        "No government ID or proof of address was examined and passed."
        in answer["recommendation_reasons"]
    )


def test_an_agent_names_requirements_of_its_kind_only(strict):
    agent = strict.kyb
    rows = ["incorporation_document", "legal_name"]
    agent.requirements = requirements.clean(rows, kind=agent.kind)
    assert agent.requirements == ["legal_name", "incorporation_document"]
    assert requirements.version_of(agent) != f"kyb-{requirements.VERSION}"
    with pytest.raises(ValidationError, match="some of: legal_name"):
        requirements.clean(["date_of_birth"], kind=agent.kind)
