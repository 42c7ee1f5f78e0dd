"""A system check: refuse to start with a setting about decisions that do not exist."""

from __future__ import annotations

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from compliance.startup import INSTALLATION
from reviews.models import Outcome

# The words of STEP_UP_DECISIONS that are no outcomes.
GROUPS = ("second", "all", "none")


@register(INSTALLATION)
def decisions_of_step_up_are_known(**_: object) -> list[CheckMessage]:
    """With an unknown word, decisions would need no recent login, and nobody would notice."""
    unknown = settings.STEP_UP_DECISIONS - {*GROUPS, *Outcome.values}
    if not unknown:
        return []
    hint = f"It may name {', '.join((*GROUPS, *Outcome.values))}."
    words = f"STEP_UP_DECISIONS names {', '.join(sorted(unknown))}."
    return [Error(words, hint=hint, id="reviews.E001")]
