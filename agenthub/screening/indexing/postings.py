"""Which names have which key, gathered in flat arrays while an index is built.

A million names have tens of millions of keys, most of them shared by few. As two numbers each, put
in order part by part, they take sixteen bytes; an array for each key took several times as much.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Any

# Keys are hashes, so by their last bits they fall into parts of the same size.
PARTS = 64


class Postings:
    """Names are added in ascending order, and stay so within a key."""

    def __init__(self) -> None:
        self._parts = [(array("Q"), array("Q")) for _ in range(PARTS)]

    def add(self, keys: Iterable[int], name: int) -> None:
        parts = self._parts
        for key in keys:
            of_part, names = parts[key % PARTS]
            of_part.append(key)
            names.append(name)

    def common(self, most: int) -> frozenset[int]:
        """The keys that more than so many names have."""
        common: set[int] = set()
        for part in self._parts:
            keys, _, starts, counts = _grouped(part)
            many = starts[counts > most]
            common.update(keys[many].tolist())
        return frozenset(common)

    def rows(self) -> Iterator[tuple[int, int, bytes]]:
        """Each key with how many names have it, and which: eight bytes each."""
        for part in self._parts:
            keys, names, starts, counts = _grouped(part)
            groups = zip(
                keys[starts].tolist(),
                starts.tolist(),
                counts.tolist(),
                strict=True,
            )
            for key, start, count in groups:
                end = start + count
                yield key, count, names[start:end].tobytes()


def _grouped(part: tuple[array[int], array[int]]) -> tuple[Any, Any, Any, Any]:
    """The keys and names of a part in the order of the keys, where each key starts, how often."""
    import numpy as np  # needed where a list is loaded alone; a page need not carry it

    keys, names = (np.array(numbers, dtype=np.uint64) for numbers in part)
    order = np.argsort(keys, kind="stable")
    keys, names = keys[order], names[order]
    is_first = np.ones(len(keys), dtype=bool)
    is_first[1:] = keys[1:] != keys[:-1]
    starts = np.flatnonzero(is_first)
    return keys, names, starts, np.diff(starts, append=len(keys))
