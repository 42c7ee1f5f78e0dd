"""The roles that follow from the groups of a person at the provider."""

from __future__ import annotations

from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.contrib.auth.models import Group, User

# Where our account of a person has the groups, by protocol: saml/views.py and answers.py write them.
SAML_GROUPS = "saml_groups"
OPENID_GROUPS = "openid_groups"


def roles_of(sociallogin: SocialLogin) -> set[str]:
    """The roles for the groups in the provider's claims, by SINGLE_SIGN_ON_ROLES."""
    groups = _groups(sociallogin.account.extra_data)
    return {role for group, role in settings.SINGLE_SIGN_ON_ROLES if group in groups}


def _groups(claims: dict[str, object]) -> set[str]:
    if settings.SAML_IDP_ENTITY_ID:
        return _names(claims.get(SAML_GROUPS))
    groups: set[str] = set()
    for part in (claims.get("userinfo"), claims.get("id_token")):
        if isinstance(part, dict):
            groups |= _names(part.get(OPENID_GROUPS))
    return groups


def _names(groups: object) -> set[str]:
    if isinstance(groups, list):
        return {name for name in groups if isinstance(name, str)}
    return set()


def set_roles(user: User, roles: set[str]) -> None:
    """Give a person exactly these roles."""
    now = set(user.groups.values_list("name", flat=True))
    if now != roles:
        user.groups.set(Group.objects.filter(name__in=roles))
