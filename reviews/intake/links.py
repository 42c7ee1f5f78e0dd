"""Links for applicants. Their keys are signed, so no secret is stored for them.

The key is in the fragment of the address, after `#`. Browsers do not send that part, so no
server, proxy or other site sees it. The page at the address sends the key in a request body.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from reviews.models import InformationRequest, Invitation

# A key within copied text. Links of earlier versions had the key in the path, with the number
# first.
_KEYS = re.compile(r"(?P<signature>[\w-]{20,})\.(?P<pk>\d{1,18})(?!\d)")
_PATH_KEYS = re.compile(r"(?P<pk>\d{1,18}):(?P<signature>[\w-]{20,})")


@dataclass(frozen=True)
class LinkKind:
    """A purpose of links. `name` is the prefix of its paths and of the names of its pages."""

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
    """The address for the applicant."""
    kind = REQUEST
    if isinstance(link, Invitation):
        kind = INVITATION
    path = reverse(f"{kind.name}-open")
    return f"{settings.DESK_URL}{path}#{_key(kind, link.pk)}"


def row_id(kind: LinkKind, text: str) -> int | None:
    """The primary key of the row that a key in the text opens; None if there is no valid key.

    The text may be a whole address or only the key. Links of earlier versions work, too.
    """
    if match := _KEYS.search(text):
        return _signed_id(kind.signer, match["pk"], match["signature"])
    return path_row_id(kind, text)


def path_row_id(kind: LinkKind, text: str) -> int | None:
    """The same for keys of earlier versions only. Keys of this version open nothing in a path."""
    if match := _PATH_KEYS.search(text):
        return _signed_id(kind.path_signer, match["pk"], match["signature"])
    return None


def _key(kind: LinkKind, pk: int) -> str:
    # The last character is a digit: some programs drop a "-" at the end of links in a text.
    return f"{kind.signer.signature(str(pk))}.{pk}"


def _signed_id(signer: Signer, pk: str, signature: str) -> int | None:
    try:
        return int(signer.unsign(f"{pk}:{signature}"))
    except BadSignature:
        return None
