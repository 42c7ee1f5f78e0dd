"""Template tags for all pages: icons, texts of scripts, and people's initials."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.contrib.auth.models import User
from django.forms import BaseForm
from django.forms.boundfield import BoundField
from django.template.base import FilterExpression, Node, Parser, Token
from django.template.context import Context
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from compliance.approvals import proposals
from compliance.approvals.pages import may_see
from compliance.http.responses import hidden_characters
from compliance.http.responses.form_texts import texts_of
from compliance.identity import step_up
from compliance.pages.script_texts import block as script_texts_block
from compliance.pages.settings_menu import SettingsMenu, menu_for

register = template.Library()


# Icons that point along the line, and are mirrored for right-to-left languages.
MIRRORED = frozenset(
    {
        "arrow-left",
        "arrow-up-right",
        "chevron-left",
        "chevron-right",
        "corner-up-left",
        "log-out",
        "play",
        "send",
    }
)


@lru_cache(maxsize=1024)
def icon(name: str, classes: str = "") -> SafeString:
    """An icon of compliance.pages.vendored.ICONS. Classes: "small" and "large" change its size."""
    if name in MIRRORED:
        classes = f"{classes} mirrored".strip()
    space = " " if classes else ""
    return format_html(
        '<svg class="icon{}{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        space,
        classes,
        static("vendor/icons.svg"),
        name,
    )


register.filter("form_texts", texts_of)


@register.simple_tag
def script_texts() -> SafeString:
    """The JSON block with the texts of scripts in the language of the page."""
    return script_texts_block()


@register.simple_tag(takes_context=True)
def approvals_waiting(context: Any) -> int | None:
    """The number of changes that wait for a second person; None for people who cannot see them."""
    request = context.get("request")
    if not settings.SETTINGS_FOUR_EYES or request is None:
        return None
    if not hasattr(request, "_approvals_waiting"):
        count = None
        if may_see(request.user):
            count = proposals.waiting()
        request._approvals_waiting = count
    waiting: int | None = request._approvals_waiting
    return waiting


@register.filter
def isolated(value: object) -> str:
    """A name within a translated sentence: see `hidden_characters.isolated`."""
    return hidden_characters.isolated(str(value))


@register.filter
def field_to_focus(form: BaseForm) -> str:
    """The name of the first field that is wrong, or else of the first one; empty if it has none."""
    fields = form.visible_fields()
    for field in fields:
        if field.errors:
            return field.name
    if fields:
        return fields[0].name
    return ""


@register.filter
def with_focus(field: BoundField) -> SafeString:
    """The widget of the field, which has the focus when the page opens."""
    return field.as_widget(attrs={"autofocus": True})


@register.simple_tag(takes_context=True)
def confirm_first(context: Any) -> str | None:
    """Where to confirm who one is before a form of this page is filled in; None if it is not asked.

    A form that is sent without a recent login is not kept.
    """
    request = context.get("request")
    if request is None or not step_up.asks_at_forms(request):
        return None
    return step_up.confirm_address(request, request.get_full_path())


@register.simple_tag(takes_context=True)
def settings_menu(context: Any) -> SettingsMenu:
    """The pages of settings that the person may open, and whether this page is one of them."""
    return menu_for(context["user"], context.get("nav"))


class FixedIconNode(Node):
    """An icon with a constant name.

    It is rendered with the page and not when the template is parsed: workers parse templates, too,
    and have no static files.
    """

    def __init__(self, *arguments: str) -> None:
        self.arguments = arguments

    def render(self, context: Context) -> SafeString:
        return icon(*self.arguments)


class IconNode(Node):
    """An icon whose name or size is known only when the page is rendered."""

    def __init__(self, arguments: list[FilterExpression]) -> None:
        self.arguments = arguments

    def render(self, context: Context) -> SafeString:
        return icon(*[argument.resolve(context) for argument in self.arguments])


@register.tag("icon")
def icon_tag(parser: Parser, token: Token) -> Node:
    """`{% icon "name" "small" %}`.

    Most icons have a constant name and need no context. A case page has 130 of them, and as simple
    tags they would take a tenth of its time.
    """
    arguments = [parser.compile_filter(bit) for bit in token.split_contents()[1:]]
    if not 1 <= len(arguments) <= 2:
        raise template.TemplateSyntaxError("icon takes a name, and perhaps a size.")
    if any(argument.is_var or argument.filters for argument in arguments):
        return IconNode(arguments)
    return FixedIconNode(*[str(argument.var) for argument in arguments])


@register.filter
def initials(user: User) -> str:
    """Two letters for a person: initials of both names, else of the user name."""
    return letters_of(full_name(user))


@register.filter
def full_name(user: User) -> str:
    return str(user.get_full_name() or user.get_username())


@register.filter("letters")
def letters_of(name: str) -> str:
    """Two letters: initials of the first and last name, or the start of a single name."""
    names = name.split()
    if len(names) > 1:
        letters = names[0][0] + names[-1][0]
    else:
        letters = name.strip()[:2]
    return letters.upper()
