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
        row = None
        if case:
            row = _case(case)
        for text in trail.export(row):
            self.stdout.write(text, ending="")


def _case(reference: str) -> Case:
    """The case with this reference. Raises CommandError unless there is exactly one."""
    cases = list(Case.objects.filter(reference=reference))
    if len(cases) != 1:
        raise CommandError(f"{len(cases)} cases have the reference {reference}.")
    return cases[0]
