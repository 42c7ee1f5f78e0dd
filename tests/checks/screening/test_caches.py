"""What a process keeps of the names that it has compared stays small, however many there are."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import checks.screening

# Of all caches together. An entry takes about 300 bytes, so that these are 61 MiB at most.
MOST_ENTRIES = 202_000


def _caches() -> Iterator[tuple[str, Any]]:
    """The bounded caches of the modules of screening, each once."""
    seen = set()
    for found in pkgutil.walk_packages(checks.screening.__path__, "checks.screening."):
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            if not hasattr(value, "cache_parameters") or value in seen:
                continue
            seen.add(value)
            if value.cache_parameters()["maxsize"] is not None:
                yield f"{value.__module__}.{name}", value


def test_all_caches_together_stay_small() -> None:
    sizes = {
        name: cache.cache_parameters()["maxsize"]
        for name, cache in dict(_caches()).items()
    }
    assert "checks.screening.matching.similarity.compare_words" in sizes
    assert sum(sizes.values()) <= MOST_ENTRIES, sizes
