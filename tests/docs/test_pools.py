"""The table of pools in docs/architecture.md and the code say the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.docs.pages import ROOT, read

PACKAGES = ("agenthub", "compliance", "reviews", "webhooks")
# What makes a thread, a pool, or a place that others wait for.
POOL = re.compile(
    r"ThreadPoolExecutor\(|ProcessPoolExecutor\(|Semaphore\(|queue\.Queue\[|deque\[\w+\] = deque\("
    r"|threading\.Thread\(|\(ConnectionPool\)|pool_connections=|class Turns"
)
MODULE = re.compile(r"`([\w/]+\.py)`")
# A constant of the module of its row, with its size.
SIZE = re.compile(r"`([A-Z_]+)` (\d+)")


def table() -> str:
    page = read("docs/architecture.md")
    return page.partition("\n## Pools and waits\n")[2].partition("\n## ")[0]


def modules_with_pools() -> Iterator[str]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if POOL.search(path.read_text(encoding="utf-8")):
                yield path.relative_to(ROOT).as_posix()


def test_every_pool_of_the_code_is_in_the_table():
    documented = set(MODULE.findall(table()))
    assert set(modules_with_pools()) - documented == set()
    for name in documented:
        assert (ROOT / name).exists(), name


def test_the_sizes_are_those_of_the_code():
    settings = read("compliance/settings.py")
    rows = [row for row in table().splitlines() if SIZE.search(row)]
    assert len(rows) > 8
    for row in rows:
        sources = [settings, *(read(name) for name in MODULE.findall(row))]
        if "webhook_test.py" in row:
            sources.append(read("compliance/http/outbox.py"))
        code = "\n".join(sources).replace("_000", "000")
        for name, size in SIZE.findall(row):
            assert re.search(
                rf"^{name}\b.* = {size}\b|^{name} = {size}\b", code, re.MULTILINE
            ), row
