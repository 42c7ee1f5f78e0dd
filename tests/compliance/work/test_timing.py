"""The table of times: how the workers wait is decided by a few numbers in one place."""

from __future__ import annotations

import re
from pathlib import Path

from compliance.work import timing

SOURCE = Path(timing.__file__).read_text(encoding="utf-8")
NAMES = re.findall(r"^([A-Z_]+) = ", SOURCE, re.MULTILINE)


def test_at_most_eight_times_are_tuned():
    assert 0 < len(NAMES) <= 8


def test_each_has_its_unit_and_its_reason():
    for name in NAMES:
        assert name.endswith("_SECONDS")
        before, _, _ = SOURCE.partition(f"{name} = ")
        assert before.splitlines()[-1].startswith("# "), name
