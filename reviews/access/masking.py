"""Masking: people whose roles need no names see none. Pages and the REST interface show masked texts;
files are refused. What is masked where it is read: compliance.db.masks."""

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
# Members that hold no personal text. All other texts of an answer are masked: what is new is masked, too.
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
# Objects whose members are whatever somebody sent: nothing of them is shown.
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
    """Whether one of the person's roles needs names."""
    if not settings.MASKED_ROLES or getattr(user, "is_superuser", False):
        return True
    # Read once for each user object, as Django does with permissions: that is once a request.
    if not hasattr(user, "_sees_names"):
        names = set(user.groups.values_list("name", flat=True))
        is_masked = bool(names) and names <= settings.MASKED_ROLES
        setattr(user, "_sees_names", not is_masked)  # noqa: B010 - unknown to the model
    return bool(getattr(user, "_sees_names"))  # noqa: B009


def mask(value: object) -> object:
    """An answer without personal texts, in the same shape."""
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


# Pages of what a person typed or sent in, shown to that person alone: a draft, a file of cases. And
# what a signed link leads to is for the service that has it.
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
# What proves, or is taken away, is whole or is not given.
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
# The parts of the addresses where nobody's case is shown: those of one's own account, and those that
# bring a proof of their own instead of a login. The REST interface knows its callers itself.
SAFE = frozenset(["GET", "HEAD"])
ELSEWHERE = (
    *("/api/", "/account/", "/login/", "/logout/", "/health/", "/static/"),
    *("/.well-known/", "/csp-reports/", "/requests/", "/apply/", "/scim/"),
)


# Acts whose answers are about settings, about a risk policy, or about who works here; and a search,
# which hides names itself.
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
    """Hide personal values from this person, if their roles need none, in what runs inside."""
    return masks.hidden(hides=masks.is_hidden() or not sees_names(user))


def hide_names(get_response: Respond) -> Respond:
    """Middleware: whoever needs no names is shown none.

    A page is read with personal values hidden. An act needs them, such as for its line of the trail: so
    it has them, and what it answers is shown only if it is no page.
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
    """Before the view: refuse a file, show people what is their own, take no mask."""
    name = _name_of(request)
    if name in FILES:
        raise PermissionDenied(REFUSAL)
    if name in OWN:
        # Until the end of this request.
        masks.show()
    elif request.method not in SAFE and _sends_mask(request):
        words = {"words": SENT_MASK}
        return render(request, "masked.html", words, status=HTTPStatus.BAD_REQUEST)
    return None


def _name_of(request: HttpRequest) -> str:
    match = request.resolver_match
    return (match.url_name if match else "") or ""


def _sends_mask(request: HttpRequest) -> bool:
    """Whether a form sends back what stands for a hidden text, so that it would be stored."""
    for values in request.POST.lists():
        if any(MASK in value for value in values[1]):
            return True
    return False


def _is_shown(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether the answer of an act may be shown: it is no page, or one without anybody's data."""
    if response.streaming or request.resolver_match is None:
        return True
    has_content = bool(getattr(response, "content", b""))
    return not has_content or _name_of(request) in ANSWERS | OWN


def _with_hidden_parts(response: Any) -> HttpResponseBase:
    """The parts of a stream are made when all else is over."""
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
