"""The table of faults in the documentation, and the tests that cause them."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT

MARKER = re.compile(r'@pytest\.mark\.fault\(\s*"(F\d+)"')


def test_each_fault_of_the_table_is_caused_by_a_test():
    table = (ROOT / "docs/reliability.md").read_text()
    listed = re.findall(r"^\| (F\d+) \|", table, flags=re.MULTILINE)
    caused: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        caused.update(MARKER.findall(path.read_text()))
    assert len(listed) == len(set(listed))
    assert caused == set(listed)
