"""Keyed hashes (HMAC) of words, for searching earlier cases without storing the words.

Somebody who has only the database can neither read the words nor test guesses.
"""

from __future__ import annotations

from collections.abc import Iterable

from compliance.security import data_keys

# Hexadecimal digits, so 48 bits: two of a million words hardly ever have the same digest, and the
# matches are compared again.
LENGTH = 12


def of(word: str) -> str:
    return keyed(word)[:LENGTH]


def keyed(text: str) -> str:
    """The whole digest, of 64 hexadecimal digits.

    Where a plain hash was stored by an earlier version, it is the digest of that hash, so that
    those rows could be converted.
    """
    return data_keys.keyed_hash(text, b"subject words")


def joined(words: Iterable[str]) -> str:
    """The stored form of words: their digests with a blank around each; empty without words."""
    text = " ".join(map(of, words))
    return f" {text} " if text else ""
