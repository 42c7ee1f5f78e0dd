"""The README fits on a screen, and the index of the documentation lists every page."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT, first_cells, read

READERS = {
    "analyst",
    "administrator",
    "integrator",
    "operator",
    "contributor",
    "auditor",
}


def test_the_readme_fits_on_a_screen():
    assert len(read("README.md").splitlines()) <= 60


def test_every_page_is_in_the_index_once():
    pages = {f"{path.name}" for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    listed = re.findall(r"\]\((\S+?)\)", "\n".join(first_cells(read("docs/index.md"))))
    assert len(listed) == len(set(listed))
    assert {name for name in listed if "/" not in name} == pages


def test_every_page_of_the_index_has_a_question_and_readers():
    rows = re.findall(
        r"^\| \[.+\]\(.+\) \| (.+) \| (.+) \|$", read("docs/index.md"), re.MULTILINE
    )
    assert len(rows) == len(first_cells(read("docs/index.md")))
    for question, readers in rows:
        assert question.endswith("?")
        assert set(readers.split(", ")) <= READERS | {"everybody"}, readers
