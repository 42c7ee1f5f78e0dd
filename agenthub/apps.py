from __future__ import annotations

from django.apps import AppConfig


class AgentHubConfig(AppConfig):
    name = "agenthub"
    verbose_name = "Agent hub"
