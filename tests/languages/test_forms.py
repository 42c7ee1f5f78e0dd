"""Django makes the label of a field from its name, in English: the fields of pages have labels of their own."""

from __future__ import annotations

from collections.abc import Iterator

from django.forms.forms import BaseForm
from django.forms.models import ModelForm
from django.urls import get_resolver
from django.utils.functional import Promise

OURS = {"agenthub", "compliance", "reviews", "webhooks"}
# The template of the set-up has the labels.
IN_TEMPLATE = {"SetupForm"}


def forms_of_pages() -> Iterator[type[BaseForm]]:
    # Every module with a page is imported by the addresses.
    assert get_resolver().url_patterns
    classes = [BaseForm]
    while classes:
        form = classes.pop()
        classes += form.__subclasses__()
        package, *rooms = form.__module__.split(".")
        if (
            package in OURS
            and "admin" not in rooms
            and form.__name__ not in IN_TEMPLATE
        ):
            yield form


def test_every_label_and_hint_of_a_field_is_marked_for_translation():
    forms = set(forms_of_pages())
    assert any(issubclass(form, ModelForm) for form in forms)
    unmarked = []
    for form in forms:
        for name, field in getattr(form, "base_fields", {}).items():
            is_marked = isinstance(field.label, Promise)
            if not field.help_text:
                has_hint = True
            else:
                has_hint = isinstance(field.help_text, Promise)
            if not field.widget.is_hidden and not (is_marked and has_hint):
                unmarked.append(f"{form.__module__}.{form.__name__}.{name}")
    assert sorted(unmarked) == []
