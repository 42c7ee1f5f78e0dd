"""The Merkle tree over the sealed lines.

It proves a line of one case without revealing the lines of others. Leaf number `seq - 1` is the
hash of line `seq` in the chain, 32 bytes. The roots of complete subtrees of 256 leaves or more
are stored, about one row per 128 lines; smaller subtrees are computed from the seals. So
sealing a line costs almost nothing, and a proof reads only a few rows of each size. Nothing
here is secret or signed: `faults()` recomputes all of it, and the anchors sign the root.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from compliance.security.proofs import merkle
from reviews.models import Seal, TreeNode

LEVEL = 8  # the level of the smallest stored subtrees: 2**8 = 256 lines
BLOCK = 1 << LEVEL
MOST_FAULTS = 3  # faults to report; after the first one nearly all others follow
MOST_KEPT = 64 * 2 * BLOCK  # hashes of small subtrees that a Tree holds in memory


class Tree:
    """The tree over the present seals. Create one per task: it caches what it has read."""

    def __init__(self) -> None:
        self._small: dict[tuple[int, int], bytes] = {}
        self._large: dict[tuple[int, int], bytes] = {}

    def root(self, size: int) -> str:
        return merkle.root(size, self._subtree).hex()

    def inclusion(self, seq: int, size: int) -> list[str]:
        """The audit path of a line in the tree of the first `size` lines: hexadecimal hashes."""
        path = merkle.inclusion(seq - 1, size, self._subtree)
        return [digest.hex() for digest in path]

    def consistency(self, old: int, new: int) -> list[str]:
        """The proof that the tree of `new` lines begins with the tree of `old` lines."""
        path = merkle.consistency(old, new, self._subtree)
        return [digest.hex() for digest in path]

    def complete(self, size: int) -> Iterator[TreeNode]:
        """All nodes that should be stored for the first `size` lines."""
        level = LEVEL
        while size >> level:
            for index in range(size >> level):
                yield self._row(level, index)
            level += 1

    def added(self, before: int, after: int) -> Iterator[TreeNode]:
        """The nodes that are complete with `after` lines but were not with `before`."""
        level = LEVEL
        while after >> level:
            for index in range(before >> level, after >> level):
                yield self._row(level, index)
            level += 1

    def _row(self, level: int, index: int) -> TreeNode:
        digest = self._subtree(level, index).hex()
        return TreeNode(level=level, index=index, hash=digest)

    def _subtree(self, level: int, index: int) -> bytes:
        """The root of the complete subtree that covers 2**level lines; `index` counts from the left."""
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
        """Compute all subtrees below the stored level of one block of 256 lines."""
        if len(self._small) > MOST_KEPT:
            self._small.clear()
        # The key of a seal is a line number, which starts at 1.
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
    """The level above a row of subtrees. An odd last subtree has no parent yet."""
    lefts = row[::2]
    rights = row[1::2]
    parents = []
    for left, right in zip(lefts, rights, strict=False):
        parents.append(merkle.node(left, right))
    return parents


def grow(before: int, after: int) -> None:
    """Store the nodes that are complete now. Runs in the transaction that seals the lines."""
    if before >> LEVEL == after >> LEVEL:
        return
    rows = list(Tree().added(before, after))
    TreeNode.objects.bulk_create(rows, ignore_conflicts=True)


def ensure(**_: object) -> None:
    """Store missing nodes, for lines of an earlier version. Connected to post_migrate."""
    newest_first = Seal.objects.order_by("-seq")
    size = newest_first.values_list("seq", flat=True).first() or 0
    # A complete node of a level covers 2**level lines.
    count = 0
    for level in range(LEVEL, size.bit_length()):
        count += size >> level
    if TreeNode.objects.count() < count:
        rows = list(Tree().complete(size))
        TreeNode.objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)


def faults(roots: Mapping[int, str]) -> Iterator[str]:
    """Recompute the tree, and compare it with the stored nodes and the signed roots.

    `roots`: the signed root by number of lines. Each tree extends the one before it: a chain
    that matches all roots was only appended to.
    """
    yield from islice(_faults(dict(roots)), MOST_FAULTS)


def _faults(roots: dict[int, str]) -> Iterator[str]:
    stored = {}
    for level, index, text in TreeNode.objects.values_list("level", "index", "hash"):
        stored[level, index] = text
    # The roots of the complete subtrees so far, the largest first: one for each 1 in the binary
    # form of the number of lines.
    peaks: list[bytes] = []
    hashes = Seal.objects.order_by("seq").values_list("hash", flat=True)
    for size, text in enumerate(hashes.iterator(chunk_size=2000), start=1):
        digest = _leaf(text)
        level = 0
        index = size - 1
        # Like the carry of a binary addition: two subtrees of one size become one of the next
        # size.
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
    # The loop removed the node of every line, so the remaining nodes belong to no line.
    for level, index in stored:
        yield f"reviews_treenode {level}/{index} stands for lines that are not there."


def _words_of_fault(level: int, index: int) -> str:
    first = (index << level) + 1
    last = (index + 1) << level
    lines = f"the lines {first} to {last}"
    return f"reviews_treenode {level}/{index} is not what {lines} give."


def _fold(peaks: list[bytes]) -> bytes:
    """The root over complete subtrees of different sizes; the first is the largest."""
    *others, digest = peaks
    for peak in reversed(others):
        digest = merkle.node(peak, digest)
    return digest


def _leaf(text: str) -> bytes:
    return merkle.leaf(_bytes(text))


def _bytes(text: str) -> bytes:
    """The bytes of a hash.

    For text that is not a hash, which somebody tampered with, its bytes.
    """
    try:
        return bytes.fromhex(text)
    except ValueError:
        return text.encode()
