"""The form of a webhook subscription, for the pages and the admin."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from compliance.http import standard_webhooks
from compliance.pages.secrets_form import SecretsForm
from reviews.models import SubscriptionEvent
from reviews.models.fields import of_decisions
from reviews.subscriptions import subscriptions


class SubscriptionForm(SecretsForm):
    events = forms.MultipleChoiceField(
        label=_("Events"),
        choices=SubscriptionEvent.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=of_decisions,
    )

    def clean_url(self) -> str:
        url = str(self.cleaned_data["url"])
        # A row of before can still be switched off.
        if "url" in self.changed_data:
            try:
                subscriptions.require_receiver(url)
            except ValidationError as exc:
                raise ValidationError(exc.messages) from exc
        return url

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance._state.adding:
            # Who invents a secret invents a short one, or one that libraries cannot read.
            field = self.fields["secret"]
            field.initial = standard_webhooks.new_secret()
            field.widget = forms.TextInput(
                attrs={"autocomplete": "off", "spellcheck": "false", "size": 60}
            )
            field.help_text = _(
                "Made for you. Copy it to the receiver now: it is not shown again. It signs what"
                " is sent."
            )
