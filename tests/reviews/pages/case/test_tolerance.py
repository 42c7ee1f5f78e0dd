"""Whatever a service sends, the page is answered and the worker goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.db.states import stored_values
from reviews import results
from reviews.models import CheckResult
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
)

pytestmark = pytest.mark.django_db

# What a JSON column of every database takes; what cannot be stored is refused or cleaned on arrival.
STORABLE = st.characters(codec="utf-8", exclude_characters="\x00")
MEMBERS = st.sampled_from(
    [
        "passed",
        "verdict",
        "payload",
        "result",
        "alerts",
        "explanation",
        "answer",
        "status",
        "error",
        "document",
        "url",
        "file_name",
        "extraction_data",
        "visual_inspection",
        "fraud_verification_data",
        "valid_documents",
        "invalid_documents",
        "comparisons",
        "evidence",
        "boxes",
        "page",
        "x0",
        "y0",
        "x1",
        "y1",
        "state",
        "label",
        "field",
        "attested",
        "extracted",
        "how",
        "visual_analysis",
        "seal_verification",
        "analysis",
        "present",
        "checked",
        "verification_data",
        "type",
        "title",
        "verification_result",
        "is_valid_document",
        "all_business_names",
        "business_name",
        "business_address",
        "check_id",
        "command_id",
        "street_1",
        "city",
    ]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(min_value=-(10**30), max_value=10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["true", "RISK", "differs", "pass", "2023-03-28", "<script>"])
    | st.text(STORABLE, max_size=12)
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(MEMBERS | st.text(STORABLE, max_size=6), inner, max_size=6)
    ),
    max_leaves=30,
)
WITHOUT_DATABASE = settings(max_examples=300, deadline=None)
THROUGH_THE_PAGE = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@WITHOUT_DATABASE
@given(body=JSON, attested=JSON, source=st.sampled_from(CheckResult.Source.values))
def test_no_body_raises(body: Any, attested: Any, source: str) -> None:
    row = CheckResult(source=source, check_id=payloads.FRAUD, body=body)
    result = results.parts([row], [], attested)
    assert all(part.template for part in result)
    results.checks([row], [], result)


@WITHOUT_DATABASE
@given(part=JSON, key=st.sampled_from(sorted(results.READERS)))
def test_no_part_raises(part: Any, key: str) -> None:
    row = CheckResult(
        source=CheckResult.Source.TOOL,
        check_id="x",
        body=payloads.tool_results(key, part),
    )
    for result in results.parts([row], [], {"business_name": "Northwind"}):
        assert {row.tone for row in result.findings} <= {
            "pass",
            "warn",
            "fail",
            "info",
            "na",
        }


@THROUGH_THE_PAGE
@given(body=JSON, attested=JSON)
def test_the_page_is_answered(analyst, body: Any, attested: Any) -> None:
    case, job = rows(analyst)
    changes = stored_values(case, {"self_attested_data": storable(attested)})
    type(case).objects.filter(pk=case.pk).update(**changes)
    for row in CheckResult.objects.filter(job=job):
        row.body = storable(body)
        row.save()
    for tab in ("findings", "payload"):
        assert analyst.get(f"/cases/{case.pk}/?tab={tab}").status_code == 200
    case.refresh_from_db()
    documents = list(case.documents.order_by("created_at"))
    summary = results.summarise(case, list(job.check_results.all()), documents)
    allowed = {"pass", "review", "fail", "inconclusive", "error", "unknown"}
    assert {verdict for _, verdict in summary["checks"]} <= allowed
    json.dumps(summary).encode()


def rows(analyst: Any) -> Any:
    """One case for all examples: hypothesis runs them within one test."""
    if not hasattr(analyst, "rows"):
        case, job = reviewed_case()
        document = add_document(case)
        result = payloads.tool_results("extraction_data", {}, document=wire(document))
        add_tool_result(job, payloads.EXTRACTION, result)
        add_check_result(job, {})
        analyst.rows = case, job
    return analyst.rows


def storable(value: Any) -> Any:
    """PostgreSQL refuses NUL and lone surrogates in JSON; SQLite refuses numbers beyond a double."""
    text = json.dumps({} if value is None else value).replace("\\u0000", "")
    return json.loads(text)


@pytest.mark.parametrize(
    "alerts", [None, {}, [], {"alert_1": "odd"}, ["odd", 3], "odd", 7, True]
)
def test_alerts_come_as_anything(alerts):
    body = payloads.tool_results(
        "fraud_verification_data", payloads.fraud(), alerts=alerts
    )
    row = CheckResult(
        source=CheckResult.Source.TOOL, check_id=payloads.FRAUD, body=body
    )
    (part,) = results.parts([row], [], {})
    assert ("odd" in part.alerts) == ("odd" in str(alerts))


@pytest.mark.parametrize(
    ("passed", "verdict"),
    [
        (True, "pass"),
        ("true", "unknown"),  # a word is no pass
        (False, "fail"),
        ("No", "fail"),
        (None, "unknown"),
        (3, "unknown"),
    ],
)
def test_passed_comes_as_anything(passed, verdict):
    body = payloads.tool_results(
        "extraction_data", payloads.extraction(), passed=passed
    )
    row = CheckResult(source=CheckResult.Source.TOOL, check_id="x", body=body)
    (part,) = results.parts([row], [], {})
    assert part.verdict == verdict


def test_what_nests_without_end_is_survived():
    deep: Any = "x"
    for _ in range(400):
        deep = {"payload": [deep]}
    for source in CheckResult.Source.values:
        row = CheckResult(
            source=source, check_id="x", body={"result": deep, "payload": deep}
        )
        result = results.parts([row], [], deep)
        results.checks([row], [], result)
        assert results.pretty(deep)


def test_a_part_in_a_wrong_shape_is_kept_and_shown_raw():
    body = payloads.tool_results("extraction_data", "I could not read it.")
    row = CheckResult(
        source=CheckResult.Source.TOOL, check_id=payloads.EXTRACTION, body=body
    )
    (part,) = results.parts([row], [], {})
    assert part.template == results.UNKNOWN
    assert part.data == "I could not read it."


@pytest.mark.parametrize(
    "key", ["../../base", "_unknown", "a b", "é", "__class__", "x" * 300, ""]
)
def test_a_payload_key_cannot_reach_other_templates(key):
    assert results.template_for(key) == results.UNKNOWN
