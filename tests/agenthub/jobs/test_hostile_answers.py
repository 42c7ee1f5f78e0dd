"""What a child process may answer that a document took over: anything."""

from __future__ import annotations

from typing import Any

import pytest

from agenthub.jobs.examination import _checked_answer, _Part
from agenthub.models import CheckRun
from checks import engine, registry
from checks.base import Examined, Outcome
from compliance.work.isolation import IsolationError

CHECK = "kyb.incorporation_document_verification"
WRONG: list[Any] = [None, 5, True, "text", [], [[]], {}, {"a": [5]}, [{"state": 5}]]


def answer(**changes: object) -> list[Any]:
    results = Outcome(passed=True, verdict="pass", explanation="Read.").to_wire()
    tool = registry.get(CHECK).tools[0]
    return [0, tool.id, {**results, **changes}]


def part() -> _Part:
    return _Part(registry.get(CHECK), CheckRun(), 0, {}, {})


def test_what_a_tool_answers_is_taken():
    number, tool_id, results = _checked_answer(answer(), [part()])
    assert (number, results["verdict"]) == (0, "pass")
    assert tool_id == registry.get(CHECK).tools[0].id


@pytest.mark.parametrize(
    "changes",
    [
        {"passed": "yes"},
        {"verdict": "excellent"},
        {"verdict": ["pass"]},
        {"alerts": ["a"]},
        {"payload": None},
        {"payload": []},
        {"explanation": 5},
        {"answer": None},
        {"evidence": {}},
        {"versions": None},
    ],
)
def test_results_of_another_shape_are_refused(changes):
    with pytest.raises(IsolationError):
        _checked_answer(answer(**changes), [part()])


@pytest.mark.parametrize("value", [None, [], [0], [5, "x", {}], [0, "no tool", {}]])
def test_an_answer_of_another_shape_is_refused(value):
    with pytest.raises(IsolationError):
        _checked_answer(value, [part()])


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("kind", ["kyb", "kyc"])
def test_a_payload_of_any_shape_ends_no_job(kind, wrong):
    """Each check that reads documents, with wrong values below each member that its tools have."""
    for check in registry.select(kind=kind):
        if not check.documents:
            continue
        outcomes = {}
        for tool in check.tools:
            payload = {
                tool.payload_key: wrong,
                "document": wrong,
                "fraud_verification_data": wrong,
                "extraction_data": wrong,
                "rows": wrong,
            }
            _, _, results = answer(payload=payload, versions={"a": wrong})
            outcomes[tool.id] = results
        examined = [Examined(document={}, outcomes=outcomes)]
        result = engine.conclude(check.id, examined, {})
        assert result["verdict"] in {"pass", "review", "fail", "inconclusive"}
