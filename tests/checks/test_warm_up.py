"""What the fork server reads before it forks the processes that read documents."""

from __future__ import annotations

from checks import warm_up


def test_the_sample_goes_through_all_that_a_document_needs():
    """What fails there would be done again, and fail, for each document."""
    results = warm_up.read_sample()
    reading = results["kyb.incorporation_document_extraction_tool"]
    assert reading["verdict"] == "pass"
    for outcome in results.values():
        assert outcome["verdict"] != "inconclusive"
