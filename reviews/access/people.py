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
from compliance.pages.own_address import links
from compliance.security import user_names
from reviews.audit import trail
from reviews.models import Organisation


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
    name = user_names.normal(email.partition("@")[0]).lower()[:100]
    UnicodeUsernameValidator()(name)
    user_names.require_one_script(name)
    free = name
    number = 1
    while User.objects.filter(username__iexact=free).exists():
        number += 1
        free = f"{name}{number}"
    return free


def change_address(
    request: HttpRequest, actor: User, person: User, address: str
) -> bool:
    """Change the address of a colleague who has not accepted the invitation yet, or ask them to
    confirm the new one by a link. Returns whether it has changed.

    The caller has checked `objection_to_address`.
    """
    if person.has_usable_password():
        links.send(request, person, address, by=actor)
        data = {"user_id": person.pk}
        trail.record(None, "address_change_asked", data, user=actor)
        return False
    # A signal writes the line of the trail. Whoever has the password sets it by an invitation to
    # the new address.
    person.email = address
    person.save(update_fields=["email"])
    return True


def objection_to_address(actor: User, person: User) -> str:
    """Why this actor cannot change the address of the person, as a sentence; empty if they can."""
    if person.pk == actor.pk:
        return _("You change your own address on the page of your account.")
    if links.is_managed_elsewhere(person):
        return _("A single sign-on or a directory manages this address.")
    if not person.is_active:
        return _("This person is deactivated.")
    if not person.has_usable_password() and person.last_login is not None:
        return _("This person logs in without a password: nothing would confirm it.")
    if person.has_usable_password() and not settings.EMAIL_HOST:
        return _(
            "The person confirms a new address by e-mail, and no mail server is set."
        )
    return ""


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
        names = Organisation.objects.values_list("name", flat=True)
        name = names.first() or ""
        invitations.send(request, person, by=actor, organisation=name)
    else:
        link = invitations.link(person)
    trail.record(None, "invited", {"user_id": person.pk}, user=actor)
    return link
