"""Names in a plain form, in which different spellings are equal."""

from __future__ import annotations

import re
import unicodedata

_STOP_WITHIN = re.compile(r"(?<=\b\w)\.(?=\w\b)")
# Letters that Unicode does not decompose into a base letter and an accent.
_NO_ACCENT = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "\u0131": "i"}
)
_NO_LETTERS = re.compile(r"[^\w]+")


def folded(name: str) -> str:
    """Return the name with letters and digits only, in lower case and without accents."""
    decomposed = unicodedata.normalize("NFKD", name.replace("&", " and "))
    letters = [char for char in decomposed if not unicodedata.combining(char)]
    plain = "".join(letters).casefold().translate(_NO_ACCENT)
    # Full stops within "S.A." are removed without a space, so that it stays one word.
    plain = _STOP_WITHIN.sub("", plain)
    plain = plain.replace("'", "").replace("\u2019", "")
    words = _NO_LETTERS.sub(" ", plain).split()
    return " ".join(words)
