from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from reviews.privacy import traces


class Command(BaseCommand):
    help = "Remove what the database keeps of erased rows: VACUUM FULL on PostgreSQL, the log of SQLite."

    def handle(self, *args: object, **options: object) -> None:
        vacuum = traces.vacuum()
        if not vacuum.tables:
            self.stdout.write("The search index is merged, and the log is emptied.")
            return
        self.stdout.write(f"{len(vacuum.tables)} tables were rewritten.")
        if vacuum.has_statistics:
            self.stdout.write(
                "Old statistics of the planner, which quote values of rows, are still in a file. Run as the"
                " owner of the database: VACUUM (FULL) pg_catalog.pg_statistic"
            )
        if not vacuum.is_complete:
            raise CommandError(
                "A transaction that began before this command is still open, in this database or in another of"
                " the server. Erased rows that it could see are still in the files. Run the command again"
                " when it has ended."
            )
