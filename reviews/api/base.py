"""What all views of the desk's interface have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, cast

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from compliance.http.api import operations, validation
from compliance.http.api.errors import Problem
from compliance.http.api.operations import Operation
from compliance.http.api.views import JSONView
from reviews.access import roles
from reviews.api import errors, schemas
from reviews.api.authentication import BearerToken, PerToken
from reviews.models import ApiToken, Case

BODIES = validation.BodyValidator(schemas.PARTS)


class DeskView(JSONView):
    """JSON in, JSON out, errors included. A token calls in the name of its user, whose role,
    teams and trail hold here as they do on the pages."""

    error_handler = errors.handle
    authentication_classes: Sequence[type[BaseAuthentication]] = (BearerToken,)
    throttle_classes: Sequence[type[BaseThrottle]] = (PerToken,)
    http_method_names = ["get", "head", "post", "patch", "delete"]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        operation = self.operation
        if operation is None:
            return
        scope = operation.scope
        if scope is not None and scope not in self.token.scopes:
            raise Problem(
                403, f"The token has not the scope {scope}.", code="missing_scope"
            )
        roles.require(self.actor, "reviews.view_case")
        self.asked = validation.query(operation.query, request.query_params)

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
    def body(self) -> dict[str, Any]:
        """The body, which fits what is described."""
        content = self.content
        if self.operation is not None:
            BODIES.validate(self.operation.body, content)
        return cast(dict[str, Any], content)

    def case(self, pk: int) -> Case:
        """A case that the user may see; 404 for all others."""
        rows = roles.visible(self.actor).select_related(
            "connection", "agent", "submitted_by", "analyst"
        )
        return get_object_or_404(rows, pk=pk)

    def seen(self, rows: QuerySet[Any], path: str, **named: Any) -> Any:
        """A row of a case that the user may see; 404 for all others."""
        found: Model = get_object_or_404(
            roles.only_visible(self.actor, rows, path), **named
        )
        return found


class NoEndpoint(DeskView):
    """Every other path: 404 in the same shape as all errors, to whoever asks."""

    authentication_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> NoReturn:
        raise exceptions.NotFound
