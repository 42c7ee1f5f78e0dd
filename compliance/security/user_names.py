"""User names: one spelling for what is the same, and no letters that imitate others.

A user name says in the audit trail who did something. So nobody may get one that reads as that of
somebody else.
"""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

# Scripts with letters of the same form, such as the a of Latin and of Cyrillic. Names of characters
# in the Unicode Character Database begin with their script.
ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"})


def normal(name: str) -> str:
    """The name in normal form (NFKC), as Django's own forms store it.

    Full-width letters, ligatures and letters with separate accents become the usual ones.
    """
    return unicodedata.normalize("NFKC", name)


def require_one_script(name: str) -> None:
    """Raise ValidationError if the name mixes scripts whose letters look alike."""
    scripts = set()
    for character in name:
        if character.isalpha():
            scripts.add(unicodedata.name(character, "").partition(" ")[0])
    if len(scripts & ALIKE) > 1:
        raise ValidationError(
            _("The user name mixes letters of two scripts that look alike.")
        )
