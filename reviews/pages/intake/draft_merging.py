"""The drafts of applicants on more than one device.

A page sends along what it showed of the draft when it was opened. So the server can tell what was
changed on it from what another device has saved since.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from django.utils.translation import gettext_lazy

# The hidden field: the values by name, as JSON.
SHOWN = "shown"
CHANGED_ELSEWHERE = gettext_lazy(
    "Not sent yet. Something was filled in on another device while this page was open. All of it"
    " is kept and shown here: read it, and send it then."
)


def hidden_value(typed: Mapping[str, str]) -> str:
    """The value of the hidden field."""
    return json.dumps(dict(typed))


def changed_names(sent: Mapping[str, str]) -> set[str]:
    """The names of the fields that were changed on the page."""
    before = _values_shown(sent)
    if before is None:
        return set(sent)
    names = set()
    for name, value in sent.items():
        if value != before.get(name, ""):
            names.add(name)
    return names


def changed_elsewhere(sent: Mapping[str, str], typed: Mapping[str, str]) -> set[str]:
    """The names of the fields that have other values in the draft than the page showed, and that
    were not changed on it.
    """
    before = _values_shown(sent)
    if before is None:
        return set()
    names = set()
    for name in {*before, *typed}:
        value = before.get(name, "")
        if typed.get(name, "") != value and sent.get(name, "") == value:
            names.add(name)
    return names


def _values_shown(sent: Mapping[str, str]) -> dict[str, str] | None:
    """What the page showed; None if it does not say so, as where a script sends only changes."""
    try:
        before = json.loads(sent.get(SHOWN, ""))
    except (ValueError, RecursionError):
        return None
    return before if isinstance(before, dict) else None
