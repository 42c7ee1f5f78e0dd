"""Django's template tags for translations, with a `translate` that looks up a constant text once.

Templates load it as `i18n` (settings.TEMPLATES). A page has 150 to 250 constant texts, and Django
writes each anew: a lazy text, its translation, and the look whether it has to be escaped.
"""

from __future__ import annotations

from django import template
from django.template.base import Node, Parser, Token
from django.template.context import Context
from django.templatetags import i18n
from django.utils.translation import get_language

register = template.Library()
register.filters.update(i18n.register.filters)
register.tags.update(i18n.register.tags)


class FixedTextNode(Node):
    """A constant text, as Django's own node writes it, kept for each language."""

    def __init__(self, node: i18n.TranslateNode) -> None:
        self.node = node
        self.texts: dict[str | None, str] = {}

    def render(self, context: Context) -> str:
        language = get_language()
        text = self.texts.get(language)
        if text is None:
            text = self.node.render(context)
            self.texts[language] = text
        return text


@register.tag("trans")
@register.tag("translate")
def translate(parser: Parser, token: Token) -> Node:
    node = i18n.do_translate(parser, token)
    text = node.filter_expression
    if text.filters or text.var.lookups or node.message_context:
        return node
    if node.noop or node.asvar:
        return node
    return FixedTextNode(node)
