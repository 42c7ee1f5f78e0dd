from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate, post_save


class ReviewsConfig(AppConfig):
    name = "reviews"

    def ready(self) -> None:
        from compliance.operation import health
        from reviews.access import roles
        from reviews.audit import triggers
        from reviews.decisions import policy
        from reviews.people import sla
        from reviews.service import pauses

        for ensure in (roles.ensure, triggers.ensure, policy.ensure, sla.ensure):
            post_migrate.connect(ensure, sender=self)
        post_save.connect(_record_settings, sender="admin.LogEntry")
        post_save.connect(pauses.connection_saved, sender="reviews.Connection")
        health.add("services", pauses.told_at_health)


def _record_settings(instance: Any, **_: Any) -> None:
    """What an administrator changes in the admin is a line of the trail, too."""
    from reviews.audit import trail

    data = {
        "what": str(instance.content_type),
        "which": instance.object_repr,
        "act": instance.get_action_flag_display(),
        "changed": instance.change_message,
    }
    trail.record(None, "settings_changed", data, user=instance.user)
