"""Checks that finish instantly, as a plug-in. The remaining cost of a job is that of the loop
itself.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from checks.base import Check, Evidence, Examined, Outcome, Tool

# As large as the fraud indicators of a typical document.
PAYLOAD: dict[str, Any] = {
    "type": "Bench",
    "data": [
        {
            "indicator_id": f"found_{number}",
            "type": "INFO",
            "category": "document structure",
            "title": "Incremental update after signing",
            "description": "The file was saved by more than one producer; objects were appended.",
        }
        for number in range(12)
    ],
}
SECONDS = float(os.environ.get("BENCH_CHECK_SECONDS", "0"))
NAMES = ("one", "two", "three")
IDS = tuple(f"kyb.bench_{name}" for name in NAMES)


class _Instant(Tool):
    payload_key = "bench"

    def run(self, evidence: Evidence) -> Outcome:
        time.sleep(SECONDS)
        return Outcome(
            passed=True, verdict="pass", explanation="Instant.", payload=PAYLOAD
        )


class _Check(Check):
    def conclude(
        self, examined: Sequence[Examined], attested: Mapping[str, Any]
    ) -> Outcome:
        return Outcome(passed=True, verdict="pass", explanation="Instant.", payload={})


def _check_class(name: str) -> type[Check]:
    tool = type(f"Tool{name.title()}", (_Instant,), {"id": f"bench_{name}"})()
    members = {"id": f"kyb.bench_{name}", "title": f"Bench {name}", "tools": (tool,)}
    return type(f"Check{name.title()}", (_Check,), members)


One, Two, Three = (_check_class(name) for name in NAMES)


def install(folder: Path) -> None:
    """Write the metadata that makes the checks an installed plug-in, into a folder on
    PYTHONPATH.
    """
    info = folder / "bench_checks-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: bench-checks\nVersion: 1.0\n"
    )
    points = "\n".join(f"{name} = bench.plugin:{name.title()}" for name in NAMES)
    (info / "entry_points.txt").write_text(f"[compliance.checks]\n{points}\n")
