"""Refuse passwords that are a row of characters, or little else than words which others know.

The words: the name and the address of the person, the name of the product, the host of DESK_URL, and
PASSWORD_WORDS. They may stand in a password. What remains without them must be long enough to guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

PRODUCT = ("compliance", "desk", "agent", "hub")
OF_A_PERSON = ("username", "first_name", "last_name", "email")
# Shorter words are parts of too many others.
SHORTEST_WORD = 3
# So many characters must remain. NIST SP 800-63B and ASVS take eight as the shortest password.
SHORTEST_REST = 8


class ContextWordsValidator:
    """A validator of AUTH_PASSWORD_VALIDATORS."""

    def validate(self, password: str, user: object = None) -> None:
        rest = password.lower()
        words = set(words_of(user))
        for word in sorted(words, key=len, reverse=True):
            rest = rest.replace(word, "")
        if rest != password.lower() and len(rest) < SHORTEST_REST:
            raise ValidationError(
                _(
                    "This password is little else than names that others know. Choose another."
                ),
                code="context_words",
            )

    def get_help_text(self) -> str:
        return _(
            "Your password can't be little else than your name or that of this place."
        )


class SequenceValidator:
    """A validator of AUTH_PASSWORD_VALIDATORS: "123456789012", "aaaaaaaaaaaa", "zyxwvutsrqpo"."""

    def validate(self, password: str, user: object = None) -> None:
        steps = set()
        for one, following in pairwise(password.lower()):
            step = ord(following) - ord(one)
            if one.isdecimal() and following.isdecimal():
                # After 9 comes 0.
                step %= 10
            steps.add(step)
        if len(steps) <= 1:
            raise ValidationError(
                _("This password is a row of characters. Choose another."),
                code="sequence",
            )

    def get_help_text(self) -> str:
        return _("Your password can't be a row as 1234 or aaaa.")


def words_of(user: object) -> Iterator[str]:
    """In lower case, without what is too short."""
    host = urlsplit(settings.DESK_URL).hostname or ""
    texts = [*PRODUCT, *settings.PASSWORD_WORDS, host]
    texts += [str(getattr(user, name, "") or "") for name in OF_A_PERSON]
    for text in texts:
        for word in re.findall(r"\w+", text.lower()):
            if len(word) >= SHORTEST_WORD:
                yield word
