"""The public keys of the audit trail, for verifying evidence packs. Needs no login."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from reviews.audit import signing


@require_safe
def audit_keys(request: HttpRequest) -> JsonResponse:
    """`{"keys": [{"id", "algorithm", "public"}]}`, including earlier keys. `public` is
    hexadecimal.
    """
    keys = []
    for key_id, public in signing.public_keys().items():
        keys.append({"id": key_id, "algorithm": "Ed25519", "public": public})
    return JsonResponse({"keys": keys})
