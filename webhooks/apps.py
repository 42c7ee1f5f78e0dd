from __future__ import annotations

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "webhooks"

    def ready(self) -> None:
        from compliance.security import data_map
        from reviews.api import schemas
        from reviews.service import received_webhooks
        from webhooks.api.schemas import SCHEMAS
        from webhooks.for_desk import TABLES, EventsForDesk, register_dead_letters

        data_map.register(*TABLES)
        received_webhooks.register(EventsForDesk())
        register_dead_letters()
        # Registered here instead of with the views, because processes without URLs validate bodies,
        # too.
        schemas.register(SCHEMAS)
