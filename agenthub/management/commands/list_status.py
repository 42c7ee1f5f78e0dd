"""`manage.py list_status`: which lists are loaded, how old they are."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from agenthub.screening import status


class Command(BaseCommand):
    help = "Say which lists are loaded, in which version, and whether they are stale."

    def handle(self, *_: Any, **__: Any) -> None:
        states = status.all_lists()
        if not states:
            self.stdout.write("No list is known. Load one: manage.py load_list ofac_sdn SDN.XML")
        for one in states:
            state = "STALE" if one.is_stale else "active" if one.version else "NOT LOADED"
            self.stdout.write(
                f"{one.slug:24} {state:10} published {one.published_at or '-':10} "
                f"loaded {one.loaded_at or '-':20} {one.entities:>9,} entries {one.names:>9,} names"
            )
            if one.refused:
                self.stdout.write(f"{'':24} last load refused: {one.refused}")
