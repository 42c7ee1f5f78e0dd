"""The languages of pages, and English for what is kept.

Outside of a request everything is English: workers, commands, logs. Within one, texts for people are in
their language, so what is written into the database or a file there belongs into `english()`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone, translation

# What is kept, and what systems read.
ENGLISH = "en"


@contextmanager
def english() -> Iterator[None]:
    """Texts and times made here are English, in the time zone of the installation."""
    with translation.override(ENGLISH), timezone.override(None):
        yield


@contextmanager
def of(user: object) -> Iterator[None]:
    """Texts and times made here are as this person chose, for a mail; else English."""
    preference = getattr(user, "locale_preference", None)
    language = getattr(preference, "language", "") or ENGLISH
    time_zone = getattr(preference, "time_zone", "")
    zone = ZoneInfo(time_zone) if time_zone else None
    with translation.override(language), timezone.override(zone):
        yield


def names() -> list[tuple[str, str]]:
    """The languages of this desk: codes, each with the name that its speakers use."""
    languages = []
    for code, _english in settings.LANGUAGES:
        languages.append((code, translation.get_language_info(code)["name_local"]))
    return languages


def current() -> str:
    """The language of this request, as one of the desk's: "de" where the browser asks for de-AT."""
    return (translation.get_language() or ENGLISH).partition("-")[0]
