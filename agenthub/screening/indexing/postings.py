"""Collects postings (which names have which key) in flat arrays while an index is built.

A million names have tens of millions of keys, most of them shared by few names. As pairs of
numbers, sorted part by part, a posting takes 16 bytes. An array per key took several times as much.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Any

# Keys are hashes, so their remainders divide them into parts of equal size.
PARTS = 64


class Postings:
    """Collected postings. Names must be added in ascending order, and stay ordered within a key."""

    def __init__(self) -> None:
        self._parts = [(array("Q"), array("Q")) for _ in range(PARTS)]

    def add(self, keys: Iterable[int], name: int) -> None:
        parts = self._parts
        for key in keys:
            of_part, names = parts[key % PARTS]
            of_part.append(key)
            names.append(name)

    def common(self, most: int) -> frozenset[int]:
        """The keys that more than `most` names share."""
        common: set[int] = set()
        for part in self._parts:
            keys, _, starts, counts = _grouped(part)
            many = starts[counts > most]
            common.update(keys[many].tolist())
        return frozenset(common)

    def rows(self) -> Iterator[tuple[int, int, bytes]]:
        """Per key: the key, the number of its names, and their ids, 8 bytes each."""
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
    """A part sorted by key: the keys, the names, the start of each key's group, and its size."""
    import numpy as np  # only loading needs it: a web process should not carry it

    keys, names = (np.array(numbers, dtype=np.uint64) for numbers in part)
    order = np.argsort(keys, kind="stable")
    keys, names = keys[order], names[order]
    is_first = np.ones(len(keys), dtype=bool)
    is_first[1:] = keys[1:] != keys[:-1]
    starts = np.flatnonzero(is_first)
    return keys, names, starts, np.diff(starts, append=len(keys))
