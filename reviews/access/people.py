"""What an administrator does with the people who use the desk: add, invite, switch off.

The caller checks the permission to change users. Pages and the admin share these functions.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.http import HttpRequest
from django.utils.translation import gettext as _

from compliance.approvals import people
from compliance.approvals.registry import needs_second_person
from compliance.identity import invitations
from reviews.audit import trail


class NotInvitedError(Exception):
    """The person cannot be invited; the message says why."""


def add(
    *,
    username: str,
    full_name: str,
    email: str,
    groups: Iterable[Group],
    is_staff: bool,
) -> User:
    """Create a user without a password: the person sets one through the link of an invitation."""
    first_name, _space, last_name = full_name.partition(" ")
    user = User(
        username=username,
        first_name=first_name,
        last_name=last_name.strip(),
        email=email,
        is_staff=is_staff,
    )
    user.set_unusable_password()
    user.save()
    user.groups.set(groups)
    return user


def username_from(email: str) -> str:
    """A user name that nobody has yet: what stands before the @, with a number if needed."""
    name = email.partition("@")[0].lower()[:100]
    UnicodeUsernameValidator()(name)
    free = name
    number = 1
    while User.objects.filter(username__iexact=free).exists():
        number += 1
        free = f"{name}{number}"
    return free


def objection(actor: User, person: User) -> str:
    """Why this actor cannot invite the person, as a sentence; empty if they can."""
    if not person.is_active or not people.may_manage(actor, person):
        return _("%(person)s: you cannot invite this person.") % {"person": person}
    if person.has_usable_password() and needs_second_person("people"):
        # Whoever receives the link could act as both persons, and bypass the four-eyes rule.
        sentence = _("%(person)s has a password, and asks for another by mail.")
        return sentence % {"person": person}
    if settings.EMAIL_HOST and not person.email:
        return _("%(person)s has no e-mail address.") % {"person": person}
    return ""


def invite(request: HttpRequest, actor: User, person: User) -> str:
    """Mail an invitation. Without a mail server, return the link, for the actor to hand over.

    Raises NotInvitedError.
    """
    fault = objection(actor, person)
    if fault:
        raise NotInvitedError(fault)
    link = ""
    if settings.EMAIL_HOST:
        invitations.send(request, person)
    else:
        link = invitations.link(person)
    trail.record(None, "invited", {"user_id": person.pk}, user=actor)
    return link
