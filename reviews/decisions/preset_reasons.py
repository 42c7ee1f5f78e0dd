"""Reasons that a person may choose for a dismissal or an override instead of writing them."""

from __future__ import annotations

# A form has none of them selected at first: a reason is stored only if somebody chose or wrote
# it.
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
    """The typed reason, else the chosen one. A chosen text that is on no list is ignored."""
    typed = typed.strip()
    if typed:
        return typed
    if preset in (*DISMISS, *OVERRIDE):
        return preset
    return ""
