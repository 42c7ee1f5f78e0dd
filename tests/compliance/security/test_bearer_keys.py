from __future__ import annotations

import hashlib

import pytest

from compliance.security import bearer_keys


def test_a_new_key_has_its_mark_and_is_stored_as_a_hash():
    new = bearer_keys.generate("ck_")

    assert new.raw.startswith("ck_")
    # 32 bytes in base64url.
    assert len(new.raw) == len("ck_") + 43
    assert new.digest == hashlib.sha256(new.raw.encode()).hexdigest()
    assert new.prefix == new.raw[:7]


def test_no_two_keys_are_alike():
    assert len({bearer_keys.generate("ck_").raw for _ in range(50)}) == 50


def test_a_key_of_any_bytes_has_a_digest():
    assert len(bearer_keys.digest("ck_\udcff")) == 64


@pytest.mark.parametrize(
    ("header", "key"),
    [
        ("Bearer ck_1", "ck_1"),
        ("bearer  ck_1 ", "ck_1"),
        ("Basic ck_1", ""),
        ("ck_1", ""),
        ("Bearer", ""),
        ("", ""),
    ],
)
def test_the_key_of_a_header(header, key):
    assert bearer_keys.of_header(header) == key
