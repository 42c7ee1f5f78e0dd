"""Words by which earlier cases are found, without the words: HMACs with a key of the installation.

Who has the database alone can neither read the words nor try them out.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from compliance.security import data_keys

# Hexadecimal digits. With 48 bits, two of a million words hardly ever share a digest, and what a
# digest leads to is compared again.
LENGTH = 12


def of(word: str) -> str:
    key = data_keys.derive(data_keys.INSTALLATION, b"subject words")
    return hmac.new(key, word.encode(errors="replace"), "sha256").hexdigest()[:LENGTH]


def joined(words: Iterable[str]) -> str:
    """The digests of words with a blank around each, as they are stored; "" of none."""
    text = " ".join(map(of, words))
    return f" {text} " if text else ""
