"""The page for looking up names and numbers in the lists, with earlier look-ups."""

from __future__ import annotations

from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from compliance.http import numbers
from reviews import results
from reviews.access import reads, roles
from reviews.access.decorators import person_of, readers_only
from reviews.findings import look_ups, matches
from reviews.findings.review_state import ReviewState
from reviews.models import Case, Connection, LookUp, Party, Read
from reviews.parties import profile, visibility
from reviews.results.reading import strings

NEWEST = 50


class LookUpForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name, part of a name, or number"),
        max_length=look_ups.LONGEST,
        widget=forms.TextInput({"autocomplete": "off", "autofocus": True}),
        help_text=gettext_lazy(
            "In any script. Passport, IMO, LEI and other numbers, wallet addresses."
        ),
    )
    date_of_birth = forms.DateField(
        label=gettext_lazy("Date of birth"),
        required=False,
        widget=forms.DateInput({"type": "date"}),
    )
    lists = forms.CharField(
        label=gettext_lazy("Lists"),
        required=False,
        max_length=400,
        help_text=gettext_lazy(
            "Short names with blanks between them, such as ofac_sdn un. Empty: all."
        ),
    )
    # Services that the user may ask. The view sets them.
    connection = forms.ModelChoiceField(
        queryset=Connection.objects.none(),
        label=gettext_lazy("Service"),
        empty_label=None,
    )
    party = forms.IntegerField(required=False, widget=forms.HiddenInput)


@readers_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def overview(request: HttpRequest) -> HttpResponse:
    user = person_of(request)
    if request.method == "POST":
        roles.require(user, roles.LOOK_UP)
    party = _party(request)
    form = LookUpForm(request.POST or None, initial=_initial(request, party))
    # With a single service there is nothing to choose.
    services = look_ups.connections(user)
    field = form.fields["connection"]
    assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the type checker
    field.queryset = services
    if len(services) == 1:
        field.widget = forms.HiddenInput()
        field.initial = services[0].pk
    if request.method == "POST" and form.is_valid():
        try:
            row = _look_up(request, form, party)
        except look_ups.LookUpError as exc:
            form.add_error(None, str(exc))
        else:
            return HttpResponseRedirect(
                reverse("look-up", args=[row.pk]), status=HTTPStatus.SEE_OTHER
            )
    rows = look_ups.visible(user).select_related("by", "case", "party")
    page = {
        "nav": "look-ups",
        "form": form,
        "party": party,
        "may_look_up": user.has_perm(roles.LOOK_UP),
        "rows": [(row, row.query.get("name", "")) for row in rows[:NEWEST]],
    }
    if form.errors:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    else:
        status = HTTPStatus.OK
    return render(request, "reviews/look_ups.html", page, status=status)


def _party(request: HttpRequest) -> Party | None:
    """The party that the look-up concerns, by its id, because no name may appear in an address."""
    sent = request.POST.get("party") or request.GET.get("party")
    key = numbers.parse(sent)
    if key is None:
        return None
    return visibility.party(person_of(request), key)


def _initial(request: HttpRequest, party: Party | None) -> dict[str, object]:
    if party is None:
        return {}
    names = profile.names_of(person_of(request), [party.pk])
    return {"name": names.get(party.pk, ""), "party": party.pk}


def _look_up(request: HttpRequest, form: LookUpForm, party: Party | None) -> LookUp:
    values = form.cleaned_data
    # The service expects ISO 8601, or "" for no date.
    day = values["date_of_birth"]
    return look_ups.look_up(
        values["connection"],
        actor=person_of(request),
        name=values["name"],
        date_of_birth=day.isoformat() if day else "",
        lists=values["lists"].split(),
        case=_case(request, party, values["connection"].pk),
        party=party,
    )


def _case(request: HttpRequest, party: Party | None, connection: int) -> Case | None:
    """The newest case of the party at this service. The look-up will be erased together with it."""
    if party is None:
        return None
    links = visibility.links(person_of(request), [party.pk]).select_related("case")
    link = links.filter(case__connection=connection).order_by("-case_id").first()
    if link is None:
        raise look_ups.LookUpError(_("The party has no case at this service."))
    return link.case


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def one(request: HttpRequest, pk: int) -> HttpResponse:
    rows = look_ups.visible(person_of(request)).select_related(
        "by", "case", "party", "connection"
    )
    row = get_object_or_404(rows, pk=pk)
    reads.shown(request, Read.Kind.PARTY, f"look-ups/{row.pk}")
    answer = row.answer
    page = {
        "nav": "look-ups",
        "row": row,
        "query": row.query,
        "asked_lists": strings(row.query.get("lists")),
        "subject": results.look_up(answer),
        "not_compared": strings(answer.get("not_compared")),
        "is_cut": answer.get("is_cut") is True,
        "may_look_up": request.user.has_perm(roles.LOOK_UP),
        "may_confirm": row.case is not None and request.user.has_perm(roles.REVIEW),
    }
    return render(request, "reviews/look_up.html", page)


@readers_only
@require_POST
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm that a hit, which the screening did not show, is the subject of the case."""
    user = person_of(request)
    row = get_object_or_404(look_ups.visible(user).select_related("case"), pk=pk)
    # The permission is checked for the case, too: the look-up may be visible without it.
    roles.require(user, roles.REVIEW, row.case)
    parts = ReviewState.of(row.case).parts if row.case else ()
    try:
        matches.confirm_look_up(row, parts, request.POST.get("ref", ""), actor=user)
    except ValueError as exc:
        messages.error(request, str(exc))
    else:
        messages.success(request, _("The match is kept with the case."))
    page = reverse("look-up", args=[row.pk])
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)
