"""docs/asvs.md: every requirement once, evidence that exists, and counts that are right."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

import pytest

from tests.docs.pages import ROOT, read

STATES = ("holds", "partly", "does not hold", "not applicable")
LEVELS = ("1", "2", "3")
LINE = re.compile(r"^\| (V[\d.]+) \| (\d) \| (.+?) \| (.+?) \| (.*) \|$", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
# The numbers and levels, in the order of the standard.
LIST = "tests/docs/asvs_requirements.tsv"


class Row(NamedTuple):
    number: str
    level: str
    subject: str
    state: str
    evidence: str


def rows_of(text: str) -> list[Row]:
    return [Row(*cells) for cells in LINE.findall(text)]


ROWS = rows_of(read("docs/asvs.md"))


def faults_of(row: Row) -> list[str]:
    """What is wrong with the evidence of a row."""
    faults: list[str] = []
    links = LINK.findall(row.evidence)
    if row.state not in STATES:
        faults.append(f"{row.state} is no state")
    if row.state in {"holds", "partly"} and not links:
        faults.append("no evidence")
    without_links = LINK.sub("", row.evidence).strip(" ,.")
    if row.state != "holds" and not without_links:
        faults.append("no reason")
    for words, target in links:
        path = (ROOT / "docs" / target.partition("#")[0]).resolve()
        if not path.exists():
            faults.append(f"{target} does not exist")
            continue
        name = words.strip("`")
        if name.startswith("test_") and f"def {name}(" not in path.read_text():
            faults.append(f"{target} has no {name}")
    return faults


@pytest.mark.parametrize("row", ROWS, ids=[row.number for row in ROWS])
def test_the_evidence_of_a_requirement_exists(row):
    assert faults_of(row) == []


@pytest.mark.parametrize(
    ("state", "evidence", "fault"),
    [
        ("holds", "", "no evidence"),
        ("holds", "[`test_x`](../tests/docs/test_asvs.py)", "has no test_x"),
        ("holds", "[`x.py`](../x.py)", "does not exist"),
        ("partly", "[`LICENSE`](../LICENSE)", "no reason"),
        ("does not hold", "", "no reason"),
        ("nearly", "[`LICENSE`](../LICENSE). Words", "is no state"),
    ],
)
def test_evidence_that_is_none_is_found(state, evidence, fault):
    [result] = faults_of(Row("V1.1.1", "1", "a subject", state, evidence))
    assert fault in result


def test_every_requirement_is_there_once_with_its_level():
    listed = [line.split("\t") for line in read(LIST).splitlines()]
    assert [[row.number, f"L{row.level}"] for row in ROWS] == listed
    assert len(ROWS) == 178


def test_the_counts_are_those_of_the_rows():
    table = re.findall(
        r"^\| ([a-z ]+) \| (\d+) \| (\d+) \| (\d+) \|$",
        read("docs/asvs.md"),
        re.MULTILINE,
    )
    counts = Counter((row.state, row.level) for row in ROWS)
    assert [cells[0] for cells in table] == list(STATES)
    for state, *numbers in table:
        assert [int(one) for one in numbers] == [
            counts[state, level] for level in LEVELS
        ]


def test_what_does_not_hold_of_the_first_two_levels_is_known():
    """A requirement that is lost again must be written here, too."""
    lost = {row.number for row in ROWS if row.state == "does not hold"}
    lost -= {row.number for row in ROWS if row.level == "3"}
    assert lost == set()
