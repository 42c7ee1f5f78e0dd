"""What all views of the hub have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from agenthub.api import errors
from agenthub.api.authentication import BearerKey
from agenthub.api.bodies import ReadyJSON, StrictJSON
from agenthub.api.schemas import Shape
from agenthub.api.throttling import PerKey
from agenthub.models import Account, Agent, ApiKey


class OnlyJSON(BaseContentNegotiation):
    """JSON, whatever the Accept header asks for: the hub speaks nothing else."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        said = request.content_type.partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == said), None)

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class HubView(APIView):
    """JSON in, JSON out, errors included. A key calls, and sees what its account owns."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (BearerKey,)
    throttle_classes = (PerKey,)
    permission_classes = ()
    parser_classes = (StrictJSON,)
    renderer_classes = (ReadyJSON,)
    content_negotiation_class = OnlyJSON
    http_method_names = ["get", "head", "post"]

    @property
    def account(self) -> Account:
        return cast(ApiKey, self.request.auth).account

    @property
    def body(self) -> dict[str, Any]:
        headers = self.request.headers
        if "Transfer-Encoding" in headers and "Content-Length" not in headers:
            # Django reads no further than the declared length: such a body would seem empty.
            raise errors.LengthRequired
        # StrictJSON lets nothing but objects pass.
        return cast(dict[str, Any], self.request.data)

    def asked(self, shape: type[Shape], data: Any) -> dict[str, Any]:
        """The values that a body or a query asks for; 400 where they do not fit the shape."""
        given = shape(data=data)
        given.is_valid(raise_exception=True)
        values: dict[str, Any] = given.validated_data
        return values

    def agent(self, agent_key: str) -> Agent:
        """The account's agent. That another account has such an agent does not show."""
        agent = Agent.objects.filter(account=self.account, key=agent_key).first()
        if agent is None:
            raise exceptions.PermissionDenied("This API key has no access to the agent.")
        return agent

    def get_exception_handler(self) -> Callable[..., Response]:
        return errors.handle

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        # Answers are about people: no cache on the way may keep them.
        response["Cache-Control"] = "no-store"
        return response
