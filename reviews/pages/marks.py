"""Icons, colours and words for verdicts and recommendations, as pages show them."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

# Verdict of a check → icon, colour class, word.
VERDICTS = {
    "pass": ("circle-check", "pass", _("passed")),
    "review": ("triangle-alert", "warn", _("to review")),
    "fail": ("circle-x", "fail", _("failed")),
    "inconclusive": ("circle-minus", "warn", _("inconclusive")),
    "running": ("loader-circle", "run", _("running")),
    "error": ("circle-alert", "fail", _("could not run")),
    "unknown": ("circle-dashed", "", _("unknown")),
}
# Recommendation of the agent → icon, colour class. Any other text is shown as it was sent.
RECOMMENDATIONS = {
    "approve": ("check", "pass"),
    "review": ("triangle-alert", "warn"),
    "deny": ("x", "fail"),
    "reject": ("x", "fail"),
}


def known_verdict(verdict: object) -> str:
    if isinstance(verdict, str) and verdict in VERDICTS:
        return verdict
    return "unknown"
