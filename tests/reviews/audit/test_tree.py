"""The Merkle tree over the lines: the definition of RFC 9162, its proofs, and what was tampered with."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compliance.security.proofs import merkle
from reviews.audit import anchors, trail, tree, verification
from reviews.models import Chain, Seal, TreeNode

SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 33, 64, 100]


def root_by_definition(leaves: Sequence[bytes]) -> bytes:
    """MTH of RFC 9162, section 2.1.1, word for word."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    middle = 1
    while middle * 2 < len(leaves):
        middle *= 2
    left, right = (
        root_by_definition(leaves[:middle]),
        root_by_definition(leaves[middle:]),
    )
    return hashlib.sha256(b"\1" + left + right).digest()


def is_included(
    leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes
) -> bool:
    """RFC 9162, section 2.1.3.2."""
    if index >= size:
        return False
    number, last = index, size - 1
    digest = hashlib.sha256(b"\0" + leaf).digest()
    for other in path:
        if last == 0:
            return False
        if number % 2 or number == last:
            digest = hashlib.sha256(b"\1" + other + digest).digest()
            while number and not number % 2:
                number, last = number // 2, last // 2
        else:
            digest = hashlib.sha256(b"\1" + digest + other).digest()
        number, last = number // 2, last // 2
    return last == 0 and digest == root


def is_consistent(  # noqa: C901 - as the RFC has it
    old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """RFC 9162, section 2.1.4.2."""
    if old == new:
        return not proof and old_root == new_root
    path = list(proof)
    if old & (old - 1) == 0:
        path.insert(0, old_root)
    if not path:
        return False
    number, last = old - 1, new - 1
    while number % 2:
        number, last = number // 2, last // 2
    first = second = path[0]
    for other in path[1:]:
        if last == 0:
            return False
        if number % 2 or number == last:
            first = hashlib.sha256(b"\1" + other + first).digest()
            second = hashlib.sha256(b"\1" + other + second).digest()
            while number and not number % 2:
                number, last = number // 2, last // 2
        else:
            second = hashlib.sha256(b"\1" + second + other).digest()
        number, last = number // 2, last // 2
    return last == 0 and (first, second) == (old_root, new_root)


def subtree_of(leaves: Sequence[bytes]) -> merkle.Subtree:
    def subtree(level: int, index: int) -> bytes:
        part = leaves[index << level : (index + 1) << level]
        assert len(part) == 1 << level
        return root_by_definition(part)

    return subtree


@pytest.mark.parametrize("size", SIZES)
def test_roots_and_proofs_are_those_of_the_definition(size):
    leaves = [bytes([number]) * 32 for number in range(size)]
    subtree = subtree_of(leaves)
    root = root_by_definition(leaves)
    assert merkle.root(size, subtree) == root
    for index in range(size):
        path = merkle.inclusion(index, size, subtree)
        assert is_included(leaves[index], index, size, path, root)
        assert not is_included(b"x" * 32, index, size, path, root)
        assert not is_included(leaves[index], index + 1, size, path, root)
    for old in range(1, size + 1):
        proof = merkle.consistency(old, size, subtree)
        old_root = root_by_definition(leaves[:old])
        assert is_consistent(old, size, old_root, root, proof)
        assert not is_consistent(old, size, b"x" * 32, root, proof)


def test_the_empty_tree_has_a_root():
    assert merkle.root(0, subtree_of([])) == root_by_definition([])


def lines(count: int) -> list[bytes]:
    """Lines up to this number, sealed. Returns the leaves."""
    while Chain.objects.get().seq < count:
        for _ in range(count - Chain.objects.get().seq):
            trail.record(None, "act")
        trail.seal_all()
    hashes = Seal.objects.order_by("seq").values_list("hash", flat=True)
    return [bytes.fromhex(digest) for digest in hashes]


@pytest.mark.django_db
@pytest.mark.parametrize("size", [255, 256, 257, 700])
def test_the_tree_of_the_trail(size):
    leaves = lines(size)
    root = root_by_definition(leaves)
    assert tree.Tree().root(size) == root.hex()
    assert TreeNode.objects.filter(level=8).count() == size // 256
    for seq in (1, 2, 128, 255, size - 1, size):
        path = [bytes.fromhex(text) for text in tree.Tree().inclusion(seq, size)]
        assert is_included(leaves[seq - 1], seq - 1, size, path, root)
    for old in (1, 200, 255):
        proof = [bytes.fromhex(text) for text in tree.Tree().consistency(old, size)]
        old_root = root_by_definition(leaves[:old])
        assert is_consistent(old, size, old_root, root, proof)
    assert list(tree.faults({size: root.hex()})) == []


@pytest.mark.django_db
def test_nodes_that_are_missing_are_found_and_made_again():
    size = len(lines(1100))
    wanted = list(TreeNode.objects.order_by("level", "index").values_list("hash"))
    root = tree.Tree().root(size)
    assert len(wanted) == 4 + 2 + 1
    TreeNode.objects.all().delete()
    assert "is not what the lines 1 to 256 give" in "".join(tree.faults({}))
    assert tree.Tree().root(size) == root
    tree.ensure()
    again = TreeNode.objects.order_by("level", "index").values_list("hash")
    assert (list(again), list(tree.faults({size: root}))) == (wanted, [])


@pytest.mark.django_db
@pytest.mark.parametrize("change", [{"hash": "0" * 64}, {"index": 9}, {"level": 9}])
def test_a_changed_node_is_found(change):
    lines(520)
    TreeNode.objects.filter(level=8, index=1).update(**change)
    assert "reviews_treenode" in "".join(verification.faults())


@pytest.mark.django_db
def test_a_proof_reads_a_few_rows_of_a_long_trail():
    """Not more for a longer one than one row for each doubling."""
    counts = []
    for size in (600, 1200):
        lines(size)
        with CaptureQueriesContext(connection) as queries:
            tree.Tree().inclusion(3, size)
        counts.append(len(queries))
    assert counts[0] <= 6
    assert counts[1] <= counts[0] + 2


@pytest.mark.django_db
def test_a_root_that_the_chain_does_not_have_is_found():
    """An anchor signed by the key of the desk, over another tree with the same head."""
    lines(20)
    chain = Chain.objects.get()
    anchors.add("head", chain)
    assert list(anchors.faults()) == []
    anchors.add("head", chain, root="0" * 64)
    assert "are not those of the root that was anchored" in "".join(anchors.faults())
