"""The page where the organisation is set up, and its colours and logo for applicants' pages."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from compliance.pages import form_state
from compliance.storage import file_types
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.models import Organisation
from reviews.organisation import colours, organisation

LOGO_TYPES = ("PNG", "JPEG")
organisers_only = permission_required(roles.ORGANISE, raise_exception=True)


class ColourField(forms.CharField):
    """A colour as "#rrggbb" that is readable as text on the background of one theme; or empty."""

    def __init__(self, *, paper: str, **options: Any) -> None:
        attrs = {"placeholder": "#1d4ed8", "autocomplete": "off", "class": "mono"}
        super().__init__(
            required=False,
            max_length=7,
            widget=forms.TextInput(attrs=attrs),
            **options,
        )
        self.paper = paper

    def clean(self, value: object) -> str:
        # Stored in lower case, as the CSS and the comparison expect it.
        colour = str(super().clean(value)).lower()
        if not colour:
            return ""
        if not colours.is_colour(colour):
            raise forms.ValidationError(_("Write it as six digits, such as #1d4ed8."))
        if fault := colours.fault(colour, self.paper):
            raise forms.ValidationError(fault)
        return colour


class OrganisationForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=100,
        help_text=gettext_lazy(
            "As applicants know you. It is the sender of mails, too."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    contact = forms.CharField(
        max_length=200,
        required=False,
        label=gettext_lazy("For questions"),
        help_text=gettext_lazy(
            "A phone number or an address, shown below each page for applicants."
        ),
    )
    colour = ColourField(
        paper=colours.LIGHT_PAPER,
        label=gettext_lazy("Colour"),
        help_text=gettext_lazy(
            "Of buttons and links. Dark enough to be read on white."
        ),
    )
    colour_dark = ColourField(
        paper=colours.DARK_PAPER,
        label=gettext_lazy("Colour in the dark theme"),
        help_text=gettext_lazy("Left empty, a lighter shade of the first one is made."),
    )
    logo = forms.FileField(
        label=gettext_lazy("Logo"),
        required=False,
        help_text=gettext_lazy("PNG or JPEG, up to 1 MB, on a white ground."),
        widget=forms.FileInput(attrs={"accept": ".png,.jpg,.jpeg"}),
    )
    remove_logo = forms.BooleanField(
        required=False, label=gettext_lazy("Remove the logo")
    )

    remind_days = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=60,
        label=gettext_lazy("Remind applicants after days"),
        help_text=gettext_lazy(
            "Counted from each mail with a link that is not used yet. 0: no reminders."
        ),
    )
    remind_most = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=10,
        label=gettext_lazy("Reminders at most"),
        help_text=gettext_lazy("Of one request or invitation."),
    )

    def clean_name(self) -> str:
        # The name is used in a mail header, which must be a single line.
        return " ".join(str(self.cleaned_data["name"]).split())

    def clean_logo(self) -> UploadedFile[bytes] | None:
        file: UploadedFile[bytes] | None = self.cleaned_data["logo"]
        if file is None:
            return None
        # The type is derived from the content, not from the file name.
        start = file.read(file_types.START)
        file.seek(0)
        kind = file_types.type_of(start)
        if kind is None or kind.name not in LOGO_TYPES:
            raise forms.ValidationError(_("The logo must be a PNG or JPEG file."))
        if (file.size or 0) > organisation.MOST_BYTES:
            raise forms.ValidationError(_("The logo is larger than 1 MB."))
        return file

    def logo_bytes(self) -> bytes | None:
        """The uploaded image, b"" to remove the logo, None to leave it as it is."""
        file = self.cleaned_data["logo"]
        if file is not None:
            content: bytes = file.read()
            return content
        if self.cleaned_data["remove_logo"]:
            return b""
        return None


@readers_only
@organisers_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def settings_page(request: HttpRequest) -> HttpResponse:
    row = organisation.current()
    initial = {
        "name": row.name,
        "contact": row.contact,
        "colour": row.colour,
        "colour_dark": row.colour_dark,
        "remind_days": row.remind_days,
        "remind_most": row.remind_most,
    }
    form = OrganisationForm(initial=initial)
    state = form_state.state_of(form)
    status = HTTPStatus.OK
    if request.method == "POST":
        form = OrganisationForm(request.POST, request.FILES, initial=initial)
        is_stale = form_state.refuse_stale(form, state, initial)
        if form.is_valid():
            # Empty numbers mean: no reminders, and the limit as it is.
            fields = form.cleaned_data
            organisation.change(
                actor=person_of(request),
                name=fields["name"],
                contact=fields["contact"],
                colour=fields["colour"],
                colour_dark=fields["colour_dark"],
                logo=form.logo_bytes(),
                remind_days=fields["remind_days"] or 0,
                remind_most=fields["remind_most"] or row.remind_most,
            )
            messages.info(request, _("Saved. Applicants see it from now on."))
            address = reverse("organisation")
            return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        if is_stale:
            status = HTTPStatus.CONFLICT
    context = {
        "nav": "organisation",
        "form": form,
        "state": state,
        "sender": row,
        "sender_name": organisation.name_of(row),
        "is_drawing": row.due_at is not None,
    }
    return render(request, "reviews/organisation.html", context, status=status)


# The address of both contains the time of the last change, so browsers may cache them.
@require_safe
@cache_control(public=True, max_age=3600)
def stylesheet(request: HttpRequest) -> HttpResponse:
    text = organisation.stylesheet(organisation.current())
    return HttpResponse(text, content_type="text/css; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=3600)
def logo(request: HttpRequest) -> HttpResponse:
    row = Organisation.objects.only("logo").first()
    if row is None or not row.logo:
        raise Http404
    response = HttpResponse(bytes(row.logo), content_type="image/webp")
    response["X-Content-Type-Options"] = "nosniff"
    return response
