"""What may name a case. A service signs the name as it signs a webhook's body, with one key
(interface §6): a name must never be able to pass for a body.

A body is a JSON object, and no object does without a brace. The other characters of JSON are
refused as well, for receivers that are less strict. A number is no object: `123` is a name.
"""

from __future__ import annotations

import unicodedata

LONGEST = 255

_OF_JSON = frozenset('{}[]"\\')
# The words of JSON: where one stands in the place of a name, something is missing at the sender.
_WORDS = frozenset({"null", "true", "false"})
# Control characters, line ends, and halves of characters, which have no bytes to be signed.
_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
# The same as a pattern of JSON Schema, but for the halves of characters.
PATTERN = r'^(?!\s*(null|true|false)\s*$)[^{}\[\]"\\\u0000-\u001f\u007f-\u009f\u2028\u2029]*$'

REFUSAL = (
    'A reference has no control characters and none of { } [ ] " and \\, '
    "and is not null, true or false."
)


def fits(name: str) -> bool:
    """Whether this may name a case, so that its signature is the signature of nothing else."""
    if len(name) > LONGEST or name.strip() in _WORDS:
        return False
    # Nearly all are plain: those need not be looked up letter by letter.
    if name.isascii() and name.isprintable():
        return _OF_JSON.isdisjoint(name)
    return not any(c in _OF_JSON or unicodedata.category(c) in _CATEGORIES for c in name)
