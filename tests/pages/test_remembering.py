"""{% remember %}: what is between is drawn once for what it shows."""

from __future__ import annotations

from typing import Any

from django.template import Context, Engine


def test_what_is_remembered_sees_only_what_is_named():
    source = "{% load shell %}{% remember a=a %}{{ a }}{{ b }}{% endremember %}"
    template = Engine.get_default().from_string(source)
    assert template.render(Context({"a": "<", "b": "hidden"})) == "&lt;"
    assert template.render(Context({"a": "<", "b": "other"})) == "&lt;"
    assert template.render(Context({"a": ">", "b": "other"})) == "&gt;"


def test_a_remembered_form_has_the_token_of_its_page():
    source = "{% load shell %}{% remember %}<form>{% csrf_token %}</form>{% endremember %}"
    template = Engine.get_default().from_string(source)
    for token in ("first", "second"):
        assert f'value="{token}"' in template.render(Context({"csrf_token": token}))


def test_what_is_remembered_has_a_bound():
    source = "{% load shell %}{% remember a=a %}{{ a }}{% endremember %}"
    template = Engine.get_default().from_string(source)
    node: Any = template.nodelist[-1]
    for number in range(30):
        text = f"{number:02}" * 100_000
        assert template.render(Context({"a": text})) == text
        assert sum(map(len, node.drawn.values())) <= node.MOST
