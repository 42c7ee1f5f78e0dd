from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ReviewsConfig(AppConfig):
    name = "reviews"

    def ready(self) -> None:
        from reviews import roles

        post_migrate.connect(roles.ensure, sender=self)
