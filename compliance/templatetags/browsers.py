"""A template filter that names a browser and its system in words."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext

register = template.Library()

# Names, and the part of the header User-Agent that only they have. The first one counts: Edge and
# Opera name Chrome, too, and Chrome names Safari.
BROWSERS = (
    ("Edge", ("Edg/", "EdgA/", "EdgiOS/")),
    ("Opera", ("OPR/",)),
    ("Samsung Internet", ("SamsungBrowser/",)),
    ("Firefox", ("Firefox/", "FxiOS/")),
    ("Chrome", ("Chrome/", "HeadlessChrome/", "CriOS/")),
    ("Safari", ("Safari/",)),
)
# Android names Linux, and an iPhone names Mac OS X.
SYSTEMS = (
    ("Android", ("Android",)),
    ("iPhone", ("iPhone",)),
    ("iPad", ("iPad",)),
    ("Windows", ("Windows",)),
    ("ChromeOS", ("CrOS",)),
    ("macOS", ("Mac OS X", "Macintosh")),
    ("Linux", ("Linux",)),
)


@register.filter
def browser_name(user_agent: str) -> str:
    """The browser and its system, e.g. "Firefox on Windows"; for others the header itself, cut."""
    browser = _first(BROWSERS, user_agent)
    system = _first(SYSTEMS, user_agent)
    if browser and system:
        words = {"browser": browser, "system": system}
        return gettext("%(browser)s on %(system)s") % words
    return browser or system or user_agent[:80]


def _first(names: tuple[tuple[str, tuple[str, ...]], ...], user_agent: str) -> str:
    for name, parts in names:
        for part in parts:
            if part in user_agent:
                return name
    return ""
