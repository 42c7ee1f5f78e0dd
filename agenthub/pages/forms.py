"""Forms with which administrators manage the hub."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agenthub.agents import configuration, requirements
from agenthub.models import Account, Agent
from agenthub.wire import Wire
from checks.base import Check
from compliance.http.api.form_fields import JSONField
from compliance.pages.admin import MomentInput


class AccountForm(forms.ModelForm[Account]):
    class Meta:
        model = Account
        fields = ("name",)
        labels = {"name": gettext_lazy("Name")}


class LimitsForm(forms.ModelForm[Account]):
    """The share of an account, and its limits of open jobs and documents."""

    class Meta:
        model = Account
        fields = ("share", "max_open_jobs", "max_open_documents")
        labels = {
            "share": gettext_lazy("Share"),
            "max_open_jobs": gettext_lazy("Open jobs at most"),
            "max_open_documents": gettext_lazy("Open documents at most"),
        }
        help_texts = {
            "share": gettext_lazy(
                "How often it has its turn while others wait, too: 2 is twice as often as 1."
            ),
            "max_open_jobs": gettext_lazy(
                "Jobs that have not ended. Empty: as the installation has it; 0: any number."
            ),
            "max_open_documents": gettext_lazy(
                "Documents of these jobs. Empty: as the installation has it; 0: any number."
            ),
        }


class KeyForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=80,
        help_text=gettext_lazy("Which system will use the key."),
    )
    expires_at = forms.DateTimeField(
        required=False,
        label=gettext_lazy("Expires"),
        widget=MomentInput(),
        help_text=gettext_lazy("Empty: in a year, or as this installation has it."),
    )

    def clean_expires_at(self) -> datetime | None:
        moment: datetime | None = self.cleaned_data["expires_at"]
        if moment is not None and moment <= now():
            raise ValidationError(_("That moment has passed."))
        return moment


class RotationForm(forms.Form):
    """When the next secret starts to sign."""

    hours = forms.TypedChoiceField(
        label=gettext_lazy("The new one signs"),
        coerce=int,
        initial=24,
        choices=[
            (0, gettext_lazy("at once")),
            (1, gettext_lazy("in an hour")),
            (24, gettext_lazy("in a day")),
            (168, gettext_lazy("in a week")),
        ],
        help_text=gettext_lazy(
            "Until then the present one signs: time to tell the receivers, which then take both."
        ),
    )

    @property
    def overlap(self) -> timedelta:
        return timedelta(hours=self.cleaned_data["hours"])


class AgentForm(forms.ModelForm[Agent]):
    """An agent with its checks, their order and their arguments."""

    class Meta:
        model = Agent
        fields = ("name", "key", "is_active")
        labels = {
            "name": gettext_lazy("Name"),
            "key": gettext_lazy("Key"),
            "is_active": gettext_lazy("Active"),
        }
        help_texts = {
            "key": gettext_lazy(
                "Clients name the agent by it. Left empty, one is made."
            )
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.catalogue = configuration.catalogue(self.instance.kind)
        self.fields["key"].required = False
        if not self.instance._state.adding:
            # Clients and jobs refer to the agent by its key.
            self.fields["key"].disabled = True
            words = _("Cannot be changed: clients name the agent by it.")
            self.fields["key"].help_text = words
        lines = requirements.BY_KIND[self.instance.kind]
        self.fields["requirements"] = forms.MultipleChoiceField(
            required=False,
            choices=[(line.id, line.title) for line in lines],
            initial=self.instance.requirements,
            widget=forms.CheckboxSelectMultiple,
        )
        # Checks that the agent runs have their position in it; the others an empty field.
        set_up = {}
        for entry in self.instance.checks:
            set_up[entry["check_id"]] = entry
        places = list(set_up)
        for number, check in enumerate(self.catalogue):
            if check.id in places:
                place = places.index(check.id) + 1
            else:
                place = None
            self._add(number, check, set_up.get(check.id, {}), place)

    def _add(self, number: int, check: Check, entry: Wire, place: int | None) -> None:
        self.fields[f"order_{number}"] = forms.IntegerField(
            required=False,
            min_value=1,
            max_value=999,
            initial=place,
            label=_("Place of %(check)s") % {"check": _(check.title)},
        )
        self.fields[f"arguments_{number}"] = JSONField(
            required=False,
            initial=entry.get("arguments") or {},
            label=_("Arguments of %(check)s") % {"check": _(check.title)},
            widget=forms.TextInput(attrs={"spellcheck": "false"}),
            error_messages={"invalid": _("Not JSON.")},
        )

    @property
    def rows(self) -> Iterator[tuple[Check, forms.BoundField, forms.BoundField]]:
        """Per check of the catalogue: the check and its two fields, for the page."""
        for number, check in enumerate(self.catalogue):
            yield check, self[f"order_{number}"], self[f"arguments_{number}"]

    def clean_key(self) -> str:
        return self.cleaned_data["key"] or configuration.new_key(self.instance.kind)

    def clean(self) -> Wire:
        cleaned = super().clean() or self.cleaned_data
        kind = self.instance.kind
        entries: list[tuple[int, Wire]] = []
        for number, check in enumerate(self.catalogue):
            place = cleaned.get(f"order_{number}")
            arguments = cleaned.get(f"arguments_{number}")
            problem = _problem(check, place, arguments)
            if problem:
                self.add_error(f"arguments_{number}", problem)
            elif place is not None:
                entries.append(
                    (place, {"check_id": check.id, "arguments": arguments or {}})
                )
        entries.sort(key=lambda pair: pair[0])
        checks = [entry for _, entry in entries]
        self.instance.checks = configuration.clean_checks(checks, kind=kind)
        names = cleaned.get("requirements") or []
        try:
            self.instance.requirements = requirements.clean(names, kind=kind)
        except ValidationError as exc:
            self.add_error("requirements", exc)
        return cleaned


def _problem(check: Check, place: int | None, arguments: object) -> str:
    """The error in the arguments of a check; empty if there is none."""
    if not arguments:
        return ""
    if not isinstance(arguments, dict):
        return _("Not a JSON object.")
    wrong = configuration.wrong_arguments(check, arguments)
    if wrong:
        return " ".join(wrong.values())
    if place is None:
        return _("Give the check a place, or leave this empty.")
    return ""
