"""Which references a case may have.

A service signs the reference of a case (the compact signature) with the same key as the body of a
webhook (interface §6). So a reference must never be a valid body: otherwise whoever chooses a
reference obtains a valid signature for a forged webhook.

A body is a JSON object, and every JSON object has a brace. The other special characters of JSON are
refused as well, for receivers that are less strict. Numbers such as `123` are allowed.
"""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext, gettext_noop

LONGEST = 255

_JSON_CHARACTERS = frozenset('{}[]"\\')
# JSON literals. As a reference they usually mean that the sender has no real one.
_WORDS = frozenset({"null", "true", "false"})
# Control characters, line separators, and lone surrogates, which cannot be encoded to bytes.
_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
# The same rule as a pattern for JSON Schema, except for surrogates.
PATTERN = (
    r'^(?!\s*(null|true|false)\s*$)[^{}\[\]"\\\u0000-\u001f\u007f-\u009f\u2028\u2029]*$'
)

REFUSAL = gettext_noop(
    'A reference has no control characters and none of { } [ ] " and \\, '
    "and is not null, true or false."
)


def refusal() -> str:
    """REFUSAL in the language of the reader."""
    return gettext(REFUSAL)


def fits(text: str) -> bool:
    """Whether `text` may be the reference of a case."""
    if len(text) > LONGEST or text.strip() in _WORDS:
        return False
    if not _JSON_CHARACTERS.isdisjoint(text):
        return False
    # A fast path: nearly all references are plain ASCII, and need no look-up per character.
    if text.isascii() and text.isprintable():
        return True
    categories = {unicodedata.category(character) for character in text}
    return _CATEGORIES.isdisjoint(categories)
