"""Alerts stand out where nothing else tells of them, and do not bury the findings that do."""

from __future__ import annotations

import pytest

from reviews.templatetags.reviews import MOST_ALERTS
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
    words,
)

pytestmark = pytest.mark.django_db
AGAIN = (
    "Incorporation date: attested “2023-03-28”, document “2023-03-29” (one day apart)"
)
ALONE = "The register could not be asked."


def test_what_a_finding_below_says_is_folded(analyst):
    case, job = reviewed_case()
    document = add_document(case)
    part = payloads.extraction(payloads.comparison("Incorporation date"))
    add_tool_result(
        job,
        payloads.EXTRACTION,
        payloads.tool_results("extraction_data", part, document=wire(document)),
    )
    add_check_result(
        job,
        {
            "verdict": "fail",
            "alerts": [AGAIN, ALONE],
            "valid_documents": [{"document": wire(document)}],
        },
    )
    html = analyst.get(f"/cases/{case.pk}/?doc={document.pk.hex}").content.decode()
    folded = html.partition('id="check-again"')[2].partition("</details>")[0]
    assert "1 alert that names a finding below" in folded
    assert "one day apart" in folded
    assert ALONE not in folded
    assert ALONE in words(analyst, f"/cases/{case.pk}/?doc={document.pk.hex}")


def test_alerts_of_what_is_not_shown_stand_open(analyst):
    case, job = reviewed_case()
    add_check_result(job, {"verdict": "fail", "alerts": [AGAIN]})
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    assert "one day apart" in html
    assert "a finding below" not in html


def test_an_endless_alert_can_be_opened(analyst):
    case, job = reviewed_case()
    add_check_result(job, {"verdict": "fail", "alerts": ["long " * 400]})
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    assert 'id="check-alert-1"' in html


def test_a_sign_of_fraud_stands_in_the_heading(analyst):
    case, job = reviewed_case()
    document = add_document(case)
    part = payloads.fraud(payloads.indicator(title="Text was covered"))
    body = payloads.tool_results(
        "fraud_verification_data", part, document=wire(document)
    )
    add_tool_result(job, payloads.FRAUD, body)
    add_check_result(
        job,
        {
            "verdict": "fail",
            "alerts": ["Text was covered: page 1."],
            "valid_documents": [{"document": wire(document)}],
        },
    )
    html = analyst.get(f"/cases/{case.pk}/?doc={document.pk.hex}").content.decode()
    assert "Text was covered: page 1." in html
    assert 'id="check-again"' not in html


def test_alerts_without_end_leave_the_findings_in_sight(analyst):
    case, job = reviewed_case()
    add_check_result(
        job, {"verdict": "fail", "alerts": [f"Alert {n}." for n in range(200)]}
    )
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    folded = html.partition('id="check-more"')[2].partition("</details>")[0]
    assert f"{200 - MOST_ALERTS} more alerts" in folded
    assert "Alert 199." in folded
    assert "Alert 0." not in folded


def test_an_endless_description_of_an_indicator_can_be_opened(analyst):
    case, job = reviewed_case()
    document = add_document(case)
    part = payloads.fraud(payloads.indicator(description="long " * 400 + "end."))
    body = payloads.tool_results(
        "fraud_verification_data", part, document=wire(document)
    )
    add_tool_result(job, payloads.FRAUD, body)
    html = analyst.get(f"/cases/{case.pk}/?doc={document.pk.hex}").content.decode()
    assert html.count("end.") == 1
    assert "All of the description" in html


def test_the_same_words_about_several_documents_stand_once(analyst):
    case, job = reviewed_case()
    add_check_result(
        job, {"verdict": "fail", "alerts": [ALONE, "Another.", ALONE, ALONE]}
    )
    page = analyst.get(f"/cases/{case.pk}/").content.decode()
    _, _, rest = page.partition('<ul class="alerts">')
    alerts = rest.partition("</ul>")[0]
    assert alerts.count(ALONE) == 1
    assert alerts.count("Another.") == 1


def test_what_the_explanation_says_already_is_not_said_again(analyst):
    case, job = reviewed_case()
    explanation = f"One document was refused. {ALONE} Nothing else was wrong."
    add_check_result(
        job,
        {
            "verdict": "fail",
            "explanation": explanation,
            "alerts": [ALONE, "Nothing else"],
        },
    )
    page = analyst.get(f"/cases/{case.pk}/").content.decode()
    heading = page.partition('class="chead"')[2].partition('class="meta"')[0]
    assert heading.count(ALONE) == 1
    # Words that only begin a sentence may mean something else.
    assert "<span>Nothing else</span>" in heading


def test_what_a_folded_explanation_says_stands_open_as_an_alert(analyst):
    case, job = reviewed_case()
    explanation = f"{'Long words. ' * 120}{ALONE}"
    add_check_result(
        job, {"verdict": "fail", "explanation": explanation, "alerts": [ALONE]}
    )
    page = analyst.get(f"/cases/{case.pk}/").content.decode()
    alerts = page.partition('<ul class="alerts">')[2].partition("</ul>")[0]
    assert ALONE in alerts


LOCKED = "The file is locked with a password."


@pytest.mark.parametrize(
    ("explanation", "times"),
    [(LOCKED, 1), ("One document could not be read.", 1), (f"Refused. {LOCKED}", 2)],
)
def test_a_problem_of_a_file_stands_once_beside_its_document(
    analyst, explanation, times
):
    case, job = reviewed_case()
    document = add_document(case)
    part = payloads.extraction(summary=LOCKED, analysis=LOCKED, alerts=[LOCKED])
    add_tool_result(
        job,
        payloads.EXTRACTION,
        payloads.tool_results("extraction_data", part, document=wire(document)),
    )
    add_check_result(
        job,
        {
            "verdict": "inconclusive",
            "explanation": explanation,
            "alerts": [LOCKED] if LOCKED in explanation else [],
            "valid_documents": [{"document": wire(document)}],
        },
    )
    html = analyst.get(f"/cases/{case.pk}/?doc={document.pk.hex}").content.decode()
    findings = html.partition('id="findings"')[2].partition('id="decision"')[0]
    assert findings.count(LOCKED) == times
