"""The texts of a form that was not accepted, so that the page of the refusal can show them.

The page before may be gone, and with it what somebody wrote. Nothing is stored.
"""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError
from django.http.request import RawPostDataException

# Fields that nobody writes: values of buttons, of choices, and of the page itself.
NOT_WRITTEN = frozenset(
    {"mark", "preset", "remove", "content", "back", "query", "shown"}
)
# Parts of the names of fields that must never be shown again.
SECRETS = ("password", "secret", "key", "token", "certificate")


def texts_of(request: HttpRequest) -> list[str]:
    """The values of the form with more than one word. One word is soon typed again.

    A value with other letters than those of ASCII counts, too: Chinese, Japanese and Thai leave no
    blanks between words. What pages themselves send, such as ids and choices, is in ASCII.
    """
    if request.method != "POST":
        return []
    try:
        return _texts(request) if _is_of_our_page(request) else []
    except (
        SuspiciousOperation,
        BadRequest,
        MultiPartParserError,
        RawPostDataException,
        OSError,
    ):
        # The form cannot be read, now or at all, or the host is none of ours.
        return []


def _texts(request: HttpRequest) -> list[str]:
    texts = []
    for name, values in request.POST.lists():
        if name in NOT_WRITTEN or any(part in name.lower() for part in SECRETS):
            continue
        for value in values:
            text = str(value).strip()
            if len(text.split()) > 1 or not text.isascii():
                texts.append(text)
    return texts


def _is_of_our_page(request: HttpRequest) -> bool:
    """No other site may put its texts on a page of ours. Browsers name the site of every form."""
    origin = request.headers.get("Origin")
    ours = f"{request.scheme}://{request.get_host()}"
    return origin in {None, ours, *settings.CSRF_TRUSTED_ORIGINS}
