"""The pages for errors: 400, 403, 404 and 500.

Django's own views read the form of the request once more, for its CSRF token. Where the form was the
error, they raise it again, and the answer was 500 or none. These pages have no form.
"""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400"""
    # Rendered without the request, as Django does: its host or its form may be what is wrong.
    page = render_to_string("400.html")
    return HttpResponse(page, status=HTTPStatus.BAD_REQUEST)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler403"""
    return render(request, "403.html", status=HTTPStatus.FORBIDDEN)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler404"""
    return render(request, "404.html", status=HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    """The page for a fault of ours; handler500 is in compliance/http/unavailable.py."""
    # Rendered without the request: context processors may raise the fault again.
    page = render_to_string("500.html")
    return HttpResponse(page, status=HTTPStatus.INTERNAL_SERVER_ERROR)
