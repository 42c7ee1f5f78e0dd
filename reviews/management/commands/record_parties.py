from __future__ import annotations

from django.core.management.base import BaseCommand

from reviews.models import Case
from reviews.parties import recording


class Command(BaseCommand):
    help = "Make the parties of cases that were submitted before there were parties. Done again, it changes nothing."

    def handle(self, *args: object, **options: object) -> None:
        # One transaction per case, so the command can be interrupted and run again.
        cases = rows = 0
        keys = Case.objects.order_by("pk").values_list("pk", flat=True)
        for pk in keys.iterator():
            changes = recording.record_with_line(Case(pk=pk))
            if changes.rows:
                cases += 1
                rows += len(changes.rows)
        self.stdout.write(f"{rows} rows were made for {cases} cases.")
