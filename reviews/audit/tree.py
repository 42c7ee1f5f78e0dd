"""The Merkle tree over the sealed lines: it proves a line of one case without the lines of others.

Leaf number seq - 1 is the hash of line seq in the chain, 32 bytes. The roots of complete subtrees of
256 leaves and more are stored, one row for each 128 lines; smaller ones are computed from the seals.
So a line costs next to nothing when it is sealed, and a proof reads some rows of each size.
Nothing here is secret or signed: `faults()` computes all of it again, and anchors sign the root.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from compliance.security.proofs import merkle
from reviews.models import Seal, TreeNode

LEVEL = 8  # that of the smallest stored subtrees
BLOCK = 1 << LEVEL
MOST_FAULTS = 3  # after the first one nearly all others follow from it
MOST_KEPT = 64 * 2 * BLOCK  # hashes of small subtrees that a Tree keeps in memory


class Tree:
    """The tree of the present seals. Made for one task: what it has read it keeps."""

    def __init__(self) -> None:
        self._small: dict[tuple[int, int], bytes] = {}
        self._large: dict[tuple[int, int], bytes] = {}

    def root(self, size: int) -> str:
        return merkle.root(size, self._subtree).hex()

    def inclusion(self, seq: int, size: int) -> list[str]:
        """The audit path of a line in the tree of the first `size` lines."""
        path = merkle.inclusion(seq - 1, size, self._subtree)
        return [digest.hex() for digest in path]

    def consistency(self, old: int, new: int) -> list[str]:
        path = merkle.consistency(old, new, self._subtree)
        return [digest.hex() for digest in path]

    def complete(self, size: int) -> Iterator[TreeNode]:
        """All nodes to be stored for the first `size` lines."""
        level = LEVEL
        while size >> level:
            for index in range(size >> level):
                yield self._row(level, index)
            level += 1

    def added(self, before: int, after: int) -> Iterator[TreeNode]:
        """The nodes that are complete with `after` lines, and were not with `before`."""
        level = LEVEL
        while after >> level:
            for index in range(before >> level, after >> level):
                yield self._row(level, index)
            level += 1

    def _row(self, level: int, index: int) -> TreeNode:
        digest = self._subtree(level, index).hex()
        return TreeNode(level=level, index=index, hash=digest)

    def _subtree(self, level: int, index: int) -> bytes:
        key = (level, index)
        if level < LEVEL:
            if key not in self._small:
                block = index >> (LEVEL - level)
                self._read_block(block)
            return self._small[key]
        if key not in self._large:
            self._large[key] = self._stored(level, index)
        return self._large[key]

    def _stored(self, level: int, index: int) -> bytes:
        rows = TreeNode.objects.filter(level=level, index=index)
        digest = rows.values_list("hash", flat=True).first()
        if digest:
            return bytes.fromhex(digest)
        # Not stored yet: computed from its two halves.
        below = level - 1
        left = self._subtree(below, 2 * index)
        right = self._subtree(below, 2 * index + 1)
        return merkle.node(left, right)

    def _read_block(self, block: int) -> None:
        """Compute all subtrees of fewer than 256 lines of a block."""
        if len(self._small) > MOST_KEPT:
            self._small.clear()
        begin = block * BLOCK
        end = begin + BLOCK
        seals = Seal.objects.filter(seq__gt=begin, seq__lte=end)
        hashes = seals.order_by("seq").values_list("hash", flat=True)
        row = [_leaf(text) for text in hashes]
        for level in range(LEVEL):
            first = begin >> level
            for index, digest in enumerate(row, start=first):
                self._small[level, index] = digest
            row = _parents(row)


def _parents(row: list[bytes]) -> list[bytes]:
    """The next level above a row of subtrees. A last one without its other half has no parent yet."""
    lefts = row[::2]
    rights = row[1::2]
    parents = []
    for left, right in zip(lefts, rights, strict=False):
        parents.append(merkle.node(left, right))
    return parents


def grow(before: int, after: int) -> None:
    """Store the nodes that are complete now. Called in the transaction that seals the lines."""
    if before >> LEVEL == after >> LEVEL:
        return
    rows = list(Tree().added(before, after))
    TreeNode.objects.bulk_create(rows, ignore_conflicts=True)


def ensure(**_: object) -> None:
    """Store the nodes that are missing: those of lines of an earlier version. After each migrate."""
    newest_first = Seal.objects.order_by("-seq")
    size = newest_first.values_list("seq", flat=True).first() or 0
    # 2**level lines make one complete node of a level.
    count = 0
    for level in range(LEVEL, size.bit_length()):
        count += size >> level
    if TreeNode.objects.count() < count:
        rows = list(Tree().complete(size))
        TreeNode.objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)


def faults(roots: Mapping[int, str]) -> Iterator[str]:
    """Compute the tree again, and compare it with its stored nodes and with signed roots.

    `roots` are those of the first so many lines. Each tree begins with the one before: a chain that
    holds all of them was only added to.
    """
    yield from islice(_faults(dict(roots)), MOST_FAULTS)


def _faults(roots: dict[int, str]) -> Iterator[str]:
    stored = {}
    for level, index, text in TreeNode.objects.values_list("level", "index", "hash"):
        stored[level, index] = text
    peaks: list[bytes] = []
    hashes = Seal.objects.order_by("seq").values_list("hash", flat=True)
    for size, text in enumerate(hashes.iterator(chunk_size=2000), start=1):
        digest = _leaf(text)
        level = 0
        index = size - 1
        # As in a sum of binary numbers: two subtrees of one size become one of the next.
        while index & 1:
            digest = merkle.node(peaks.pop(), digest)
            level += 1
            index >>= 1
            if level < LEVEL:
                continue
            stored_digest = stored.pop((level, index), "")
            if stored_digest != digest.hex():
                yield _words_of_fault(level, index)
        peaks.append(digest)
        signed = roots.get(size)
        if signed and signed != _fold(peaks).hex():
            yield (
                f"The first {size} lines are not those of the root that was anchored:"
                " the log was not only added to."
            )
    # The lines took their nodes out: what remains belongs to none of them.
    for level, index in stored:
        yield f"reviews_treenode {level}/{index} stands for lines that are not there."


def _words_of_fault(level: int, index: int) -> str:
    first = (index << level) + 1
    last = (index + 1) << level
    lines = f"the lines {first} to {last}"
    return f"reviews_treenode {level}/{index} is not what {lines} give."


def _fold(peaks: list[bytes]) -> bytes:
    """The root above complete subtrees of different sizes, the largest of which is the first."""
    *others, digest = peaks
    for peak in reversed(others):
        digest = merkle.node(peak, digest)
    return digest


def _leaf(text: str) -> bytes:
    return merkle.leaf(_bytes(text))


def _bytes(text: str) -> bytes:
    """The bytes of a hash; of a text that is none, which somebody wrote, those of the text."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return text.encode()
