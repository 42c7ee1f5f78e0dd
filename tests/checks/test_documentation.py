"""What docs/writing-a-check.md shows must run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from checks.base import Examined
from checks.evidence import Evidence
from checks.samples import good_certificate

GUIDE = Path(__file__).parents[2] / "docs" / "writing-a-check.md"


def test_the_check_of_the_guide_runs():
    [example] = re.findall(r"## A whole check\n\n```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(example, str(GUIDE), "exec"), names)  # noqa: S102 - our own guide

    check = names["LeaseCheck"]()
    [tool] = check.tools
    outcome = tool.run(Evidence(good_certificate().content, "lease.pdf")).to_wire()
    result = check.conclude([Examined({}, {tool.id: outcome})], {})

    assert (outcome["verdict"], outcome["payload"]["lease_pages"]) == ("review", {"count": 1})
    assert result.verdict == "review"
    assert check.conclude([], {}).verdict == "not_applicable"


def test_the_paths_of_the_guide_exist():
    named = set(re.findall(r"`(checks/[a-z_/.]+)`", GUIDE.read_text()))

    assert len(named) >= 6
    assert [path for path in sorted(named) if not (GUIDE.parents[1] / path).exists()] == []
