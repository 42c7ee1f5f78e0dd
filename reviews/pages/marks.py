"""Verdicts and recommendations as pages mark them: a shape, a colour and a word."""

from __future__ import annotations

# What a check said: (icon, colour class, word).
VERDICTS = {
    "pass": ("circle-check", "pass", "passed"),
    "review": ("triangle-alert", "warn", "to review"),
    "fail": ("circle-x", "fail", "failed"),
    "inconclusive": ("circle-minus", "warn", "inconclusive"),
    "running": ("loader-circle", "run", "running"),
    "error": ("circle-alert", "fail", "could not run"),
    "unknown": ("circle-dashed", "", "unknown"),
}
# What the agent recommends; any other text is shown as it came.
RECOMMENDATIONS = {
    "approve": ("check", "pass"),
    "review": ("triangle-alert", "warn"),
    "deny": ("x", "fail"),
    "reject": ("x", "fail"),
}


def known_verdict(verdict: object) -> str:
    return verdict if isinstance(verdict, str) and verdict in VERDICTS else "unknown"
