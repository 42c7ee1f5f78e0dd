"""What every page stands in, with or without the desk: icons, people as letters, and what is drawn once."""

from __future__ import annotations

import secrets
from functools import lru_cache
from typing import Any, cast

from django import template
from django.template.base import FilterExpression, Node, NodeList, Parser, Token, token_kwargs
from django.template.context import Context
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=1024)
def icon(name: str, classes: str = "") -> SafeString:
    """An icon of compliance.vendored.ICONS; "s" and "l" make it smaller and larger."""
    return format_html(
        '<svg class="i{}{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        " " if classes else "",
        classes,
        static("vendor/icons.svg"),
        name,
    )


@register.filter
def initials(user: Any) -> str:
    """Two letters for a person: of both names, else of the user name."""
    return letters_of(user.get_full_name() or user.get_username())


@register.filter("letters")
def letters_of(name: str) -> str:
    names = name.split()
    letters = names[0][0] + names[-1][0] if len(names) > 1 else name.strip()[:2]
    return letters.upper()


class Granted(frozenset[str]):
    """Permissions by value ("reviews.add_case"), asked as `perms` is: perms.reviews.add_case."""

    def __getitem__(self, app: str) -> dict[str, bool]:
        dot = f"{app}."
        return {name.removeprefix(dot): True for name in self if name.startswith(dot)}


@register.filter
def granted(user: Any) -> Granted:
    """What a user may, as a value that {% remember %} takes."""
    found = getattr(user, "_granted", None)  # several parts of a page ask
    if found is None:
        found = user._granted = Granted(user.get_all_permissions())
    return cast(Granted, found)


class _Remembered(Node):
    """Draws what it holds once for the same values, which are all that it sees."""

    MOST = 2_000_000  # characters, for each place in a template
    TOKEN = secrets.token_hex(16)  # stands for a form's token, which differs from page to page

    def __init__(self, nodelist: NodeList, values: dict[str, FilterExpression]) -> None:
        self.nodelist, self.values = nodelist, values
        self.drawn: dict[tuple[Any, ...], SafeString] = {}
        self.size = 0

    def render(self, context: Context) -> SafeString:
        values = {name: value.resolve(context) for name, value in self.values.items()}
        key = tuple(values.values())
        found = self.drawn.get(key)
        if found is None:
            found = self.nodelist.render(context.new({**values, "csrf_token": self.TOKEN}))
            self.size += len(found)
            if self.size > self.MOST:
                self.drawn.clear()
                self.size = len(found)
            self.drawn[key] = found
        if self.TOKEN in found:
            return SafeString(found.replace(self.TOKEN, str(context["csrf_token"])))
        return found


@register.tag
def remember(parser: Parser, token: Token) -> Node:
    """{% remember line=line view=wanted.view %}…{% endremember %}

    What is between is drawn once for the same values, and then remembered by the process. It sees
    nothing but these values and the token of forms: what else it may show must be named. They must
    be hashable, and equal only where all is that may be shown of them; a model's rows are not.
    """
    values = token_kwargs(token.split_contents()[1:], parser)
    nodelist = parser.parse(("endremember",))
    parser.delete_first_token()
    return _Remembered(nodelist, values)
