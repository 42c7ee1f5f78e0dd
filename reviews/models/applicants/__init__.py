"""Models for applicants: the organisation that they see, invitations, and mails with links."""

from __future__ import annotations

from reviews.models.applicants.invitations import Invitation
from reviews.models.applicants.mails import RefusedDocument, RequestMail
from reviews.models.applicants.organisation import Organisation

__all__ = ["Invitation", "Organisation", "RefusedDocument", "RequestMail"]
