from __future__ import annotations

from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "compliance.approvals"

    def ready(self) -> None:
        from compliance.approvals import data_map as of_approvals
        from compliance.approvals import people
        from compliance.security import data_map

        data_map.register(*of_approvals.TABLES)
        people.register()
