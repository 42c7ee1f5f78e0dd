"""Every request passes Django: a middleware that stands first sees all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponseBase

REQUESTS = [
    ("POST", "/webhooks/hub/"),
    ("GET", "/webhooks/hub/"),
    ("GET", "/api/v1/getJobById"),
    ("POST", "/api/v1/startKYBAgentJob"),
    ("GET", "/api/desk/v1/me"),
    ("GET", "/health/live"),
    ("GET", "/login/"),
]

TAG = f"{__name__}.tag"

Application = Callable[..., Any]
Response = tuple[str, dict[str, str], bytes]


def tag(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Any:
    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response["X-Tag"] = request.path
        return response

    return respond


def send(application: Application, method: str, path: str, **environ: Any) -> Response:
    request: dict[str, Any] = {"REQUEST_METHOD": method, "PATH_INFO": path}
    request.update(environ)
    request.setdefault("HTTP_HOST", "testserver")
    setup_testing_defaults(request)
    start: list[Any] = []
    pieces = application(
        request, lambda status, headers: start.extend((status, dict(headers)))
    )
    return start[0], start[1], b"".join(pieces)


@pytest.fixture
def serve(settings, transactional_db) -> Callable[[list[str]], Application]:
    """Load the application with this list of middleware."""

    def load(middleware: list[str]) -> Application:
        settings.MIDDLEWARE = middleware
        return WSGIHandler()

    return load


@pytest.mark.parametrize(("method", "path"), REQUESTS)
def test_a_middleware_that_stands_first_sees_every_request(
    serve, settings, method, path
):
    _, headers, _ = send(serve([TAG, *settings.MIDDLEWARE]), method, path)
    assert headers["X-Tag"] == path


@pytest.mark.parametrize(
    ("method", "path"), [each for each in REQUESTS if "webhooks" not in each[1]]
)
def test_all_but_webhooks_pass_all_middleware(serve, settings, method, path):
    _, headers, _ = send(serve([*settings.MIDDLEWARE, TAG]), method, path)
    assert headers["X-Tag"] == path


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_the_short_way_to_the_receiver_answers_as_the_long_one(serve, settings, method):
    way = "webhooks.middleware.receive_webhooks"
    short = send(serve(settings.MIDDLEWARE), method, "/webhooks/hub/")
    long = send(
        serve([each for each in settings.MIDDLEWARE if each != way]),
        method,
        "/webhooks/hub/",
    )
    for _, headers, _ in (short, long):
        # Of each request its own.
        headers.pop("X-Request-ID")
    assert short == long


@pytest.mark.parametrize(("method", "path"), REQUESTS)
def test_a_host_that_is_not_ours_is_refused(method, path, transactional_db):
    status, _, _ = send(WSGIHandler(), method, path, HTTP_HOST="evil.example")
    assert status == "400 Bad Request"
