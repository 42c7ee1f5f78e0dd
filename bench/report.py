"""Prints measurements beside their goals."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass, field


@dataclass
class Report:
    """Rows of a table, and goals with the result for each."""

    title: str
    missed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        # On SIGTERM, exit normally, so that the benchmark ends its processes and drops its
        # databases.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        load = os.getloadavg()[0]
        about = f"{os.cpu_count()} cores, load {load:.1f} and {_pace():.0f} ms a million additions"
        print(f"{self.title}\n{about} at the start\n", flush=True)

    def row(self, name: str, *cells: str) -> None:
        print(f"  {name:38}" + "".join(f"{cell:>15}" for cell in cells), flush=True)

    def least(
        self, goal: str, what: str, value: float, bound: float, unit: str = ""
    ) -> None:
        self._judge(
            goal, what, value, f">= {bound:g}{unit}", unit, holds=value >= bound
        )

    def most(
        self, goal: str, what: str, value: float, bound: float, unit: str = ""
    ) -> None:
        self._judge(
            goal, what, value, f"<= {bound:g}{unit}", unit, holds=value <= bound
        )

    def not_run(self, goal: str, what: str, why: str) -> None:
        print(f"  {goal:3} {what:58} not run: {why}", flush=True)

    def _judge(
        self, goal: str, what: str, value: float, bound: str, unit: str, *, holds: bool
    ) -> None:
        if not holds:
            self.missed.append(goal)
        verdict = "holds" if holds else "MISSED"
        print(
            f"  {goal:3} {what:58}{value:9.2f}{unit:4} {bound:>12}  {verdict}",
            flush=True,
        )

    def close(self) -> int:
        """Print the load of the machine. Returns the exit status: 1 if a goal was missed."""
        load = os.getloadavg()[0]
        print(
            f"\nload {load:.1f} and {_pace():.0f} ms a million additions at the end",
            flush=True,
        )
        return 1 if self.missed else 0


def _pace() -> float:
    """Milliseconds of CPU for a fixed loop.

    Shared machines may be throttled without showing a load. Then absolute goals depend on the
    machine, and this figure shows it.
    """
    began, total = time.process_time(), 0
    for number in range(1_000_000):
        total += number
    return (time.process_time() - began) * 1000
