from __future__ import annotations

from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "compliance.approvals"

    def ready(self) -> None:
        from compliance.approvals import data_map as of_approvals
        from compliance.approvals import people, proposals
        from compliance.approvals.models import Proposal
        from compliance.identity.people import deactivated
        from compliance.security import data_map, decisive_rows

        fields = "status title content made_by made_at ended_by ended_at reason"
        decisive_rows.declare(Proposal, fields)
        data_map.register(*of_approvals.TABLES)
        people.register()
        deactivated.connect(proposals.withdraw_all)
