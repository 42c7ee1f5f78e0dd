"""Refuses passwords that are a sequence of characters, or mostly consist of words that others know.

The words are: the person's name and address, the product's name, the host of DESK_URL, and
PASSWORD_WORDS. A password may contain them, but the remainder must be long enough.
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
# Shorter words occur in too many other words.
SHORTEST_WORD = 3
# The minimum of remaining characters. NIST SP 800-63B and ASVS require passwords of at least eight.
SHORTEST_REST = 8


class ContextWordsValidator:
    """A validator for AUTH_PASSWORD_VALIDATORS."""

    def validate(self, password: str, user: object = None) -> None:
        rest = password.lower()
        words = set(words_of(user))
        # Longer words first: a shorter word may be a part of one.
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
    """A validator for AUTH_PASSWORD_VALIDATORS: "123456789012", "aaaaaaaaaaaa", "zyxwvutsrqpo"."""

    def validate(self, password: str, user: object = None) -> None:
        steps = set()
        for one, following in pairwise(password.lower()):
            step = ord(following) - ord(one)
            if one.isdecimal() and following.isdecimal():
                # 0 follows after 9.
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
    """The words in lower case, without short ones."""
    host = urlsplit(settings.DESK_URL).hostname or ""
    texts = [*PRODUCT, *settings.PASSWORD_WORDS, host]
    texts += [str(getattr(user, name, "") or "") for name in OF_A_PERSON]
    for text in texts:
        for word in re.findall(r"\w+", text.lower()):
            if len(word) >= SHORTEST_WORD:
                yield word
