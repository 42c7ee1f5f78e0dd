"""The script of the audit page verifies what the desk exports, and finds what was done to it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from reviews.audit import trail
from tests.docs.pages import read
from tests.factories import make_case

pytestmark = pytest.mark.django_db


def the_script() -> str:
    [code] = re.findall(r"```python\n(.*?)```", read("docs/audit.md"), re.DOTALL)
    return str(code)


@pytest.fixture
def lines() -> list[str]:
    case = make_case()
    for number in range(5):
        trail.record(case, "noted", {"number": number, "words": "a b  c"})
    trail.seal()
    return list(trail.export())


def verify(lines: list[str]) -> list[str]:
    script: dict[str, Any] = {"__name__": "documented"}
    exec(the_script(), script)  # noqa: S102 - the page's own words are what is tested
    found: list[str] = script["verify"](lines)
    return found


def test_the_script_is_short():
    assert len(the_script().splitlines()) <= 30


def test_an_export_holds(lines):
    assert len(lines) == 5
    assert verify(lines) == []


def test_what_was_done_to_an_export_is_found(lines):
    assert verify([*lines[:2], *lines[3:]]) == ["lines 3 to 3 are missing"]
    changed = lines[1].replace("noted", "added")
    assert verify([lines[0], changed, *lines[2:]]) == ["line 2 was changed"]
    assert "line 3 does not follow line 2" in verify(
        [*lines[:2], lines[2].replace(lines[2][:8], "0" * 8, 1), *lines[3:]]
    )
