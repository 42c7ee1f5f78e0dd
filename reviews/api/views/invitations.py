"""Endpoints for invitations: links by which applicants open a case themselves."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from compliance.languages import ENGLISH
from reviews.access import roles
from reviews.api import paging
from reviews.api.base import DeskView
from reviews.api.serialisation import who
from reviews.applicants import invitations
from reviews.intake import links, request_mails
from reviews.intake.cases import UnfitReferenceError
from reviews.models import Invitation, Scope
from reviews.wire import JsonObject


class Invitations(DeskView):
    @operation(
        "Invitations of applicants, newest first", Scope.SUBMIT, answer="Invitations",
        query=paging.QUERY,
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        roles.require(self.actor, roles.SUBMIT)
        return self.list_response(invitations.visible(self.actor), _invitation)

    @operation(
        "Invites an applicant to begin a case; the answer has the link", Scope.SUBMIT,
        status=201, answer="Invitation", body="NewInvitation", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        roles.require(self.actor, roles.SUBMIT)
        body = self.body
        agent = get_object_or_404(roles.agents(self.actor), pk=body["agent"])
        email = body.get("email", "").strip()
        if email and (fault := request_mails.fault_of(email)):
            raise Problem(422, fault, code="refused")
        try:
            row = invitations.create(
                agent,
                actor=self.actor,
                message=body.get("message", ""),
                reference=body.get("reference", "").strip(),
                days=body.get("days", invitations.DAYS),
                email=email,
                language=body.get("language", ENGLISH),
            )
        except invitations.ReferenceTakenError as exc:
            words = "A case, or another invitation, has this reference."
            raise Problem(409, words, code="reference_taken") from exc
        except UnfitReferenceError as exc:
            raise Problem(422, str(exc), code="refused") from exc
        return Response(_invitation(row), status=201)


class WithdrawInvitation(DeskView):
    @operation(
        "Ends the link of an invitation", Scope.SUBMIT, answer="Invitation",
        body="Nothing", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        roles.require(self.actor, roles.SUBMIT)
        _ = self.body  # validates that the body is empty
        row = get_object_or_404(invitations.visible(self.actor), pk=pk)
        if not invitations.withdraw(row, actor=self.actor):
            raise Problem(409, "The link has ended already.", code="not_now")
        row.refresh_from_db()
        return Response(_invitation(row))


def _invitation(row: Invitation) -> JsonObject:
    return {
        "id": row.pk,
        "agent": row.agent_id,
        "status": row.status,
        "reference": row.reference,
        "message": row.message,
        "made_by": who(row.made_by),
        "made_at": row.made_at,
        "expires_at": row.expires_at,
        "submitted_at": row.submitted_at,
        "case_id": row.case_id,
        # The holder of the link may open the case, so only users who may submit cases get it.
        "link": links.address(row) if invitations.is_open(row) else None,
    }
