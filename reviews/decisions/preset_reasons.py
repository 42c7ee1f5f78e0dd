"""Reasons that a person may choose for a dismissal or an override instead of writing them."""

from __future__ import annotations

# Nothing is chosen beforehand: a reason is kept only if somebody chose or wrote it.
DISMISS = (
    "Another person or company of the same name.",
    "The same value, written differently.",
    "A flaw of the scan or the copy, not of the document.",
    "Explained by the applicant or by a third party.",
)
OVERRIDE = (
    "The check read the document wrongly.",
    "Checked by hand against the source.",
    "Another document of the case proves it.",
    "The rule does not fit this case.",
)


def reason_of(typed: str, preset: str) -> str:
    """What was typed, else the reason that was chosen. Words of no list are no preset."""
    typed = typed.strip()
    if typed:
        return typed
    if preset in (*DISMISS, *OVERRIDE):
        return preset
    return ""
