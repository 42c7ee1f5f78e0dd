"""The form of a webhook subscription, for the pages and the admin."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from compliance.pages.secrets_form import SecretsForm
from reviews.models import SubscriptionEvent
from reviews.models.fields import of_decisions


class SubscriptionForm(SecretsForm):
    events = forms.MultipleChoiceField(
        label=_("Events"),
        choices=SubscriptionEvent.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=of_decisions,
    )
