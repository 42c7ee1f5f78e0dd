"""A table of the faults that were tried: `make faults`.

A test of a fault has the marker `fault(number, words)`; docs/reliability.md lists the numbers.
"""

from __future__ import annotations

import pytest

PROPERTY = "fault"


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("fault"):
        number, words = marker.args
        # With several processes only these properties come back with the report.
        item.user_properties.append((PROPERTY, f"{number}\t{words}"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    rows = []
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            for name, value in getattr(report, "user_properties", []):
                if name == PROPERTY:
                    number, _, words = str(value).partition("\t")
                    rows.append((_order(number), number, outcome, report, words))
    if not rows:
        return
    terminalreporter.section("Faults")
    for _, number, outcome, report, words in sorted(rows, key=lambda row: row[0]):
        terminalreporter.line(
            f"{number:<5}{outcome:<8}{report.duration:>6.1f} s  {words}"
        )


def _order(number: str) -> int:
    return int(number.removeprefix("F"))
