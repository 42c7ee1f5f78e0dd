from __future__ import annotations

from django.core.management.base import BaseCommand

from reviews.privacy import traces


class Command(BaseCommand):
    help = "Remove what the database keeps of erased rows: VACUUM FULL on PostgreSQL, the log of SQLite."

    def handle(self, *args: object, **options: object) -> None:
        names = traces.vacuum()
        if names:
            self.stdout.write(f"{len(names)} tables were rewritten.")
        else:
            self.stdout.write("The search index is merged, and the log is emptied.")
