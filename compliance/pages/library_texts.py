"""Texts of django-allauth that our catalogues translate themselves.

Its German says du, and ours says Sie. A text in our catalogue goes before that of a library, wherever the
library shows it. Nothing imports this module: `make messages` reads it.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy

TEXTS = (
    gettext_lazy("Please type your current password."),
    gettext_lazy("Be patient, you are sending too many requests."),
    gettext_lazy("You must type the same password each time."),
    gettext_lazy("Your account has no verified email address."),
    gettext_lazy("You have signed out."),
    gettext_lazy("You have confirmed %(email)s."),
    gettext_lazy("You are already logged in as %(user_display)s."),
    gettext_lazy(
        "Forgotten your password? Enter your email address below, and we'll send you an email allowing you to"
        " reset it."
    ),
    gettext_lazy("Please contact us if you have any trouble resetting your password."),
    gettext_lazy(
        "We have sent you an email. If you have not received it please check your spam folder. Otherwise contact"
        " us if you do not receive it in a few minutes."
    ),
    gettext_lazy(
        "You are about to generate a new set of recovery codes for your account."
    ),
    gettext_lazy(
        "You are about to deactivate authenticator app based authentication. Are you sure?"
    ),
    gettext_lazy(
        "You are about to sign in using a third-party account from %(provider)s."
    ),
    gettext_lazy("Are you sure you want to sign out?"),
)
