"""What all views of the desk's interface have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NoReturn, TypeVar, cast

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from compliance.approvals import interception
from compliance.http.api import operations, validation
from compliance.http.api.errors import Problem
from compliance.http.api.operations import Operation
from compliance.http.api.views import JSONView
from compliance.http.limits import quotas
from reviews.access import masking, roles
from reviews.api import errors, paging, schemas
from reviews.api.authentication import BearerToken, PerToken
from reviews.models import ApiToken, Case
from reviews.wire import JsonObject

Row = TypeVar("Row", bound=Model)
BODIES = validation.BodyValidator(schemas.PARTS)


class DeskView(JSONView):
    """JSON in, JSON out, errors included. A token calls in the name of its user, whose role,
    teams and trail hold here as they do on the pages."""

    error_handler = errors.handle
    authentication_classes: Sequence[type[BaseAuthentication]] = (BearerToken,)
    throttle_classes: Sequence[type[BaseThrottle]] = (PerToken,)
    # Whether the answer says something of who is under review, and is masked for some.
    is_of_cases = True
    # A POST that only reads: a search, whose words may be in no address.
    is_reading = False
    _hiding: AbstractContextManager[None] | None = None
    http_method_names = ["get", "head", "post", "patch", "delete"]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        operation = self.operation
        if operation is None:
            return
        scope = operation.scope
        if scope is not None and scope not in self.token.scopes:
            words = f"The token has not the scope {scope}."
            raise Problem(403, words, code="missing_scope")
        roles.require(self.actor, "reviews.view_case")
        # JSON is masked; a file cannot be.
        is_file = operation.media != operations.JSON
        if is_file and not masking.sees_names(self.actor):
            words = "Your role sees no names, and so no files."
            raise Problem(403, words, code="masked")
        self.params = validation.query(operation.query, request.query_params)
        # An act needs what it acts on; a reading does not.
        is_reading = self.is_reading or request.method in masking.SAFE
        if is_reading and self.is_of_cases:
            self._hiding = masking.hide_from(self.actor)
            self._hiding.__enter__()

    def finalize_response(
        self,
        request: Request,
        response: HttpResponseBase,
        *args: object,
        **kwargs: object,
    ) -> Any:
        """Mask the answer where the caller's role needs no names."""
        if self._hiding is not None:
            self._hiding.__exit__(None, None, None)
        if isinstance(response, Response) and self._is_to_be_masked(request, response):
            response.data = masking.mask(response.data)
        return super().finalize_response(request, response, *args, **kwargs)

    def _is_to_be_masked(self, request: Request, response: Response) -> bool:
        # Only an answer has a token that is known: after an error this would look for it once more.
        if response.status_code >= 300:
            return False
        if not isinstance(request.auth, ApiToken) or not self.is_of_cases:
            return False
        return not masking.sees_names(self.actor)

    def take_quota(self, **amounts: int) -> None:
        """Count for the token what it brings; the verbs count for its user. Raises QuotaError."""
        length = self.request.META.get("CONTENT_LENGTH")
        size = int(length or 0)
        quotas.take(quotas.TOKEN, self.token.pk, bytes=size, **amounts)

    @property
    def operation(self) -> Operation | None:
        return operations.of(self, self.request.method or "")

    @property
    def actor(self) -> User:
        return cast(User, self.request.user)

    @property
    def token(self) -> ApiToken:
        return cast(ApiToken, self.request.auth)

    @property
    def body(self) -> JsonObject:
        """The body, which fits what is described."""
        content = self.content
        if self.operation is not None:
            BODIES.validate(self.operation.body, content)
        return cast(JsonObject, content)

    def change_settings(self, act: Callable[[], Response]) -> Response:
        """Change settings: 202 where the change waits for a second person now."""
        response, proposal = interception.perform(self.actor, act)
        if proposal is None:
            return response
        words = "Another person must approve this. Until then all stays as it is."
        answer: JsonObject = {"proposal": proposal.pk, "detail": words}
        if response.data and "secret" in response.data:
            answer["secret"] = response.data["secret"]
        return Response(answer, status=202)

    def filters(self, names: Iterable[str]) -> JsonObject:
        """Those parameters of the query that came."""
        filters = {}
        for name in names:
            if name in self.params:
                filters[name] = self.params[name]
        return filters

    def list_response(
        self,
        rows: QuerySet[Row],
        to_wire: Callable[[Row], JsonObject],
        *,
        by: tuple[str, ...] = ("id",),
        oldest_first: bool = False,
    ) -> Response:
        """The page of `rows` that the query asks for. `by` makes the order total."""
        page = paging.page(rows, self.params, to_wire, by=by, oldest_first=oldest_first)
        return Response(page)

    def case(self, pk: int) -> Case:
        """A case that the user may see; 404 for all others."""
        rows = roles.visible(self.actor)
        rows = rows.select_related(
            "connection", "agent", "submitted_by", "analyst", "procedure"
        )
        return get_object_or_404(rows, pk=pk)

    def row(self, rows: QuerySet[Row], path: str, *, pk: object) -> Row:
        """A row of a case that the user may see; 404 for all others.

        `path` leads from the row to its connection.
        """
        visible = roles.only_visible(self.actor, rows, path)
        return get_object_or_404(visible, pk=pk)


class NoEndpoint(DeskView):
    """Every other path: 404 in the same shape as all errors, to whoever asks."""

    authentication_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> NoReturn:
        raise exceptions.NotFound
