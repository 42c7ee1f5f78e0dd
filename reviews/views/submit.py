"""The page on which a person opens a case."""

from __future__ import annotations

from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from reviews import cases
from reviews.form_fields import TYPES
from reviews.forms import FORMS, CaseForm
from reviews.models import Case, Kind
from reviews.views.access import person_of, readers_only


@readers_only
@permission_required("reviews.add_case", raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def case_new(request: HttpRequest) -> HttpResponse:
    person, kind = person_of(request), request.GET.get("kind", "")
    make_form = FORMS.get(kind, FORMS[Kind.KYB])
    if request.method == "POST":
        form = make_form(request.POST, request.FILES, actor=person)
        if form.is_valid() and (case := _submitted(form, person)):
            # 303: a reload of the next page must not send the form again.
            return HttpResponseRedirect(case.get_absolute_url(), status=HTTPStatus.SEE_OTHER)
    else:
        form = make_form(actor=person)
    context = {
        "nav": "submit",
        "form": form,
        "kinds": Kind,
        "files_lost": bool(request.FILES),
        "types": TYPES,
        "max_bytes": settings.MAX_DOCUMENT_BYTES,
        "max_megabytes": settings.MAX_DOCUMENT_BYTES >> 20,
    }
    return render(request, "reviews/case_new.html", context)


def _submitted(form: CaseForm, person: User) -> Case | None:
    """The new case, or None where its reference is taken, which the form then says."""
    try:
        return cases.submit(
            actor=person,
            agent=form.cleaned_data["agent"],
            reference=form.cleaned_data["reference"],
            subject=form.subject(),
            country=form.country(),
            data=form.self_attested_data(),
            documents=form.documents(),
            submission=form.cleaned_data["submission"],
        )
    except cases.ReferenceTakenError:
        form.add_error(
            "reference", "Another case has this reference. Change it, or leave it empty."
        )
        return None
