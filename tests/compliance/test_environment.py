from __future__ import annotations

import pytest

from compliance.environment import with_password


@pytest.mark.parametrize(
    ("url", "password", "expected"),
    [
        ("redis://redis:6379/0", "a/b", "redis://:a%2Fb@redis:6379/0"),
        ("redis://me@redis:6379/0", "x", "redis://me:x@redis:6379/0"),
        ("redis://:own@redis:6379/0", "x", "redis://:own@redis:6379/0"),
        ("redis://redis:6379/0", "", "redis://redis:6379/0"),
        ("", "x", ""),
    ],
)
def test_a_password_joins_a_url(url, password, expected):
    assert with_password(url, password) == expected
