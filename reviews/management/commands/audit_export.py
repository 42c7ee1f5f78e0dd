from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reviews.audit import trail
from reviews.models import Case


class Command(BaseCommand):
    help = "Write the sealed lines of the audit trail, one a line: hash before, hash, text."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--case", metavar="REFERENCE", help="only the lines of this case"
        )

    def handle(self, *args: object, case: str | None, **options: object) -> None:
        found = list(Case.objects.filter(reference=case)) if case else []
        if case and len(found) != 1:
            raise CommandError(f"{len(found)} cases have the reference {case}.")
        for text in trail.export(found[0] if found else None):
            self.stdout.write(text, ending="")
