"""The drafts of applicants on more than one device.

A page sends along what it showed of the draft when it was opened. So the server can tell what was
changed on it from what another device has saved since.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus

from django import forms
from django.http import JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from reviews.intake.parties.rows import ROWS

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


def overwritten(sent: Mapping[str, str], typed: Mapping[str, str]) -> dict[str, str]:
    """The values of the draft that sending the page would replace unseen, by name: fields that
    were changed on the page, and differently on another device since.
    """
    before = _values_shown(sent)
    if before is None:
        return {}
    values = {}
    for name, value in typed.items():
        if name not in sent or name == ROWS:
            continue
        shown = _plain(str(before.get(name, "")))
        now = _plain(sent[name])
        is_changed = now != shown
        if is_changed and _plain(value) not in {shown, now, ""}:
            values[name] = value
    return values


def refusal_of_save(form: forms.Form, values: Mapping[str, str]) -> JsonResponse:
    """The answer to a script that would save over texts of another device: 409, with the texts and
    a sentence about each, by the name of the field. The script shows them, and saves again.
    """
    words = {}
    for name in values:
        words[name] = " ".join(words_of_overwritten(form, {name: values[name]}))
    content = {"words": words, "values": dict(values)}
    return JsonResponse(content, status=HTTPStatus.CONFLICT)


def words_of_overwritten(form: forms.Form, values: Mapping[str, str]) -> list[str]:
    """What another device had in fields that now show what was typed on this page."""
    sentence = _("%(field)s: the other device has “%(value)s”. Here is what you typed.")
    words = []
    for name, value in values.items():
        if name in form.fields:
            words.append(sentence % {"field": form[name].label, "value": value})
    return words


def _plain(text: str) -> str:
    """The text as it is stored: drafts have no blanks around it, browsers send other lines."""
    return text.replace("\r\n", "\n").strip()


def _values_shown(sent: Mapping[str, str]) -> dict[str, str] | None:
    """What the page showed; None if it does not say so, as where a script sends only changes."""
    try:
        before = json.loads(sent.get(SHOWN, ""))
    except (ValueError, RecursionError):
        return None
    return before if isinstance(before, dict) else None
