from __future__ import annotations

from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "compliance.approvals"

    def ready(self) -> None:
        from compliance.approvals import people

        people.register()
