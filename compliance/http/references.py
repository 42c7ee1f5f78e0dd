"""Which references a case may have.

A service signs the reference of a case (the compact signature) with the same key as the body of a
webhook (interface §6). So a reference must never be a possible body: whoever chooses the reference
would have a body of his own signed.

A body is a JSON object, and every JSON object has a brace. The other characters of JSON are refused
as well, for receivers that are less strict. A number is no object: `123` is a reference.
"""

from __future__ import annotations

import unicodedata

LONGEST = 255

_JSON_CHARACTERS = frozenset('{}[]"\\')
# The words of JSON. As a reference they mean that the sender lacks the real one.
_WORDS = frozenset({"null", "true", "false"})
# Control characters, line ends, and surrogates (halves of characters), which have no bytes to sign.
_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
# The same as a pattern of JSON Schema, except for surrogates.
PATTERN = (
    r'^(?!\s*(null|true|false)\s*$)[^{}\[\]"\\\u0000-\u001f\u007f-\u009f\u2028\u2029]*$'
)

REFUSAL = (
    'A reference has no control characters and none of { } [ ] " and \\, '
    "and is not null, true or false."
)


def fits(text: str) -> bool:
    """Whether this may be the reference of a case."""
    if len(text) > LONGEST or text.strip() in _WORDS:
        return False
    if not _JSON_CHARACTERS.isdisjoint(text):
        return False
    # Nearly all references are plain ASCII: no character has to be looked up for them.
    if text.isascii() and text.isprintable():
        return True
    categories = {unicodedata.category(character) for character in text}
    return _CATEGORIES.isdisjoint(categories)
