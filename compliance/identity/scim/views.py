"""The endpoints of SCIM, below /scim/v2/."""

from __future__ import annotations

from types import ModuleType
from typing import Any, cast

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http import numbers
from compliance.http.api.errors import ErrorHandler, Problem
from compliance.http.api.json_bodies import ReadyJSON, StrictJSON
from compliance.http.api.views import JSONView
from compliance.identity.scim import description, groups, users, values
from compliance.identity.scim.authentication import (
    DirectoryAuthentication,
    PerDirectory,
)
from compliance.identity.scim.projection import Projection, names_in_body
from compliance.identity.scim.values import JsonObject
from compliance.identity.single_sign_on.last_administrator import (
    LastAdministratorError,
    report,
)
from compliance.models import DirectoryToken

MEDIA = "application/scim+json"
# The most characters of a filter in a request body.
MOST_FILTER = 1000


def _error(problem: Problem) -> JsonObject:
    body = {
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:Error"],
        "status": str(problem.status_code),
        "detail": problem.words,
    }
    if problem.status_code in {400, 409}:
        body["scimType"] = {"unreadable": "invalidSyntax"}.get(
            problem.code, problem.code
        )
    return body


def _translate(exc: Exception) -> Problem | None:
    return None


class ScimBody(StrictJSON):
    media_type = MEDIA


class ScimJSON(ReadyJSON):
    media_type = MEDIA


class ScimView(JSONView):
    error_handler = ErrorHandler(_error, _translate, media=MEDIA)
    authentication_classes = (DirectoryAuthentication,)
    throttle_classes = (PerDirectory,)
    parser_classes = (ScimBody, StrictJSON)
    renderer_classes = (ScimJSON,)

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, LastAdministratorError):
            report(exc, by=f"the directory {self.token.prefix}")
        return super().handle_exception(exc)

    @property
    def token(self) -> DirectoryToken:
        return cast(DirectoryToken, self.request.auth)

    @property
    def projection(self) -> Projection:
        """The attributes that the address asks for. Raises Problem."""
        params = self.request.query_params
        return Projection.of(
            params.get("attributes", "").split(","),
            params.get("excludedAttributes", "").split(","),
        )


class ServiceProviderConfig(ScimView):
    def get(self, request: Request) -> Response:
        return Response(description.SERVICE)


class Fixed(ScimView):
    """A constant list, or one row of it by its id."""

    rows: list[dict[str, object]] = []

    def get(self, request: Request, key: str = "") -> Response:
        if not key:
            return Response(_list(self.rows, total=len(self.rows), start=1))
        for row in self.rows:
            if row["id"] == key:
                return Response(row)
        raise Problem(404, "There is no such thing.")


class ResourceTypes(Fixed):
    rows = description.RESOURCE_TYPES


class Schemas(Fixed):
    rows = description.SCHEMAS


class Resources(ScimView):
    """The list of people or groups, and creating one."""

    resource: ModuleType

    def get(self, request: Request) -> Response:
        return _page(
            self.resource,
            self.projection,
            words=request.query_params.get("filter") or "",
            start=_number(request, "startIndex", 1),
            count=_number(request, "count", description.MOST_ROWS),
        )

    def post(self, request: Request) -> Response:
        projection = self.projection
        row = self.resource.create(self.content, self.token)
        wire = self.resource.to_wire(row)
        headers = {"Location": wire["meta"]["location"]}
        return Response(projection.apply(wire), status=201, headers=headers)


class Users(Resources):
    resource = users


class Groups(Resources):
    resource = groups


class Search(ScimView):
    """The list with a filter in the body, so that no name is part of a URL (RFC 7644, 3.4.3)."""

    resource: ModuleType

    def post(self, request: Request) -> Response:
        body = self.content
        if not isinstance(body, dict):
            raise values.bad("The body must be an object.", "invalidSyntax")
        schemas = values.member(body, "schemas")
        if not isinstance(schemas, list) or description.SEARCH not in schemas:
            words = f"schemas must have {description.SEARCH}."
            raise values.bad(words, "invalidSyntax")
        projection = Projection.of(
            names_in_body(body, "attributes"), names_in_body(body, "excludedAttributes")
        )
        return _page(
            self.resource,
            projection,
            words=values.text(body, "filter", most=MOST_FILTER) or "",
            start=values.number(body, "startIndex", 1),
            count=values.number(body, "count", description.MOST_ROWS),
        )


class SearchUsers(Search):
    resource = users


class SearchGroups(Search):
    resource = groups


class OneResource(ScimView):
    resource: ModuleType

    def get(self, request: Request, key: str) -> Response:
        wire = self.resource.to_wire(self.resource.find(key))
        return Response(self.projection.apply(wire))

    def put(self, request: Request, key: str) -> Response:
        projection = self.projection
        row = self.resource.find(key)
        row = self.resource.replace(row, self.content, self.token)
        return Response(projection.apply(self.resource.to_wire(row)))

    def patch(self, request: Request, key: str) -> Response:
        projection = self.projection
        row = self.resource.find(key)
        row = self.resource.patch(row, self.content, self.token)
        wire = self.resource.to_wire(self.resource.find(str(row.pk)))
        return Response(projection.apply(wire))


class OneUser(OneResource):
    resource = users

    def delete(self, request: Request, key: str) -> Response:
        users.deactivate(users.find(key), self.token)
        return Response(status=204)


class OneGroup(OneResource):
    resource = groups

    def delete(self, request: Request, key: str) -> Response:
        groups.delete(groups.find(key), self.token)
        return Response(status=204)


class NoEndpoint(ScimView):
    """All other paths: 404 in SCIM's error format."""

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        super().initial(request, *args, **kwargs)
        raise Problem(404, "There is no such endpoint.")


def _page(
    resource: ModuleType, projection: Projection, *, words: str, start: int, count: int
) -> Response:
    rows: QuerySet[Any] = resource.visible()
    if words:
        rows = resource.filtered(rows, words)
    # RFC 7644, 3.4.2.4: values out of range are corrected, not refused.
    start = max(1, start)
    count = min(description.MOST_ROWS, max(0, count))
    page = rows[start - 1 : start - 1 + count]
    wire = [projection.apply(resource.to_wire(row)) for row in page]
    return Response(_list(wire, total=rows.count(), start=start))


def _number(request: Request, name: str, default: int) -> int:
    value = request.query_params.get(name, "")
    if not value:
        return default
    number = numbers.parse(value.removeprefix("-"), digits=9)
    if number is None:
        raise values.bad(f"{name} must be a number.")
    return -number if value.startswith("-") else number


def _list(rows: list[JsonObject], *, total: int, start: int) -> dict[str, object]:
    return {
        "schemas": [description.LIST],
        "totalResults": total,
        "startIndex": start,
        "itemsPerPage": len(rows),
        "Resources": rows,
    }
