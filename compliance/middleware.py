"""What pages answer where the document store takes no files."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from compliance import stored


class StoreMiddleware:
    """Answers 507 where the store is full and 503 where it takes no files, in words."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, stored.NotWritableError):
            return None
        answer = render(
            request, "not_kept.html", {"reason": str(exception)}, status=exception.status
        )
        answer["Retry-After"] = str(stored.RETRY_SECONDS)
        return answer
