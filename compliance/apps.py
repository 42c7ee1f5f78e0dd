from __future__ import annotations

from typing import ClassVar

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class ComplianceConfig(AppConfig):
    name = "compliance"

    def ready(self) -> None:
        from compliance import system_checks  # noqa: F401 - registers them


class StaticConfig(StaticFilesConfig):
    # htmx's extensions: we use none, and one of them names a file that is not there.
    ignore_patterns: ClassVar[list[str]] = [*StaticFilesConfig.ignore_patterns, "ext"]
