from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AgentHubConfig(AppConfig):
    name = "agenthub"
    verbose_name = "Agent hub"

    def ready(self) -> None:
        from agenthub.accounts import permissions, settings_rows

        post_migrate.connect(permissions.ensure, sender=self)
        settings_rows.register()
