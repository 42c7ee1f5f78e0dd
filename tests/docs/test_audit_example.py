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
    result: list[str] = script["verify"](lines)
    return result


def test_the_script_is_short():
    assert len(the_script().splitlines()) <= 30


def test_an_export_holds(lines):
    # Those of the settings that an installation starts with stand before.
    assert len(lines) > 5
    assert verify(lines) == []


def test_what_was_done_to_an_export_is_found(lines):
    first, last = lines[:-4], lines[-3:]
    number = len(lines) - 3
    changed = lines[-4].replace("noted", "added")
    foreign = lines[-4].replace(lines[-4][:8], "0" * 8, 1)
    assert verify([*first, *last]) == [f"lines {number} to {number} are missing"]
    assert verify([*first, changed, *last]) == [f"line {number} was changed"]
    words = f"line {number} does not follow line {number - 1}"
    assert words in verify([*first, foreign, *last])
