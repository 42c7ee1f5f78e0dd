"""Merkle trees of RFC 9162 (section 2.1): roots, and proofs for readers who have only a root.

    leaf = SHA-256(0x00 || data)        node = SHA-256(0x01 || left || right)

An inclusion proof shows that a leaf is at its index in a tree. A consistency proof shows that a
tree begins with all leaves of an earlier tree. Both have about log2(size) hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

# (level, index) → the hash of the complete subtree of 2**level leaves from leaf index * 2**level.
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
    """The inclusion proof of a leaf: sibling hashes from the leaf up to the root.

    `index` is from 0.
    """
    path = []
    start, end = 0, size
    # Descend from the root to the leaf. Each step adds the hash of the other half.
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
    """The proof that the tree of size `new` begins with all leaves of the tree of size `old`.

    `old` is at least 1.
    """
    path = []
    start, end = 0, new
    # Whether the remaining subtree is the whole earlier tree: the reader knows that root already.
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
    """The number of leaves in the left subtree: the largest power of 2 smaller than `count`."""
    return 1 << ((count - 1).bit_length() - 1)
