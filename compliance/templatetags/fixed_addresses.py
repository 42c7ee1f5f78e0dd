"""Django's `{% url %}`, with a constant address that is written once.

It is in each template in place of Django's own (settings.TEMPLATES). A page has some 50 addresses
without a value of the page in them: those of the rail, the menus and the forms.
"""

from __future__ import annotations

from django import template
from django.conf import settings
from django.template import defaulttags
from django.template.base import FilterExpression, Node, Parser, Token
from django.template.context import Context
from django.urls import get_script_prefix, get_urlconf

register = template.Library()


class FixedAddressNode(Node):
    """A constant address, as Django's own node writes it.

    It is kept for each place where the installation is served (the prefix of the web server), and
    for each list of addresses, which a request may have of its own.
    """

    def __init__(self, node: defaulttags.URLNode) -> None:
        self.node = node
        self.addresses: dict[tuple[str, str | None, bool], str] = {}

    def render(self, context: Context) -> str:
        urlconf = get_urlconf(settings.ROOT_URLCONF)
        place = (get_script_prefix(), urlconf, context.autoescape)
        address = self.addresses.get(place)
        if address is None:
            address = self.node.render(context)
            self.addresses[place] = address
        return address


@register.tag
def url(parser: Parser, token: Token) -> Node:
    node = defaulttags.url(parser, token)
    if node.asvar or node.kwargs:
        return node
    if not all(_is_constant(part) for part in (node.view_name, *node.args)):
        return node
    # The address of a name with a namespace depends on the page that it stands on.
    if ":" in str(node.view_name.var):
        return node
    return FixedAddressNode(node)


def _is_constant(part: FilterExpression) -> bool:
    return not part.is_var and not part.filters
