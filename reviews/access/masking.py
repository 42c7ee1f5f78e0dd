"""Masking: users whose roles do not need names see none.

Pages and the REST interface show masked texts, and files are refused. compliance.db.masks hides the
values where they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from http import HTTPStatus
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from compliance.db import masks
from compliance.pages.phrases import filled

Respond = Callable[[HttpRequest], HttpResponseBase]

MASK = masks.MASK
REFUSAL = _("Your role sees no names, and so no files.")
SENT_MASK = filled(
    _(
        "The form holds %(mask)s, which stands for a text that your role does not see. Nothing was"
        " kept."
    ),
    mask=MASK,
)
NOT_SHOWN = _("What it answered may name people, and your role sees no names.")
# Members of the REST interface that hold no personal text. All other texts are masked, so a new
# member is masked by default.
OPEN = frozenset(
    [
        "id",
        "reference",
        "kind",
        "country",
        "status",
        "recommendation",
        "requirements_version",
        "revision",
        "connection",
        "agent",
        "submitted_by",
        "analyst",
        "severity",
        "risk_band",
        "url",
        "next_cursor",
        "check_id",
        "source",
        "verdict",
        "outcome",
        "by",
        "made_by",
        "second_by",
        "lifted_by",
        "sha256",
        "code",
        "key",
        "label",
        "hint",
        "roles",
        "scopes",
        "token",
        "user",
        "prefix",
        "what",
        "actor",
        "hash",
        "type",
        "tone",
        "role",
        "group",
        "confirmation",
        "service",
        "batch",
        "condition",
        "state",
        "slug",
    ]
)
OPEN_ENDINGS = ("_at", "_id", "_ids", "_by", "_status")
# Objects and lists with arbitrary content. They are emptied instead of masked.
WHOLE = frozenset(
    [
        "self_attested_data",
        "schema_extra",
        "custom_fields",
        "extra_columns",
        "body",
        "data",
        "payload",
        "result",
        "headers",
        "sent",
        "notice",
        "evidence",
        "tags",
        "counts",
        "erased",
        "findings",
        "documents_text",
    ]
)


def sees_names(user: User | AnonymousUser) -> bool:
    """Whether at least one role of the user needs names."""
    if not settings.MASKED_ROLES or getattr(user, "is_superuser", False):
        return True
    # Cached on the user object as Django does with permissions, so read once per request.
    if not hasattr(user, "_sees_names"):
        names = set(user.groups.values_list("name", flat=True))
        is_masked = bool(names) and names <= settings.MASKED_ROLES
        setattr(user, "_sees_names", not is_masked)  # noqa: B010 - unknown to the model
    return bool(getattr(user, "_sees_names"))  # noqa: B009


def mask(value: object) -> object:
    """A copy of a JSON response without personal texts, in the same shape."""
    if isinstance(value, dict):
        return {name: _member(name, member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [mask(item) for item in value]
    if isinstance(value, str) and value:
        return MASK
    return value


def _member(name: str, value: object) -> object:
    if name in WHOLE:
        return _empty(value)
    if isinstance(value, str) and (name in OPEN or name.endswith(OPEN_ENDINGS)):
        return value
    if isinstance(value, list) and (name in OPEN or name.endswith(OPEN_ENDINGS)):
        return value
    return mask(value)


def _empty(value: object) -> object:
    if isinstance(value, dict):
        return {}
    if isinstance(value, list | tuple):
        return []
    return mask(value)


# URL names of pages that show only what the user entered (drafts, imported files), and of files
# behind a signed link, which are meant for the service that holds the link.
OWN = frozenset(
    [
        "batches",
        "case-import",
        "case-import-live",
        "case-import-result",
        "case-new",
        "case-new-check",
        "case-new-checks",
        "case-new-draft",
        "document-file",
    ]
)
# URL names of files. A masked file would be worthless as evidence, so they are refused.
FILES = frozenset(
    [
        "attachment",
        "batch-export",
        "case-enrich",
        "case-evidence",
        "case-report-pdf",
        "document-copy",
        "document-original",
        "report-batch",
        "subject-export",
    ]
)
# Path prefixes that are not masked: pages of the own account, and addresses that authenticate by
# other means than a login. The REST interface masks its answers itself.
SAFE = frozenset(["GET", "HEAD"])
ELSEWHERE = (
    *("/api/", "/account/", "/login/", "/logout/", "/health/", "/static/"),
    *("/.well-known/", "/csp-reports/", "/requests/", "/apply/", "/scim/"),
)


# URL names of POST views whose response may be shown: they concern settings, a risk policy or the
# staff. The search hides names itself.
ANSWERS = frozenset(
    [
        "case-presence",
        "connections",
        "connection-test",
        "organisation",
        "queue-find",
        "risk-new",
        "tokens",
    ]
)


def hide_from(user: User | AnonymousUser) -> AbstractContextManager[None]:
    """A context manager that hides personal values if the user's roles do not need them."""
    return masks.hidden(hides=masks.is_hidden() or not sees_names(user))


