"""Links for applicants. The key of a link is signed, so that no secret is stored for it.

The key stands behind the `#` of the address: browsers keep that part, so neither a server nor a proxy
nor another site sees it. The page at the address sends the key in a body.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from reviews.models import InformationRequest, Invitation

# A key within a text that somebody has copied. Those of links in paths, of earlier versions, have
# the number first.
_KEYS = re.compile(r"(?P<signature>[\w-]{20,})\.(?P<pk>\d{1,18})(?!\d)")
_PATH_KEYS = re.compile(r"(?P<pk>\d{1,18}):(?P<signature>[\w-]{20,})")


@dataclass(frozen=True)
class LinkKind:
    """What a link is for. `name` is the beginning of its paths and the name of its page."""

    name: str
    signer: Signer
    path_signer: Signer


REQUEST = LinkKind(
    "request",
    Signer(salt="reviews.request.key"),
    Signer(salt="reviews.request"),
)
INVITATION = LinkKind(
    "apply",
    Signer(salt="reviews.invitation.key"),
    Signer(salt="reviews.invitation"),
)


def address(link: InformationRequest | Invitation) -> str:
    """The address that is sent to the applicant."""
    kind = REQUEST
    if isinstance(link, Invitation):
        kind = INVITATION
    path = reverse(f"{kind.name}-open")
    return f"{settings.DESK_URL}{path}#{_key(kind, link.pk)}"


def row_id(kind: LinkKind, text: str) -> int | None:
    """The row of the key in a text. None where there is none, or one that was never given.

    The text may be the whole address or its key, and a link of an earlier version.
    """
    if match := _KEYS.search(text):
        return _signed_id(kind.signer, match["pk"], match["signature"])
    return path_row_id(kind, text)


def path_row_id(kind: LinkKind, text: str) -> int | None:
    """The same for keys of earlier versions alone: those of this one open nothing in a path."""
    if match := _PATH_KEYS.search(text):
        return _signed_id(kind.path_signer, match["pk"], match["signature"])
    return None


def _key(kind: LinkKind, pk: int) -> str:
    # A digit is the last: some programs leave a "-" at the end out when they find links in a text.
    return f"{kind.signer.signature(str(pk))}.{pk}"


def _signed_id(signer: Signer, pk: str, signature: str) -> int | None:
    try:
        return int(signer.unsign(f"{pk}:{signature}"))
    except BadSignature:
        return None
