from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Make demo users, an account of the hub, a connection to it, and sample cases; once."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.HUB_ENABLED:
            raise CommandError("The demonstration needs the embedded hub: HUB_ENABLED is off.")
        # Imported here: it imports the hub, which may not be installed.
        from compliance import demonstration

        self.stdout.write(demonstration.prepare())