def hide_names(get_response: Respond) -> Respond:
    """Middleware: hide names from users who do not need them.

    A page is rendered with personal values hidden. A POST runs with the real values, because it may
    write them, e.g. into the audit trail. Its response is shown only if it cannot contain names.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        if _sees_all(request):
            return get_response(request)
        if request.method not in SAFE:
            return _act(request, get_response)
        with masks.hidden():
            response = get_response(request)
        return _with_hidden_parts(response)

    def process_view(
        request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponseBase | None:
        if _sees_all(request):
            return None
        return _prepare(request)

    respond.process_view = process_view  # type: ignore[attr-defined]
    return respond


def _sees_all(request: HttpRequest) -> bool:
    return request.path.startswith(ELSEWHERE) or sees_names(request.user)


def _act(request: HttpRequest, get_response: Respond) -> HttpResponseBase:
    response = get_response(request)
    if _is_shown(request, response):
        return _with_hidden_parts(response)
    is_done = response.status_code < HTTPStatus.BAD_REQUEST
    words = {"words": NOT_SHOWN, "is_done": is_done}
    return render(request, "masked.html", words, status=response.status_code)


def _prepare(request: HttpRequest) -> HttpResponseBase | None:
    """Runs before the view: refuses files, shows users their own input, rejects forms that hold
    a mask.
    """
    name = _name_of(request)
    if name in FILES:
        raise PermissionDenied(REFUSAL)
    if name in OWN:
        # The setting ends with the request.
        masks.show()
    elif request.method not in SAFE and _sends_mask(request):
        words = {"words": SENT_MASK}
        return render(request, "masked.html", words, status=HTTPStatus.BAD_REQUEST)
    return None


def _name_of(request: HttpRequest) -> str:
    match = request.resolver_match
    return (match.url_name if match else "") or ""


def _sends_mask(request: HttpRequest) -> bool:
    """Whether a form sends the mask back. Saving it would overwrite the hidden text."""
    for values in request.POST.lists():
        if any(MASK in value for value in values[1]):
            return True
    return False


def _is_shown(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether the response of a POST may be shown: it has no content, or content without
    personal data.
    """
    if response.streaming or request.resolver_match is None:
        return True
    has_content = bool(getattr(response, "content", b""))
    return not has_content or _name_of(request) in ANSWERS | OWN


def _with_hidden_parts(response: Any) -> HttpResponseBase:
    """Hides names in a streaming response, whose parts are rendered after the middleware has
    returned.
    """
    if response.streaming:
        response.streaming_content = _hidden_parts(iter(response))
    return cast(HttpResponseBase, response)


def _hidden_parts(parts: Iterator[bytes]) -> Iterator[bytes]:
    while True:
        with masks.hidden():
            part = next(parts, None)
        if part is None:
            return
        yield part
