"""The page where an applicant's link leads. It receives the key in a POST and sets a cookie.

The page's script sends the key, which is behind the `#` of the address. Without a script, the
applicant pastes the link. After that no address contains the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from http import HTTPStatus

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from compliance.http.callers import address_of
from compliance.http.counters import count
from compliance.http.responses.form_texts import texts_of
from reviews.applicants import link_cookies
from reviews.intake import links
from reviews.intake.links import LinkKind
from reviews.models import Document
from reviews.organisation import organisation

# Requests per link, or per IP address if there is no link, in so many seconds. Enough for a person
# with a bad connection, too few to guess links.
RATE, SECONDS = 30, 600
LONGEST_LINK = 1000
NOT_COMPLETE = gettext_lazy("This link is not complete. Copy the whole link.")


class LinkForm(forms.Form):
    """The whole link, or only its key."""

    link = forms.CharField(
        label=gettext_lazy("Your link"),
        max_length=LONGEST_LINK,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_request(request: HttpRequest) -> HttpResponse:
    """The page of a request's link. Status 422 for an invalid link, 429 for too many requests."""
    return _open(request, links.REQUEST)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_invitation(request: HttpRequest) -> HttpResponse:
    """The page of an invitation's link. Status 422 for an invalid link, 429 for too many
    requests.
    """
    return _open(request, links.INVITATION)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_old_request(request: HttpRequest, token: str) -> HttpResponse:
    """A link of an earlier version, with the key in the path."""
    return _open_old(request, links.REQUEST, token)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_old_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """A link of an earlier version, with the key in the path."""
    return _open_old(request, links.INVITATION, token)


@never_cache
@require_POST
def old_request_draft(request: HttpRequest, token: str) -> HttpResponse:
    """A draft sent by a page of an earlier version."""
    return _send_on(request, links.REQUEST, token, page="request-draft")


@never_cache
@require_POST
def old_invitation_draft(request: HttpRequest, token: str) -> HttpResponse:
    """A draft sent by a page of an earlier version."""
    return _send_on(request, links.INVITATION, token, page="apply-draft")


def is_opened(request: HttpRequest, kind: LinkKind, pk: int) -> bool:
    """Whether this browser has a valid cookie for the row."""
    return link_cookies.opens(request.COOKIES, kind, pk)


def closed_page(request: HttpRequest, kind: LinkKind) -> HttpResponse:
    """The page without a valid cookie. It does not reveal whether the row exists."""
    if refusal := too_many_page(request, kind):
        return refusal
    words = _("Open the link of the e-mail again. What you began is saved.")
    return _link_page(request, kind, words=words, status=HTTPStatus.FORBIDDEN)


def ended_page(request: HttpRequest, kind: LinkKind, pk: int) -> HttpResponse:
    """The page after the applicant has closed the form. Deletes the cookie of the row."""
    words = _(
        "This page is closed in this browser. The link of the e-mail opens it again."
    )
    response = page(request, words, HTTPStatus.OK)
    link_cookies.end(response, kind, pk)
    return response


def too_many_page(
    request: HttpRequest,
    kind: LinkKind,
    *,
    pk: int | None = None,
    act: str = "",
    rate: int = RATE,
) -> HttpResponse | None:
    """Count a request. Returns a page with status 429 if there were too many, else None."""
    # Applicants may share an IP address. So count by link if it is known, and by address otherwise.
    if pk is None:
        caller = f"address:{address_of(request)}"
    else:
        caller = f"link{act}:{pk}"
    tries = count(f"reviews.{kind.name}:{caller}", seconds=SECONDS)
    if tries <= rate:
        return None
    response = page(request, _("Please wait a few minutes, and try again."), 429)
    response["Retry-After"] = str(SECONDS)
    return response


def page(
    request: HttpRequest,
    words: str,
    status: int,
    *,
    end_at: str = "",
    sent_at: datetime | None = None,
    arrived: Sequence[Document] = (),
) -> HttpResponse:
    """A page for an applicant with only a message. `end_at`: address that deletes the cookie.
    `sent_at`: when the applicant sent what the link was for. `arrived`: the documents of it.
    """
    context = {
        **sender(),
        "words": words,
        "end_at": end_at,
        "sent_at": sent_at,
        "arrived": arrived,
    }
    if status >= HTTPStatus.BAD_REQUEST:
        context["unsaved"] = texts_of(request)
    return render(request, "reviews/request.html", context, status=status)


def sender() -> dict[str, object]:
    """The organisation that asks, for the head of an applicant's page."""
    row = organisation.current()
    return {"sender": row, "sender_name": organisation.name_of(row)}


def _open(request: HttpRequest, kind: LinkKind) -> HttpResponse:
    if request.method != "POST":
        return _link_page(request, kind)
    form = LinkForm(request.POST)
    pk = None
    if form.is_valid():
        # Verifies the key. None if it is not valid.
        pk = links.row_id(kind, form.cleaned_data["link"])
    if refusal := too_many_page(request, kind, pk=pk, act="open"):
        return refusal
    if pk is None:
        return _link_page(
            request,
            kind,
            fault=str(NOT_COMPLETE),
            status=HTTPStatus.UNPROCESSABLE_ENTITY,
        )
    return _redirect(kind.name, kind, pk, status=HTTPStatus.SEE_OTHER)


def _open_old(request: HttpRequest, kind: LinkKind, token: str) -> HttpResponse:
    """GET: a page that sends the key in a POST. POST: forward what a page of an earlier version
    sends.
    """
    if request.method == "POST":
        return _send_on(request, kind, token, page=kind.name)
    pk = links.path_row_id(kind, token)
    if refusal := too_many_page(request, kind, pk=pk, act="open"):
        return refusal
    if pk is None:
        return page(request, str(NOT_COMPLETE), HTTPStatus.NOT_FOUND)
    return _link_page(request, kind, link=token)


def _send_on(
    request: HttpRequest, kind: LinkKind, token: str, *, page: str
) -> HttpResponse:
    """Redirect with 307 to the address without a key, so the browser repeats the POST there."""
    pk = links.path_row_id(kind, token)
    if pk is None:
        return closed_page(request, kind)
    response = _redirect(page, kind, pk, status=HTTPStatus.TEMPORARY_REDIRECT)
    # 307 keeps method and body; the query must be passed on, too.
    query = request.GET.urlencode()
    if query:
        response["Location"] += f"?{query}"
    return response


def _redirect(
    page: str, kind: LinkKind, pk: int, *, status: HTTPStatus
) -> HttpResponseRedirect:
    response = HttpResponseRedirect(reverse(page, args=[pk]), status=status)
    link_cookies.give(response, kind, pk)
    return response


def _link_page(
    request: HttpRequest,
    kind: LinkKind,
    *,
    link: str = "",
    words: str = "",
    fault: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    """The form for the link. If `link` is set, a script submits it immediately."""
    context = {
        **sender(),
        "form": LinkForm(initial={"link": link}),
        "open_at": reverse(f"{kind.name}-open"),
        "has_link": bool(link),
        "words": words,
        "fault": fault,
    }
    return render(request, "reviews/open_link.html", context, status=status)
