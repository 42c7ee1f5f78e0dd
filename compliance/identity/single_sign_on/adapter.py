"""Who may sign in by the company's provider, and which account they sign in to."""

from __future__ import annotations

import logging

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from compliance.http import outbound
from compliance.identity.passwords import confirmed_addresses
from compliance.identity.single_sign_on import last_administrator
from compliance.identity.single_sign_on.openid_connect import Session
from compliance.identity.single_sign_on.roles import roles_of, set_roles

log = logging.getLogger(__name__)
KEPT = _(
    "Your groups at the company's provider do not make you an administrator any more. Your roles stay"
    " as they are, because nobody else could manage people. Add another administrator."
)


class SingleSignOnAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    def get_requests_session(self) -> Session:
        """The provider may have a private address, because an administrator has configured it."""
        allow_private = frozenset({outbound.origin(settings.OIDC_ISSUER)})
        return Session(allow_private=allow_private, is_personal=True)

    def list_apps(self, *args: object, **options: object) -> list[SocialApp]:
        """Only the provider of the settings. django-allauth would trust rows of the database, too:
        whoever can write there could add a provider of their own.
        """
        apps: list[SocialApp] = super().list_apps(*args, **options)
        return [app for app in apps if app.pk is None]

    def on_authentication_error(
        self, request: HttpRequest, provider: object, error: object = None,
        exception: Exception | None = None, extra_context: object = None,
    ) -> None:  # fmt: skip
        """Log why a login was refused. The page does not say it: the reason is for the operator."""
        if exception is not None:
            log.warning("A login by single sign-on was refused: %s.", exception)

    def is_open_for_signup(
        self, request: HttpRequest, sociallogin: SocialLogin
    ) -> bool:
        """Everybody whom the provider authenticates gets an account. Roles are checked below."""
        return True

    def authenticate_by_email(
        self, sociallogin: SocialLogin
    ) -> tuple[User, str] | None:
        """The one account with this verified address, as it is now.

        It is never a superuser's: the provider's groups only grant roles, and an e-mail address must
        not grant all rights. It is never an account that another person of the provider has used:
        companies give the address of somebody who left to the next person.
        """
        for address in sociallogin.email_addresses:
            if not address.verified:
                continue
            accounts = list(User.objects.filter(email__iexact=address.email)[:2])
            if len(accounts) == 1 and _may_be_opened(accounts[0], sociallogin):
                return accounts[0], address.email
        return None

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Set the roles that follow from the person's groups.

        Without any of them, refuse the login.
        """
        _confirm_address(sociallogin)
        if not settings.SINGLE_SIGN_ON_ROLES:
            return
        roles = roles_of(sociallogin)
        if sociallogin.is_existing:
            _follow_groups(request, sociallogin.user, roles)
        if not roles:
            page = render(request, "account/no_role.html", status=403)
            raise ImmediateHttpResponse(page)

    def save_user(
        self, request: HttpRequest, sociallogin: SocialLogin, form: object = None
    ) -> User:
        user: User = super().save_user(request, sociallogin, form)
        if confirmed_addresses.is_doubted(user):
            confirmed_addresses.unverified_came.send(
                sender=User, request=request, user=user
            )
        if settings.SINGLE_SIGN_ON_ROLES:
            set_roles(user, roles_of(sociallogin))
        return user


def _follow_groups(request: HttpRequest, user: User, roles: set[str]) -> None:
    """Give an existing person the roles of their groups, unless they are the last administrator.

    The last administrator keeps all roles. Somebody to whom the provider gives no role cannot sign in
    by the provider, but still by a password of their own, if they have one.
    """
    try:
        with transaction.atomic(), last_administrator.is_kept():
            set_roles(user, roles)
    except last_administrator.LastAdministratorError as exc:
        last_administrator.report(exc, by="single sign-on")
        messages.warning(request, KEPT)


def _may_be_opened(account: User, sociallogin: SocialLogin) -> bool:
    if account.is_superuser:
        return False
    is_in_use = account.has_usable_password() or account.last_login is not None
    if is_in_use and confirmed_addresses.is_doubted(account):
        log.warning("Nobody has confirmed the address of account %s.", account.pk)
        return False
    identities = SocialAccount.objects.filter(
        user=account, provider=sociallogin.account.provider
    )
    if identities.exists():
        log.warning(
            "Account %s has the address of somebody else of the provider.", account.pk
        )
        return False
    return True


def _confirm_address(sociallogin: SocialLogin) -> None:
    """Confirm the e-mail address of an existing account if the provider has verified that address."""
    if not sociallogin.is_existing:
        return
    user = sociallogin.user
    for address in sociallogin.email_addresses:
        if address.verified and address.email.casefold() == user.email.casefold():
            confirmed_addresses.confirm_address(user)
