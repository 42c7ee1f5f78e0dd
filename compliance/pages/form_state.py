"""Forms of settings that are open in two tabs, or by two people: none replaces what it has not shown.

The page of a form has a token of the stored values in a hidden field. A form with the token of other
values is refused once; its page then shows what is stored now, and has the new token.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from django.forms import BaseForm
from django.utils.translation import gettext as _

# The name of the hidden field. Forms have fields of their own that are called "state".
NAME = "opened_state"


def state_of(form: BaseForm) -> str:
    """A token of the stored values of a form, which tells whether somebody has changed them."""
    values: list[str] = []
    for name in sorted(form.fields):
        value = form.get_initial_for_field(form.fields[name], name)
        # Relations to many rows have no order.
        words = sorted(map(str, value)) if isinstance(value, list) else str(value)
        values.append(f"{name}={words}")
    return hashlib.sha256("\n".join(values).encode()).hexdigest()[:16]


def refuse_stale(
    form: BaseForm, state: str, stored: Mapping[str, object] | None = None
) -> bool:
    """Add an error to a form that was opened before the stored values changed. Returns whether it did.

    `state`: that of the values stored now. `stored`: those that the page may show; others, such as
    secrets, are only named.
    """
    is_older = form.data.get(NAME, state) != state
    # Whoever sends what is there already replaces nothing.
    if not is_older or not form.changed_data:
        return False
    # Before that, no error can be added.
    form.full_clean()
    parts = []
    for name in form.changed_data:
        value = f": {stored[name]}" if stored and name in stored else ""
        parts.append(f"{form.fields[name].label}{value}")
    words = _(
        "Not saved: somebody else has changed this since you opened the page. Different now:"
        " %(values)s. Save again to replace it with what you see below."
    )
    form.add_error(None, words % {"values": "; ".join(parts)})
    return True
