from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AgentHubConfig(AppConfig):
    name = "agenthub"
    verbose_name = "Agent hub"

    def ready(self) -> None:
        from agenthub.accounts import permissions, settings_rows
        from agenthub.privacy import data_map as of_hub
        from compliance.security import data_map

        data_map.register(*of_hub.TABLES)
        post_migrate.connect(permissions.ensure, sender=self)
        settings_rows.register()
