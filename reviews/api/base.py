"""The base class of all views of the desk's REST interface."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import MappingProxyType
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
    """A view with JSON requests, responses and errors.

    A token acts in the name of its user: the user's roles, teams and audit trail apply as on the
    pages.
    """

    error_handler = errors.handle
    authentication_classes: Sequence[type[BaseAuthentication]] = (BearerToken,)
    throttle_classes: Sequence[type[BaseThrottle]] = (PerToken,)
    # Whether the response contains data about subjects, so that it is masked for some roles.
    is_of_cases = True
    # Whether a POST only reads: a search, whose words must not appear in an address.
    is_reading = False
    # Hides names while a request that only reads runs. finalize_response() ends it.
    _hiding: AbstractContextManager[None] | None = None
    # What this request counted against the quota of the token, besides its bytes.
    _taken: Mapping[str, int] = MappingProxyType({})
    http_method_names = ["get", "head", "post", "patch", "delete"]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check scope, role, masking and query parameters before the handler. Raises Problem."""
        super().initial(request, *args, **kwargs)
        operation = self.operation
        if operation is None:
            return
        scope = operation.scope
        if scope is not None and scope not in self.token.scopes:
            words = f"The token has not the scope {scope}."
            raise Problem(403, words, code="missing_scope")
        roles.require(self.actor, "reviews.view_case")
        # JSON is masked in finalize_response(). A file cannot be masked, so it is refused.
        is_file = operation.media != operations.JSON
        if is_file and not masking.sees_names(self.actor):
            words = "Your role sees no names, and so no files."
            raise Problem(403, words, code="masked")
        self.params = validation.query(operation.query, request.query_params)
        # An action needs the real values of what it changes, a reading request does not.
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
        """Mask the response if the caller's roles do not need names."""
        if self._hiding is not None:
            self._hiding.__exit__(None, None, None)
        self._give_back(response)
        if isinstance(response, Response) and self._is_to_be_masked(request, response):
            response.data = masking.mask(response.data)
        return super().finalize_response(request, response, *args, **kwargs)

    def _is_to_be_masked(self, request: Request, response: Response) -> bool:
        # Only a successful response has a known token. After an error, reading `request.auth` would
        # authenticate again.
        if response.status_code >= 300:
            return False
        if not isinstance(request.auth, ApiToken) or not self.is_of_cases:
            return False
        return not masking.sees_names(self.actor)

    def take_bytes(self) -> None:
        """Count the request's bytes against the token's daily quota. Raises QuotaError."""
        size = int(self.request.META.get("CONTENT_LENGTH") or 0)
        quotas.take(quotas.TOKEN, self.token.pk, bytes=size)

    def take_quota(self, **amounts: int) -> None:
        """Count files and jobs against the token's daily quota. Raises QuotaError.

        The functions that store them count against the user's quota.
        """
        quotas.take(quotas.TOKEN, self.token.pk, **amounts)
        self._taken = amounts

    def _give_back(self, response: HttpResponseBase) -> None:
        """Give back the quota of a request that was refused: nothing of it was stored."""
        if self._taken and response.status_code >= 400:
            quotas.give_back(quotas.TOKEN, self.token.pk, **self._taken)

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
        """The validated body. Raises Problem if it does not fit the schema of the operation."""
        content = self.content
        if self.operation is not None:
            BODIES.validate(self.operation.body, content)
        return cast(JsonObject, content)

    def change_settings(self, act: Callable[[], Response]) -> Response:
        """Run an act that changes settings. Status 202 if the change now waits for a second
        person.
        """
        response, proposal = interception.perform(self.actor, act)
        if proposal is None:
            return response
        words = "Another person must approve this. Until then all stays as it is."
        # The proposal may contain a new secret, which is shown only now.
        answer: JsonObject = {"proposal": proposal.pk, "detail": words}
        if response.data and "secret" in response.data:
            answer["secret"] = response.data["secret"]
        return Response(answer, status=202)

    def filters(self, names: Iterable[str]) -> JsonObject:
        """The query parameters with these names that were sent."""
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
        """One page of `rows` as the query asks. `by` must give a total order."""
        page = paging.page(rows, self.params, to_wire, by=by, oldest_first=oldest_first)
        return Response(page)

    def case(self, pk: int) -> Case:
        """The case if the user may see it; otherwise status 404."""
        rows = roles.visible(self.actor)
        rows = rows.select_related(
            "connection", "agent", "submitted_by", "analyst", "procedure"
        )
        return get_object_or_404(rows, pk=pk)

    def row(self, rows: QuerySet[Row], path: str, *, pk: object) -> Row:
        """The row if the user may see its case; otherwise status 404.

        `path` is the lookup from the row to its connection.
        """
        visible = roles.only_visible(self.actor, rows, path)
        return get_object_or_404(visible, pk=pk)


class NoEndpoint(DeskView):
    """All other paths: status 404 with the usual body of errors, with or without a token."""

    authentication_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> NoReturn:
        raise exceptions.NotFound
