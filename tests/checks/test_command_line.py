"""`python -m checks`, as a process."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from checks.samples import (
    edited_certificate,
    ein_letter,
    good_certificate,
    utility_bill,
)
from tests.checks.documents import EXTRACTION, FRAUD, VISUAL

# Each loads all checks in a process of its own.
pytestmark = pytest.mark.processes


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "checks", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.pdf"
    path.write_bytes(good_certificate().content)
    return path


@pytest.fixture
def edited(tmp_path):
    path = tmp_path / "edited.pdf"
    path.write_bytes(edited_certificate().content)
    return path


def test_json_has_one_entry_for_each_tool_and_file(good, edited, tmp_path):
    attested = tmp_path / "attested.json"
    attested.write_text(json.dumps(good_certificate().attested))

    process = run(good, edited, "--attested", attested, "--json")

    entries = json.loads(process.stdout)["tools"]
    assert [
        (entry["results"]["payload"]["document"]["file_name"], entry["tool_id"])
        for entry in entries
    ] == [
        (name, tool)
        for name in ("good.pdf", "edited.pdf")
        for tool in (EXTRACTION, VISUAL, FRAUD)
    ]
    assert process.returncode == 1


def test_a_good_file_ends_with_zero(good):
    process = run(good)

    assert process.returncode == 0
    assert "certificate of incorporation" in process.stdout


def test_the_report_shows_the_edit_to_a_person(edited):
    process = run(edited)

    assert process.returncode == 1
    assert "RISK revision_text_changed" in process.stdout
    assert "→" in process.stdout


def test_the_schema_of_a_case_is_taken_as_attested_data(good, tmp_path):
    path = tmp_path / "case.json"
    path.write_text(
        json.dumps({"id": "1", "self_attested_data": {"business_name": "Other Ltd"}})
    )

    process = run(good, "--attested", path)

    assert process.returncode == 1
    assert "different names" in process.stdout


@pytest.mark.parametrize("text", ["not json", "[1]", '{"self_attested_data": 3}'])
def test_attested_data_that_cannot_be_used(good, tmp_path, text):
    path = tmp_path / "attested.json"
    path.write_text(text)

    process = run(good, "--attested", path)

    assert process.returncode == 2
    assert "attested.json" in process.stderr
    assert "Traceback" not in process.stderr


def test_a_missing_file_or_check_ends_with_two(good, tmp_path):
    assert run(tmp_path / "none.pdf").returncode == 2
    assert run(good, "--check", "kyb.nothing").returncode == 2
    assert run().returncode == 2


def test_help_documents_the_exit_codes():
    assert "exit codes: 0 every tool that applies passed" in " ".join(
        run("--help").stdout.split()
    )


def test_without_a_named_check_the_kind_of_document_decides(tmp_path):
    letter = tmp_path / "letter.pdf"
    letter.write_bytes(ein_letter().content)

    process = run(letter, "--json")

    entries = json.loads(process.stdout)["tools"]
    assert (
        next(entry["tool_id"] for entry in entries)
        == "kyb.ein_document_extraction_tool"
    )
    assert process.returncode == 0


def test_a_check_takes_its_arguments_from_a_file(tmp_path):
    bill, arguments = tmp_path / "bill.pdf", tmp_path / "arguments.json"
    bill.write_bytes(
        utility_bill(dated=datetime.now(UTC).date() - timedelta(days=50)).content
    )
    arguments.write_text('{"validity_period": 30}')

    assert run(bill).returncode == 0
    process = run(bill, "--arguments", arguments)

    assert process.returncode == 1
    assert "50 days old" in process.stdout


def run_changed(change: str, file: Path) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own, where `change` was done to it before."""
    script = f"{change}\nimport sys; sys.exit(examine.main(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", script, str(file)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def test_a_file_that_breaks_its_reader_breaks_nothing_else(good):
    broken = (
        "import os; from checks import engine; from checks.commands import examine;"
        "engine.examine_evidence = lambda *_: os._exit(9);"
    )
    process = run_changed(broken, good)

    assert process.returncode == 1
    assert "could not be examined: it crashed" in process.stdout


def test_a_reader_that_waits_after_its_first_word_is_not_waited_for(good):
    waiting = (
        "import signal; from checks import engine; from checks.commands import examine;"
        "examine.SECONDS = 1;"
        "first = next(iter(engine.examine('document_safety_check', file=b'', file_name='',"
        " attested={}, document={})));\n"
        "def stall(*_):\n    yield first\n    signal.pause()\n"
        "engine.examine_evidence = stall;"
    )
    process = run_changed(waiting, good)

    assert process.returncode == 1, process.stderr
    assert "it took too long" in process.stdout


def test_a_reader_that_never_stops_reading_took_too_long(good):
    busy = (
        "from checks import engine; from checks.commands import examine; examine.SECONDS = 1;\n"
        "def poll(self, seconds): return old(self, 60)\n"
        "from multiprocessing.connection import Connection; old = Connection.poll;"
        "Connection.poll = poll\n"
        "def stall(*_):\n    while True: pass\n"
        "engine.examine_evidence = stall;"
    )
    process = run_changed(busy, good)

    assert process.returncode == 1, process.stderr
    assert "it took too long" in process.stdout
