"""`manage.py list_status`: which lists are loaded, how old they are."""

from __future__ import annotations

from django.conf import settings
from django.core.management.base import BaseCommand

from agenthub.screening import status


class Command(BaseCommand):
    help = "Say which lists are loaded, in which version, and whether they are stale."

    def handle(self, *_: object, **__: object) -> None:
        lists = status.all_lists()
        if not lists:
            self.stdout.write(
                "No list is known."
                f" Load one: {settings.PROGRAM} load_list ofac_sdn SDN.XML"
            )
        for row in lists:
            state = "NOT LOADED"
            if row.is_stale:
                state = "STALE"
            elif row.version:
                state = "active"
            self.stdout.write(
                f"{row.slug:24} {state:10} published {row.published_at or '-':10} "
                f"loaded {row.loaded_at or '-':20} {row.entities:>9,} entries {row.names:>9,} names"
            )
            if row.refused:
                self.stdout.write(f"{'':24} last load refused: {row.refused}")
