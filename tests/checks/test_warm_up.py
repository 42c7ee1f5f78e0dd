"""What the fork server reads before it forks the processes that read documents."""

from __future__ import annotations

import subprocess
import sys

from tests.docs.pages import ROOT


def test_the_sample_goes_through_all_that_a_document_needs():
    """What fails there would be done again, and fail, for each document."""
    # The import reads a document. Each test process imports this file.
    from checks import warm_up

    results = warm_up.read_sample()
    reading = results["kyb.incorporation_document_extraction_tool"]
    assert reading["verdict"] == "pass"
    for outcome in results.values():
        assert outcome["verdict"] != "inconclusive"


def test_neither_settings_nor_the_second_engine_are_loaded():
    """Settings have secrets, and the threads of the second engine do not survive a fork."""
    code = "import sys, checks.warm_up; print(*sys.modules)"
    output = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    packages = {name.partition(".")[0] for name in output.split()}
    assert "checks" in packages
    assert not packages & {"compliance", "django", "onnxruntime", "rapidocr"}
