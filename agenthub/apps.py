from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AgentHubConfig(AppConfig):
    name = "agenthub"
    verbose_name = "Agent hub"

    def ready(self) -> None:
        from agenthub import access

        post_migrate.connect(access.ensure, sender=self)
