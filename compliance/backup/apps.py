from __future__ import annotations

from django.apps import AppConfig


class BackupConfig(AppConfig):
    name = "compliance.backup"

    def ready(self) -> None:
        # Importing `marker` registers its system check.
        from compliance.backup import doctor, marker  # noqa: F401
        from compliance.operation.doctor import registry

        registry.add("backup", doctor.last_backup)
