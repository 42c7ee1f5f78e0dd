"""Masking: people whose roles need no names see none. The REST interface answers with masked texts; pages
and files that show names are refused."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase

Respond = Callable[[HttpRequest], HttpResponseBase]

MASK = "•••"
REFUSAL = "Your role sees no names. The REST interface answers you with masked texts."
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
        "name",
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


# The pages that masked people may open, by their names: those without anybody's data.
PAGES = frozenset(
    [
        "case-new",
        "case-new-check",
        "case-new-checks",
        "case-new-draft",
        "tokens",
        "token-revoke",
        "audit-keys",
        "desk-schema",
        "dashboard",
    ]
)
# The parts of the addresses that are no pages of the desk.
ELSEWHERE = (
    *("/api/", "/account/", "/login/", "/logout/", "/health/", "/webhooks/"),
    *("/static/", "/.well-known/", "/hub/", "/csp-reports/", "/requests/", "/apply/"),
)


def refuse_pages(get_response: Respond) -> Respond:
    """Middleware: pages with names are refused to people whose roles need none."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        return get_response(request)

    def process_view(
        request: HttpRequest, view: object, args: object, kwargs: object
    ) -> None:
        match = request.resolver_match
        if match is None or match.url_name in PAGES:
            return
        # Before the person is asked for: interfaces and services need no session.
        if request.path.startswith(ELSEWHERE) or not request.user.is_authenticated:
            return
        # What a signed link leads to is for the service that has it.
        if match.url_name != "document-file" and not sees_names(request.user):
            raise PermissionDenied(REFUSAL)

    respond.process_view = process_view  # type: ignore[attr-defined]
    return respond
