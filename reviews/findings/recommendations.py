"""What a service says beside its recommendation: the reasons, and the version of its requirements.

Any service may send any shape here: nothing raises, and what is stored is short enough for a page.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from reviews.models import Outcome
from reviews.results import text, texts

# Agents of our hub give only a few; a page and a webhook still have room for these.
MOST_REASONS = 40
LONGEST_REASON = 500
LONGEST_VERSION = 80
# What the agent's words recommend; a decision that says otherwise goes against them.
AGREES = {
    Outcome.APPROVE: {"approve", "approved"},
    Outcome.REJECT: {"deny", "denied", "reject", "rejected"},
}


def word(recommendation: str) -> str:
    """A recommendation as pages say it: a service's "Deny" is "Reject", as on the buttons."""
    plain = recommendation.strip()
    if plain.lower() in AGREES[Outcome.REJECT]:
        return "Reject"
    return plain


# The words of agents that pages show in the language of the reader.
_SHOWN = {
    "Approve": _("Approve"),
    "Review": _("Review"),
    "Reject": _("Reject"),
}


def shown(recommendation: str) -> str:
    """As `word`, in the language of the reader where it is one of the usual words."""
    plain = word(recommendation)
    return str(_SHOWN.get(plain, plain))


def gravity(recommendation: str) -> int:
    """-1 for none, 0 for Approve, 2 for Deny, 1 for all else. Of two the greater counts."""
    plain = recommendation.strip().casefold()
    if not plain:
        return -1
    if plain in AGREES[Outcome.APPROVE]:
        return 0
    if plain in AGREES[Outcome.REJECT]:
        return 2
    return 1


def reasons(content: Mapping[str, object]) -> list[str]:
    """The reasons in words, each once, in the order of the service."""
    unique = list(dict.fromkeys(texts(content.get("recommendation_reasons"))))
    shortened = []
    for reason in unique[:MOST_REASONS]:
        shortened.append(text(reason, LONGEST_REASON))
    more = len(unique) - len(shortened)
    if more:
        shortened.append(f"And {more} more.")
    return shortened


def version(content: Mapping[str, object]) -> str:
    return text(content.get("requirements_version"), LONGEST_VERSION)
