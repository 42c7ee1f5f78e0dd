"""Reasons that a person may choose for a dismissal or an override instead of writing them."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

# A form has none of them selected at first: a reason is stored only if somebody chose or wrote
# it. It is stored in English, and shown in the language of the reader.
DISMISS = (
    _("Another person or company of the same name."),
    _("The same value, written differently."),
    _("A flaw of the scan or the copy, not of the document."),
    _("Explained by the applicant or by a third party."),
)
OVERRIDE = (
    _("The check read the document wrongly."),
    _("Checked by hand against the source."),
    _("Another document of the case proves it."),
    _("The rule does not fit this case."),
)


def reason_of(typed: str, preset: str) -> str:
    """The typed reason, else the chosen one. A chosen text that is on no list is ignored."""
    typed = typed.strip()
    if typed:
        return typed
    if preset in (*DISMISS, *OVERRIDE):
        return preset
    return ""
