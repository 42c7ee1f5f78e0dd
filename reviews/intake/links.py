"""Addresses for applicants. A link is signed, so that no secret is stored for it."""

from __future__ import annotations

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from reviews.models import InformationRequest, Invitation

_requests = Signer(salt="reviews.request")
_invitations = Signer(salt="reviews.invitation")


def address(link: InformationRequest | Invitation) -> str:
    """The address of the page that takes the answer."""
    if isinstance(link, Invitation):
        path = reverse("apply", args=[_invitations.sign(str(link.pk))])
    else:
        path = reverse("request", args=[_requests.sign(str(link.pk))])
    return f"{settings.DESK_URL}{path}"


def request_id(token: str) -> int | None:
    """The request that a token is for. None for a token that was never given."""
    return _id(_requests, token)


def invitation_id(token: str) -> int | None:
    """The invitation that a token is for. None for a token that was never given."""
    return _id(_invitations, token)


def _id(signer: Signer, token: str) -> int | None:
    try:
        return int(signer.unsign(token))
    except (BadSignature, ValueError):
        return None
