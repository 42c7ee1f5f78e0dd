"""The recommendation of a service, its reasons, and the version of its requirements.

Services may send any JSON here. No function raises, and results are short enough for a page.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from reviews.models import Outcome
from reviews.results import text, texts

# Agents of our hub send few reasons. A page and a webhook have room for this many.
MOST_REASONS = 40
LONGEST_REASON = 500  # characters
LONGEST_VERSION = 80
# The words of agents that recommend an outcome. Another decision is "against the
# recommendation".
AGREES = {
    Outcome.APPROVE: {"approve", "approved"},
    Outcome.REJECT: {"deny", "denied", "reject", "rejected"},
}


def word(recommendation: str) -> str:
    """A recommendation in the word that pages use: "Deny" becomes "Reject", as on the buttons."""
    plain = recommendation.strip()
    if plain.lower() in AGREES[Outcome.REJECT]:
        return "Reject"
    return plain


# The recommendations that pages translate.
_SHOWN = {
    "Approve": _("Approve"),
    "Review": _("Review"),
    "Reject": _("Reject"),
}


def shown(recommendation: str) -> str:
    """Like `word`, translated into the language of the reader if it is one of the usual words."""
    plain = word(recommendation)
    return str(_SHOWN.get(plain, plain))


def gravity(recommendation: str) -> int:
    """How adverse a recommendation is: -1 none, 0 Approve, 2 Deny, 1 anything else."""
    plain = recommendation.strip().casefold()
    if not plain:
        return -1
    if plain in AGREES[Outcome.APPROVE]:
        return 0
    if plain in AGREES[Outcome.REJECT]:
        return 2
    return 1


def reasons(content: Mapping[str, object]) -> list[str]:
    """The reasons as texts, without duplicates, in the order of the service."""
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
