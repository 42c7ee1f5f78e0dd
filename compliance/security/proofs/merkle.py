"""Merkle trees as RFC 9162 has them (section 2.1): roots, and proofs for those who have only a root.

    leaf = SHA-256(0x00 || data)        node = SHA-256(0x01 || left || right)

An inclusion proof shows that a leaf stands at its index in a tree, a consistency proof that a tree
begins with all leaves of an earlier one. Both have about log2(size) hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

# The hash of the complete subtree that has 2**level leaves and begins at leaf index * 2**level.
Subtree = Callable[[int, int], bytes]
EMPTY = hashlib.sha256(b"").digest()


def leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\0" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def root(size: int, subtree: Subtree) -> bytes:
    """The root of the tree of the first `size` leaves."""
    if not size:
        return EMPTY
    return _root(0, size, subtree)


def inclusion(index: int, size: int, subtree: Subtree) -> list[bytes]:
    """The audit path of a leaf, from the leaf to the root. Leaves count from 0."""
    path = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _left(end - start)
        if index < middle:
            path.append(_root(middle, end, subtree))
            end = middle
        else:
            path.append(_root(start, middle, subtree))
            start = middle
    return path[::-1]


def consistency(old: int, new: int, subtree: Subtree) -> list[bytes]:
    """The proof that the first `old` leaves of the tree of size `new` are those of the earlier tree.

    `old` is at least 1.
    """
    path = []
    start, end = 0, new
    # Whether the subtree that is left is the whole earlier tree, whose root the reader knows.
    is_known = True
    while end != old:
        middle = start + _left(end - start)
        if old <= middle:
            path.append(_root(middle, end, subtree))
            end = middle
        else:
            path.append(_root(start, middle, subtree))
            start = middle
            is_known = False
    if not is_known:
        path.append(_root(start, end, subtree))
    return path[::-1]


def _root(start: int, end: int, subtree: Subtree) -> bytes:
    count = end - start
    level = count.bit_length() - 1
    if count == 1 << level:
        return subtree(level, start >> level)
    middle = start + _left(count)
    return node(_root(start, middle, subtree), _root(middle, end, subtree))


def _left(count: int) -> int:
    """How many of so many leaves stand in the left subtree: the largest power of 2 below."""
    return 1 << ((count - 1).bit_length() - 1)
