"""What every page stands in, with or without the desk: icons, and people as letters."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=1024)
def icon(name: str, classes: str = "") -> SafeString:
    """An icon of compliance.pages.vendored.ICONS; "small" and "large" make it smaller and larger."""
    return format_html(
        '<svg class="icon{}{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        " " if classes else "",
        classes,
        static("vendor/icons.svg"),
        name,
    )


@register.filter
def initials(user: Any) -> str:
    """Two letters for a person: of both names, else of the user name."""
    return letters_of(full_name(user))


@register.filter
def full_name(user: Any) -> str:
    return str(user.get_full_name() or user.get_username())


@register.filter("letters")
def letters_of(name: str) -> str:
    names = name.split()
    letters = names[0][0] + names[-1][0] if len(names) > 1 else name.strip()[:2]
    return letters.upper()
