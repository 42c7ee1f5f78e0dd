from __future__ import annotations

from django.apps import AppConfig


class BackupConfig(AppConfig):
    name = "compliance.backup"

    def ready(self) -> None:
        # The system check registers itself.
        from compliance.backup import marker  # noqa: F401
