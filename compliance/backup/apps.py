from __future__ import annotations

from django.apps import AppConfig


class BackupConfig(AppConfig):
    name = "compliance.backup"

    def ready(self) -> None:
        # Importing the module registers its system check.
        from compliance.backup import marker  # noqa: F401
