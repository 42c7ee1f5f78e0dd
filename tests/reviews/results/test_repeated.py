"""A content that a check repeats is read once, and only if it is the same JSON."""

from __future__ import annotations

from typing import Any

from reviews import results
from reviews.models import CheckResult, Document

KEY = "fraud_verification_data"


def _tool(document: Document, *, passed: Any) -> CheckResult:
    content = {"verification_passed": passed, "verification_data": []}
    return CheckResult(
        source=CheckResult.Source.TOOL,
        check_id="document_fraud_check",
        subject=document.pk.hex,
        body={"payload": {KEY: content}},
    )


def _check(document: Document, *, passed: Any) -> CheckResult:
    content = {"verification_passed": passed, "verification_data": []}
    entry = {KEY: content, "document": {"url": document.pk.hex}}
    return CheckResult(
        source=CheckResult.Source.CHECK,
        check_id="kyb.document_verification",
        status="completed",
        body={"result": {"passed": False, "invalid_documents": [entry]}},
    )


def _view(*rows: CheckResult, document: Document) -> Any:
    [part] = results.parts(rows, [document], {})
    return part.view


def test_a_number_is_not_read_as_the_flag_that_equals_it():
    document = Document(file_name="certificate.pdf")
    # In Python 0 equals False. Only the flag says that the verification failed.
    number, flag = _tool(document, passed=0), _tool(document, passed=False)
    assert _view(number, flag, document=document).passed is False
    assert _view(flag, number, document=document).passed is False


def test_what_a_check_repeats_is_shown_once():
    document = Document(file_name="certificate.pdf")
    rows = [_tool(document, passed=False), _check(document, passed=False)]
    assert _view(*rows, document=document).passed is False
    assert _view(*reversed(rows), document=document).passed is False
