"""The languages of pages, and English for stored texts.

Outside of requests (workers, commands, logs) everything is English. Inside of a request, texts are
in the person's language, so code that writes texts to the database or to files must use
`english()`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import formats, timezone, translation

# The language of stored texts, and of texts for other systems.
ENGLISH = "en"


@contextmanager
def english() -> Iterator[None]:
    """Texts and times in this context are English, in the time zone of the installation."""
    with translation.override(ENGLISH), timezone.override(None):
        yield


@contextmanager
def of(user: object) -> Iterator[None]:
    """Texts and times in this context have the person's language and zone (default: English)."""
    preference = getattr(user, "locale_preference", None)
    language = getattr(preference, "language", "") or ENGLISH
    time_zone = getattr(preference, "time_zone", "")
    zone = ZoneInfo(time_zone) if time_zone else None
    with translation.override(language), timezone.override(zone):
        yield


@contextmanager
def of_reader(user: object) -> Iterator[None]:
    """Texts in this context have the language of the person, who reads what somebody else's
    request sends. Who has chosen none gets the language of the request.
    """
    preference = getattr(user, "locale_preference", None)
    with translation.override(getattr(preference, "language", "") or current()):
        yield


def names() -> list[tuple[str, str]]:
    """The languages of this desk: code and native name."""
    languages = []
    for code, _english in settings.LANGUAGES:
        languages.append((code, translation.get_language_info(code)["name_local"]))
    return languages


def current() -> str:
    """The language of this request, reduced to one of the desk's: "de" for a browser with de-AT."""
    return (translation.get_language() or ENGLISH).partition("-")[0]


def number(value: int) -> str:
    """A number as the reader writes it: 10,000 in English is 10.000 in German."""
    return str(formats.number_format(value, use_l10n=True, force_grouping=True))
