"""Names in a plain form, in which different spellings are equal."""

from __future__ import annotations

import re

from papers.letters import WORD, without_accents

_STOP_WITHIN = re.compile(r"(?<=\b\w)\.(?=\w\b)")
# Letters that Unicode does not decompose into a base letter and an accent.
_NO_ACCENT = str.maketrans(
    {
        "ł": "l",
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "\u0131": "i",
    }
)


def folded(name: str) -> str:
    """Return the name with letters and digits only, in lower case and without accents."""
    plain = name.replace("&", " and ")
    if not plain.isascii():
        plain = without_accents(plain)
    plain = plain.casefold().translate(_NO_ACCENT)
    # Full stops within "S.A." are removed without a space, so that it stays one word.
    plain = _STOP_WITHIN.sub("", plain)
    plain = plain.replace("'", "").replace("\u2019", "")
    return " ".join(WORD.findall(plain))
