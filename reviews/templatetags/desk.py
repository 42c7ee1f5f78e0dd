"""Template tags of the desk: icons, and verdicts as a shape, a word and a colour.

Everything comes from fixed tables. A value from a service can select an entry, but never add
markup.
"""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.contrib.auth.models import User
from django.template.context import Context
from django.utils import formats
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from compliance.templatetags.shell import icon, icon_tag, initials, letters_of
from reviews.access import roles
from reviews.findings.recommendations import shown
from reviews.inbox import notifications
from reviews.models import Severity
from reviews.pages.marks import RECOMMENDATIONS, VERDICTS, known_verdict
from reviews.pages.queue.queue_rows import SEVERITIES, in_room, in_words
from reviews.queue import filters
from reviews.queue.highlights import Highlighter

register = template.Library()
register.tag("icon", icon_tag)
register.filter(initials)
register.filter("letters", letters_of)


@lru_cache(maxsize=len(VERDICTS))
def glyph(verdict: str) -> SafeString:
    """The verdict's icon in its colour. The template must show the word beside it."""
    name, color, _ = VERDICTS[verdict]
    spin = "spin" if verdict == "running" else ""
    image = icon(name, spin)
    return format_html('<span class="state {}">{}</span>', color, image)


@register.simple_tag
def strip(verdicts: tuple[str, ...]) -> SafeString:
    """Verdicts in a row as icons, with their words for screen readers."""
    return _strip(verdicts, get_language())


@lru_cache(maxsize=4096)
def _strip(verdicts: tuple[str, ...], _language: str | None) -> SafeString:
    words = in_words(verdicts)
    shown = in_room(verdicts)
    more = SafeString("")
    if len(verdicts) > len(shown):
        more = format_html(
            '<span class="muted small" aria-hidden="true">+{}</span>',
            len(verdicts) - len(shown),
        )
    return format_html(
        '<span class="strip" title="{}"><span class="visually-hidden">{}</span>{}{}</span>',
        words,
        words,
        SafeString("".join(map(glyph, shown))),
        more,
    )


@register.simple_tag
def due_state(words: str, color: str) -> SafeString:
    """The time left until a case is due, in the colour of its urgency; empty if none is shown."""
    if not words:
        return SafeString("")
    return _due_state(words, color)


@lru_cache(maxsize=4096)
def _due_state(words: str, color: str) -> SafeString:
    image = icon("circle-alert" if color == "fail" else "timer", "small")
    return format_html(
        '<span class="state row due {}">{}{}</span>',
        color,
        image,
        words,
    )


@register.simple_tag
def severity(value: int, risk: int) -> SafeString:
    """The number of findings against a case, marked by the worst of them."""
    return _severity(value, risk, get_language())


@lru_cache(maxsize=4096)
def _severity(value: int, risk: int, _language: str | None) -> SafeString:
    name, color = SEVERITIES.get(value, ("", ""))
    return format_html(
        '<span class="state row {}">{}<span class="visually-hidden">{}: </span>{}</span>',
        color,
        icon(name, "small") if name else "",
        Severity(value).label,
        formats.localize(risk),
    )


@register.simple_tag
def verdict_glyph(value: object) -> SafeString:
    """The verdict as an icon, with its word for screen readers."""
    verdict = known_verdict(value)
    _, _, words = VERDICTS[verdict]
    return format_html(
        '{}<span class="visually-hidden">{}: </span>',
        glyph(verdict),
        words,
    )


@register.simple_tag
def recommendation(text: str) -> SafeString:
    """The agent's recommendation as a tag; empty if there is none yet."""
    if not text:
        return SafeString("")
    return _recommendation(text, get_language())


@lru_cache(maxsize=256)
def _recommendation(text: str, language: str | None) -> SafeString:
    key = text.strip().lower()
    name, color = RECOMMENDATIONS.get(key, ("info", "info"))
    return format_html(
        '<span class="tag {}">{}{}</span>',
        color,
        icon(name),
        shown(text),
    )


@register.filter
def highlight(text: object, words: Highlighter | None) -> SafeString:
    """The text with the words of a search marked, if the page was reached by a search."""
    content = str(text)
    if not words:
        return conditional_escape(content)
    runs = []
    for run in words.runs(content):
        if run.is_hit:
            runs.append(format_html("<mark>{}</mark>", run.text))
        else:
            runs.append(conditional_escape(run.text))
    return SafeString("".join(runs))


@register.filter
def person(user: User | None) -> str:
    """The full name of a user, or the user name."""
    if not user:
        return gettext("A former user")
    return user.get_full_name() or user.get_username()


@register.simple_tag(takes_context=True)
def queue_count(context: Context) -> str:
    """The number of cases that wait for users, for the layout. Counted once per page."""
    # The page of the queue has counted already.
    counts = context.get("counts")
    if counts:
        return filters.display_count(counts["review"] + counts["attention"])
    user = context["user"]
    connections = roles.connection_ids(user)
    count = filters.waiting(user, connections)
    return filters.display_count(count)


@register.simple_tag(takes_context=True)
def inbox_count(context: Context) -> int:
    """The number of unread messages in the inbox, for the layout."""
    user = context["user"]
    if not user.is_authenticated:
        return 0
    return notifications.unread_count(user)
