"""What the views of both interfaces have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.views import APIView

from compliance.http.api import json_bodies
from compliance.http.api.errors import ErrorHandler
from compliance.http.api.json_bodies import OnlyJSON, ReadyJSON, StrictJSON

# An answer that no page is made of loads nothing, and no page may frame it.
NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"


class JSONView(APIView):
    """JSON in, JSON out, errors included. Answers are about people: no cache may keep them."""

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
        # That of settings.py is for pages. A file has a policy of its own.
        response.headers.setdefault("Content-Security-Policy", NOTHING_RUNS)
        return response
