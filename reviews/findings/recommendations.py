"""What a service says beside its recommendation: the reasons, and the version of its requirements.

Any service may send any shape here: nothing raises, and what is kept is short enough for a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviews.models import Outcome
from reviews.results import text, texts

# Of our hub's agents none has more than a handful; a page and a webhook still hold these.
MOST_REASONS = 40
LONGEST_REASON = 500
LONGEST_VERSION = 80
# What the agent's words recommend; a decision that says otherwise goes against them.
AGREES = {
    Outcome.APPROVE: {"approve", "approved"},
    Outcome.REJECT: {"deny", "denied", "reject", "rejected"},
}


def word(recommendation: str) -> str:
    """A recommendation as pages say it: of one act one word, so a service's "Deny" is "Reject"."""
    said = recommendation.strip()
    return "Reject" if said.lower() in AGREES[Outcome.REJECT] else said


def reasons(found: Mapping[str, Any]) -> list[str]:
    """The reasons in words, each once, in the order of the service."""
    said = list(dict.fromkeys(texts(found.get("recommendation_reasons"))))
    kept = [text(words, LONGEST_REASON) for words in said[:MOST_REASONS]]
    left = len(said) - len(kept)
    return [*kept, f"And {left} more."] if left else kept


def version(found: Mapping[str, Any]) -> str:
    return text(found.get("requirements_version"), LONGEST_VERSION)
