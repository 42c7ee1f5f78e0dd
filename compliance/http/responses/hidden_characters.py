"""Makes invisible characters visible, such as U+202E, which reverses the text after it.

With such a character, a name can look like another name. Data are stored as they were received. Where
people read them, each invisible character is replaced by U+FFFD (�): in pages, CSV files, mails and
log lines. `compliance.storage.file_types.shown_name` has the same rule for file names.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponse, HttpResponseBase
from django.utils import translation

Respond = Callable[[HttpRequest], HttpResponseBase]

SHOWN = "\ufffd"

# Control characters except tab and line breaks; the soft hyphen; separators; characters without
# width or ink; marks that change the direction of the text around them.
_ALWAYS = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u115f\u1160\u180e\u200b\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f"
)
# Marks of direction that texts in Arabic and Hebrew need beside numbers and punctuation.
_MARKS = "\u061c\u200e\u200f"
# Words in Persian and in Indian scripts contain joiners, and so do emoji. After an ASCII character,
# a joiner only makes a different word look the same.
_JOINER = "(?<=[\x00-\x7f])[\u200c\u200d]"
# A closed isolate keeps the characters of a value in order, and does not affect the text around it.
# The desk writes some itself (`isolated`).
_FIRST, _LAST = "\u2068", "\u2069"
_ISOLATE = f"{_FIRST}[^\n{_ALWAYS}]*{_LAST}"

_HIDDEN = re.compile(f"({_ISOLATE})|[{_ALWAYS}{_MARKS}]|{_JOINER}")
_HIDDEN_IN_BIDI = re.compile(f"({_ISOLATE})|[{_ALWAYS}]|{_JOINER}")
# Every character that the patterns can match. This search comes first, because it is much faster.
_SUSPECT = re.compile(f"[{_ALWAYS}{_MARKS}\u200c\u200d]")
# The bytes of plain texts, which are nearly all of a page.
_PLAIN = bytes([*b"\t\n\r", *range(0x20, 0x7F)])
# The kinds of responses that people read. JSON is for programs, which get data as they are.
_READ = ("text/html", "image/svg+xml")


def show(text: str) -> str:
    """The text with each hidden character as U+FFFD."""
    # Nearly all texts are plain.
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(_shown, text)


def isolated(text: str) -> str:
    """A name within a sentence. From right to left, its brackets, digits and full stops would
    otherwise move to the words beside it.
    """
    if not text or not translation.get_language_bidi():
        return text
    # A mark in the name could end the isolate.
    return f"{_FIRST}{show(text)}{_LAST}"


def show_in_pages(get_response: Respond) -> Respond:
    """One of the innermost middlewares: it changes the pages that views return."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        content_type = response.headers.get("Content-Type", "")
        # No page of ours is streamed.
        if isinstance(response, HttpResponse) and content_type.startswith(_READ):
            shown = _show_in_page(response.content)
            if shown != response.content:
                response.content = shown
        return response

    return respond


def _show_in_page(content: bytes) -> bytes:
    rest = content.translate(None, _PLAIN)
    if not _SUSPECT.search(rest.decode(errors="replace")):
        return content
    pattern = _HIDDEN_IN_BIDI if translation.get_language_bidi() else _HIDDEN
    return pattern.sub(_shown, content.decode(errors="replace")).encode()


def _shown(match: re.Match[str]) -> str:
    return match.group(1) or SHOWN
