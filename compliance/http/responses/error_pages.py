"""The pages for errors: 400, 403, 404, 405 and 500.

Django's own views read the form of the request once more, for its CSRF token. Where the form was the
error, they raise it again, and the answer was 500 or none. These pages have no form.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme

from compliance.http.responses.form_texts import texts_of


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400"""
    # Rendered without the request, as Django does: its host or its form may be what is wrong.
    page = render_to_string("400.html")
    return HttpResponse(page, status=HTTPStatus.BAD_REQUEST)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler403"""
    context = {"unsaved": texts_of(request)}
    return render(request, "403.html", context, status=HTTPStatus.FORBIDDEN)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The view of the setting CSRF_FAILURE_VIEW. To load its page again sends the old form again."""
    referrer = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(
        referrer, {request.get_host()}, request.is_secure()
    )
    context = {
        "address": referrer if is_ours else "",
        "unsaved": texts_of(request),
    }
    return render(request, "403_csrf.html", context, status=HTTPStatus.FORBIDDEN)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler404"""
    context = {"unsaved": texts_of(request)}
    return render(request, "404.html", context, status=HTTPStatus.NOT_FOUND)


def say_forms_only(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, after that of languages: a page for who opens the address of a form.

    A form that is refused is answered with a page at its own address. Who loads that again from the
    address line, or logs in again from there, got an empty page. Programs get what Django sends.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not isinstance(response, HttpResponseNotAllowed) or response.content:
            return response
        # Browsers name it; programs that take anything do not.
        is_for_people = "text/html" in request.headers.get("Accept", "")
        if request.method == "GET" and is_for_people:
            response.content = render_to_string("405.html").encode()
        return response

    return respond


def server_error(request: HttpRequest) -> HttpResponse:
    """The page for a fault of ours; handler500 is in compliance/http/unavailable.py."""
    # Rendered without the request: context processors may raise the fault again.
    page = render_to_string("500.html", {"unsaved": texts_of(request)})
    return HttpResponse(page, status=HTTPStatus.INTERNAL_SERVER_ERROR)
