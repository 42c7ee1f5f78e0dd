"""Decision records: one form, numbers without a gap, and links that agree."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, read

FOLDER = ROOT / "docs" / "decisions"
RECORDS = sorted(FOLDER.glob("0*.md"))
NAMES = [record.name for record in RECORDS]

HEAD = re.compile(
    r"# (\d+)\. (.+)\n\nDate: (\d{4}-\d\d-\d\d)\n\nStatus: (.+)\n\n## Context\n"
)
LINK = r"\[(\d+)\]\((\d{4}-[\w-]+\.md)\)"
STATUS = re.compile(rf"(?:Accepted|Superseded by {LINK})(?:\. Supersedes {LINK})?")
SECTIONS = (
    ["Context", "Decision", "Consequences"],
    ["Context", "Decision", "Consequences", "Rejected"],
)


def head(record: Path) -> re.Match[str]:
    match = HEAD.match(record.read_text(encoding="utf-8"))
    assert match, f"{record.name}: its first lines have another form"
    return match


def links(word: str) -> set[tuple[int, int]]:
    """Pairs of numbers: this record, and the one that its status names after this word."""
    pairs = set()
    for record in RECORDS:
        number, _, _, status = head(record).groups()
        if match := re.search(rf"{word} {LINK}", status):
            pairs.add((int(number), int(match[1])))
    return pairs


def test_every_number_is_given_once():
    # A gap is the number of a decision that is not made yet.
    numbers = [int(name[:4]) for name in NAMES]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("record", RECORDS, ids=NAMES)
def test_a_record_has_the_form(record):
    number, _, date, status = head(record).groups()
    assert int(number) == int(record.name[:4])
    datetime.date.fromisoformat(date)
    assert STATUS.fullmatch(status), status
    sections = re.findall(
        r"^## (.+)$", record.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sections in SECTIONS


@pytest.mark.parametrize("record", RECORDS, ids=NAMES)
def test_a_status_names_the_file_of_its_number(record):
    for number, file in re.findall(LINK, head(record)[4]):
        assert int(file[:4]) == int(number)
        assert (FOLDER / file).exists()


def test_both_records_say_that_one_supersedes_the_other():
    superseded = {(later, earlier) for earlier, later in links("Superseded by")}
    assert superseded == links("Supersedes")


def test_the_index_lists_every_record_with_its_title_and_status():
    rows = re.findall(
        r"^\| (\d+) \| \[(.+)\]\((\S+)\) \| (.+) \|$",
        read("docs/decisions/README.md"),
        re.MULTILINE,
    )
    expected = []
    for record in RECORDS:
        number, title, _, status = head(record).groups()
        expected.append(
            (number, title, record.name, status.partition(". Supersedes")[0])
        )
    assert rows == expected
