"""The base class of the views of both interfaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.views import APIView

from compliance.http.api import json_bodies
from compliance.http.api.errors import ErrorHandler
from compliance.http.api.json_bodies import OnlyJSON, ReadyJSON, StrictJSON

# JSON is not a page: it may load nothing, and no page may frame it.
NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"


class JSONView(APIView):
    """JSON in, JSON out, errors included.

    Responses may hold personal data, so no cache may store them.
    """

    error_handler: ClassVar[ErrorHandler]

    permission_classes = ()
    parser_classes: Sequence[type[BaseParser]] = (StrictJSON,)
    renderer_classes = (ReadyJSON,)
    content_negotiation_class = OnlyJSON

    @property
    def content(self) -> Any:
        """The body as the view's parser reads it."""
        return json_bodies.content(self.request)

    def get_exception_handler(self) -> ErrorHandler:
        return self.error_handler

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        # The policy in settings.py is meant for pages. A view that sends a file sets its own.
        response.headers.setdefault("Content-Security-Policy", NOTHING_RUNS)
        return response
