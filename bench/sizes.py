"""What a case stores and costs: `python -m bench.sizes [--cases 300] [--documents 40]`.

An installation on PostgreSQL and Redis works cases as it always does: form, job, checks, webhooks, results,
sealed trail. First cases without documents, then cases with one certificate each. What the tables, indexes
and files have grown by is divided by the number of cases, and so is the CPU of the processes. Tables that
grew by less than 8 bytes a case are left out. The checks of cases without documents are done at once; the
others run the checks of documents. `BENCH_REDIS` names the Redis database, which is emptied.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench import load
from bench.loop import Analyst, Loop, until
from bench.report import Report

LEAST_BYTES = 8  # per case; smaller growth comes from a few single rows
MOST_WAIT = 480.0  # seconds; generous, for a machine with other work

TABLES = """
SELECT c.relname, pg_table_size(c.oid)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind = 'r'"""
INDEXES = """
SELECT i.indexrelid::regclass::text, i.indrelid::regclass::text, pg_relation_size(i.indexrelid)
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public'"""
ENDED = "SELECT count(*) FROM reviews_job WHERE status = 'complete'"
# Work that is left: audit events without a seal, and documents that are not drawn.
LEFT = """
SELECT (SELECT count(*) FROM reviews_unsealed)
    + (SELECT count(*) FROM reviews_document WHERE status <> 'drawn')"""


@dataclass(frozen=True)
class Sizes:
    """Bytes of all stored data: tables with TOAST, indexes by name, files by folder. `owners`:
    index → table.
    """

    tables: dict[str, int]
    indexes: dict[str, int]
    files: dict[str, int]
    owners: dict[str, str]

    def growth(self, before: Sizes, cases: int) -> Sizes:
        """The growth since `before`, in bytes per case."""
        return Sizes(
            _growth(self.tables, before.tables, cases),
            _growth(self.indexes, before.indexes, cases),
            _growth(self.files, before.files, cases),
            self.owners,
        )


def _growth(
    after: Mapping[str, int], before: Mapping[str, int], cases: int
) -> dict[str, int]:
    grown = {}
    for name, size in after.items():
        grown[name] = (size - before.get(name, 0)) // cases
    return grown


def _sizes(loop: Loop, *, packed: bool = False) -> Sizes:
    assert loop.reader is not None
    # VACUUM FULL removes the free space that updates leave behind.
    loop.reader.execute("VACUUM FULL ANALYZE" if packed else "VACUUM ANALYZE")
    tables: dict[str, int] = dict(loop.rows(TABLES))
    rows = loop.rows(INDEXES)
    indexes = {name: size for name, _, size in rows}
    owners = {name: table for name, table, _ in rows}
    return Sizes(tables, indexes, _files(loop.installation.folder / "var"), owners)


def _files(folder: Path) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for path in folder.rglob("*"):
        if path.is_file():
            part = path.relative_to(folder).parts[0]
            sizes[part] = sizes.get(part, 0) + path.stat().st_size
    return sizes


class _Stage:
    """Measures the bytes and the CPU per case for one kind of cases."""

    def __init__(self, loop: Loop, name: str, count: int) -> None:
        self.loop, self.name, self.count = loop, name, count
        self.before = _sizes(loop, packed=True)
        self.ended = loop.ask(ENDED)
        self.spent = self._spent()
        self.began = time.monotonic()

    def finish(self, report: Report) -> None:
        """Wait until all jobs have ended, events are sealed and pages drawn; then print the
        results.
        """
        wanted = self.ended + self.count
        ended = until(lambda: self.loop.ask(ENDED), wanted, MOST_WAIT)
        assert ended == wanted, f"{ended - self.ended} of {self.count} jobs ended"
        left = -until(lambda: -self.loop.ask(LEFT), 0, MOST_WAIT)
        assert left == 0, f"{left} lines without a seal, or documents not drawn"
        took = time.monotonic() - self.began
        spent = self._spent()
        result = _sizes(self.loop).growth(self.before, self.count)
        packed = _sizes(self.loop, packed=True).growth(self.before, self.count)
        report.row(f"{self.name}: {self.count} in {took:.0f} s", "written", "packed")
        self._print(report, result, packed)
        for part, seconds in spent.items():
            used = (seconds - self.spent[part]) / self.count * 1000
            report.row(f"CPU of {part}", f"{used:.0f} ms")
        print()

    def _print(self, report: Report, output: Sizes, packed: Sizes) -> None:
        totals = [sum(one.tables.values()) for one in (output, packed)]
        report.row("rows, with TOAST", *(f"{total:,} B" for total in totals))
        totals = [sum(one.indexes.values()) for one in (output, packed)]
        report.row("indexes", *(f"{total:,} B" for total in totals))
        for kind in ("tables", "indexes", "files"):
            print(f"  {kind}")
            _list(report, getattr(output, kind), getattr(packed, kind), packed.owners)

    def _spent(self) -> dict[str, float]:
        # CPU of the database is measured in bench.job_loop: here its processes start and end.
        pids = self.loop.installation.pids
        return {
            name: load.cpu_seconds(pids(name)) for name in ("web", "worker", "beat")
        }


def _list(
    report: Report,
    output: Mapping[str, int],
    packed: Mapping[str, int],
    owners: Mapping[str, str],
) -> None:
    for name in sorted(output, key=lambda one: -output[one]):
        if output[name] >= LEAST_BYTES:
            of = f" ({owners[name]})" if name in owners else ""
            report.row(f"  {name}{of}", f"{output[name]:,}", f"{packed[name]:,}")


def _documents(loop: Loop, count: int) -> None:
    """Submit cases with a one-page certificate, through the form."""
    agent = loop.ask("SELECT id FROM reviews_agent WHERE name = 'bench-all'")
    analyst = Analyst(loop.installation, agent)
    for number in range(count):
        analyst.submit(f"Documented {number} Ltd", document=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--documents", type=int, default=40)
    options = parser.parse_args()
    report = Report("What a case stores and costs, PostgreSQL and Redis")
    with contextlib.ExitStack() as stack:
        loop = Loop(stack, embedded=False)
        loop.start()
        loop.submit(3)  # rows that exist once are created before the measurement
        _documents(loop, 4)  # each worker process loads the document readers
        ended = until(lambda: loop.ask(ENDED), 7, MOST_WAIT)
        assert ended == 7, f"{ended} of the first 7 jobs ended"
        until(lambda: -loop.ask(LEFT), 0, MOST_WAIT)
        stage = _Stage(loop, "cases without documents", options.cases)
        loop.submit(options.cases)
        stage.finish(report)
        stage = _Stage(loop, "cases with a certificate", options.documents)
        _documents(loop, options.documents)
        stage.finish(report)
    return report.close()


if __name__ == "__main__":
    sys.exit(main())
