"""URLs of account pages, below /account/. Their names are those that django-allauth expects.

There is no sign-up: administrators or the identity provider add people.
"""

from __future__ import annotations

from allauth.account import views as account
from allauth.mfa.webauthn import views as webauthn
from allauth.socialaccount import views as socialaccount
from django.urls import include, path, re_path

from compliance.identity.own_logins import confirm_by_password, own_logins_only
from compliance.identity.passwords import open_links
from compliance.identity.single_sign_on import openid_connect

urlpatterns = [
    path("inactive/", account.account_inactive, name="account_inactive"),
    path("reauthenticate/", confirm_by_password, name="account_reauthenticate"),
    path(
        "password/change/",
        own_logins_only(account.password_change),
        name="account_change_password",
    ),
    path(
        "password/set/",
        own_logins_only(account.password_set),
        name="account_set_password",
    ),
    path(
        "password/reset/",
        own_logins_only(account.password_reset),
        name="account_reset_password",
    ),
    path(
        "password/reset/done/",
        account.password_reset_done,
        name="account_reset_password_done",
    ),
    path("password/open/", own_logins_only(open_links.open_link), name="password-open"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        own_logins_only(open_links.set_password),
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path(
        "2fa/webauthn/login/",
        own_logins_only(webauthn.login_webauthn),
        name="mfa_login_webauthn",
    ),
    path("2fa/", include("allauth.mfa.urls")),
    path("sessions/", include("allauth.usersessions.urls")),
    path(
        "sso/<str:provider_id>/login/",
        openid_connect.login,
        name="openid_connect_login",
    ),
    path(
        "sso/<str:provider_id>/login/callback/",
        openid_connect.callback,
        name="openid_connect_callback",
    ),
    path(
        "sso/cancelled/",
        socialaccount.login_cancelled,
        name="socialaccount_login_cancelled",
    ),
    path("sso/error/", socialaccount.login_error, name="socialaccount_login_error"),
    path("sso/signup/", socialaccount.signup, name="socialaccount_signup"),
    path("saml/", include("compliance.identity.single_sign_on.saml.urls")),
]
