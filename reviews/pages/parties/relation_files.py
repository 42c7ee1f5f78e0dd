"""Import of a party's relations from a CSV file: preview first, then record."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST

from compliance.http import numbers
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.imports import relation_files, tables
from reviews.imports.relation_files import ImportFileError, Preview
from reviews.models import Case, Party
from reviews.parties import profile, visibility


@readers_only
@require_POST
@cache_control(private=True, no_store=True)
def preview(request: HttpRequest, pk: int) -> HttpResponse:
    """The content of the file and its faults. Nothing is stored."""
    user, head = _of(request, pk)
    file = request.FILES.get("file")
    # One byte more than the limit, so that the reader notices a file that is too large.
    if file:
        content = file.read(relation_files.MOST_BYTES + 1)
    else:
        content = b""
    preview = relation_files.read(content, held=head, user=user)
    if file is None:
        preview.faults = [_("Choose a file.")]
    return _page(request, head, _case(request, user, head), content, preview)


@readers_only
@require_POST
@cache_control(private=True, no_store=True)
def record(request: HttpRequest, pk: int) -> HttpResponse:
    """Record the relations of the preview. The file is validated again."""
    user, head = _of(request, pk)
    case = _case(request, user, head)
    content = request.POST.get("content", "").encode()
    try:
        count = relation_files.record(case, content, held=head, actor=user)
    except ImportFileError as exc:
        return _page(request, head, case, content, Preview(faults=exc.faults))
    sentence = ngettext(
        "%(count)d relation recorded.", "%(count)d relations recorded.", count
    )
    messages.success(request, sentence % {"count": count})
    page = reverse("party", args=[head.pk])
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)


def _of(request: HttpRequest, pk: int) -> tuple[User, Party]:
    user = person_of(request)
    roles.require(user, roles.PARTIES)
    return user, visibility.party(user, pk)


def _case(request: HttpRequest, user: User, head: Party) -> Case:
    """The case that the user chose among those of the party; by default the newest."""
    links = visibility.links(user, [head.pk]).select_related("case")
    chosen = numbers.parse(request.POST.get("case"))
    if chosen is not None:
        links = links.filter(case=chosen)
    link = links.order_by("-case_id").first()
    if link is None:
        raise Http404
    return link.case


def _page(
    request: HttpRequest, head: Party, case: Case, content: bytes, preview: Preview
) -> HttpResponse:
    names = profile.names_of(person_of(request), [head.pk])
    context = {
        "nav": "parties",
        "party": head,
        "name": names.get(head.pk, _("Party %(number)d") % {"number": head.pk}),
        "case": case,
        "found": preview,
        "content": "" if preview.faults else tables.text_of(content),
    }
    # The content is sent back in a hidden field, so that "record" needs no second upload.
    is_refused = bool(preview.faults)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return render(request, "reviews/party_import.html", context, status=status)
