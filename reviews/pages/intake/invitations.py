"""The page of invitations: analysts create, copy, send and withdraw links for applicants."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST

from compliance import languages
from compliance.http import numbers, references
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.applicants import invitations
from reviews.intake import links, request_mails
from reviews.models import Agent, Invitation, Kind

SHOWN = 100  # newest invitations on the page
submitters_only = permission_required("reviews.add_case", raise_exception=True)


class InvitationForm(forms.Form):
    agent = forms.ModelChoiceField(
        label=gettext_lazy("Agent"),
        queryset=Agent.objects.none(),
        empty_label=None,
        help_text=gettext_lazy(
            "It says which form the applicant gets: business or individual."
        ),
    )
    reference = forms.CharField(
        label=gettext_lazy("Reference"),
        required=False,
        max_length=references.LONGEST,
        help_text=gettext_lazy(
            "Your own identifier of the case. Left empty, one is made."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days that the link works"),
        min_value=1,
        max_value=invitations.MOST_DAYS,
        initial=invitations.DAYS,
    )
    email = forms.CharField(
        required=False,
        max_length=request_mails.LONGEST_ADDRESS,
        label=gettext_lazy("E-mail of the applicant"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    language = forms.ChoiceField(
        required=False,
        choices=languages.names,
        initial=languages.current,
        label=gettext_lazy("Language of the e-mails"),
    )
    message = forms.CharField(
        required=False,
        max_length=2_000,
        label=gettext_lazy("To the applicant"),
        help_text=gettext_lazy("Shown above the form."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(
        self,
        data: Mapping[str, object] | None = None,
        *,
        actor: User,
        initial: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        choices = cast("forms.ModelChoiceField[Agent]", self.fields["agent"])
        choices.queryset = roles.agents(actor).order_by("kind", "name")
        words = _("The link is sent there. Left empty, you copy it.")
        # Without a mail server only the link can be used.
        if not request_mails.is_set_up():
            del self.fields["language"]
            words = _("This desk sends no e-mail: leave it empty, and copy the link.")
        self.fields["email"].help_text = words

    def clean_reference(self) -> str:
        reference: str = self.cleaned_data["reference"].strip()
        if not references.fits(reference):
            raise forms.ValidationError(references.refusal())
        return reference

    def clean_language(self) -> str:
        return self.cleaned_data["language"] or languages.ENGLISH

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].strip()
        if email and (fault := request_mails.fault_of(email)):
            raise forms.ValidationError(fault)
        return email


@readers_only
@submitters_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def overview(request: HttpRequest) -> HttpResponse:
    """Create an invitation, and list the existing ones."""
    person = person_of(request)
    again = _ended(person, request.GET.get("again", ""))
    initial = {}
    if again is not None:
        initial = {"agent": again.agent_id, "reference": again.reference}
    form = InvitationForm(request.POST or None, actor=person, initial=initial)
    status = HTTPStatus.OK
    if request.method == "POST":
        # 303 after success, so that a reload makes no second invitation.
        if form.is_valid() and _made(form, person):
            address = reverse("invitations")
            return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    rows = invitations.visible(person).prefetch_related("mails")[:SHOWN]
    context = {
        "nav": "submit",
        "form": form,
        "again": again,
        "kinds": Kind,
        "has_agents": roles.agents(person).exists(),
        "rows": [(row, _link(row)) for row in rows],
    }
    return render(request, "reviews/invitations.html", context, status=status)


def _ended(person: User, text: str) -> Invitation | None:
    """The expired invitation with this number, whose applicant is invited again."""
    number = numbers.parse(text)
    if number is None:
        return None
    row = invitations.visible(person).filter(pk=number).first()
    if row is None or not row.has_expired:
        return None
    return row


def _made(form: InvitationForm, person: User) -> bool:
    """Create the invitation. Returns False if the form got an error instead."""
    try:
        invitations.create(actor=person, **form.cleaned_data)
    except invitations.ReferenceTakenError:
        words = _("Another case has this reference. Change it, or leave it empty.")
        form.add_error("reference", words)
        return False
    return True


def _link(row: Invitation) -> str:
    if invitations.is_open(row):
        return links.address(row)
    return ""


@readers_only
@submitters_only
@require_POST
@cache_control(private=True, no_store=True)
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    person = person_of(request)
    row = get_object_or_404(invitations.visible(person), pk=pk)
    if not invitations.withdraw(row, actor=person):
        messages.info(request, _("The link has ended already."))
    address = reverse("invitations")
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
