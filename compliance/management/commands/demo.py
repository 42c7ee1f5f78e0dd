from __future__ import annotations

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.startup import INSTALLATION

# There are invented names for the cases of six weeks.
MOST_DAYS = 42


class Command(BaseCommand):
    help = "Migrate, and make demo users, an account of the hub, a connection to it, and sample cases; once."

    # Only these checks: the others load every page, which takes a second.
    requires_system_checks = [INSTALLATION]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--cases",
            type=int,
            default=0,
            metavar="N",
            help="add N more cases, made up in bulk",
        )

        parser.add_argument(
            "--days",
            type=int,
            default=28,
            metavar="N",
            help="with cases that people decided in the last N days: 28, or 0 to 42",
        )

    def handle(self, *args: object, cases: int, days: int, **options: object) -> None:
        for name in ("DESK_ENABLED", "HUB_ENABLED"):
            if not getattr(settings, name):
                raise CommandError(
                    f"The demonstration needs both sides: {name} is off."
                )
        if not 0 <= days <= MOST_DAYS:
            raise CommandError(f"--days is a number from 0 to {MOST_DAYS}.")
        # Imported here: it imports both sides, which may not be installed.
        from compliance.demonstration import preparation

        call_command("migrate", verbosity=0, interactive=False)
        self.stdout.write(preparation.prepare(days))
        if cases > 0:
            preparation.add(cases)
            self.stdout.write(
                f"Added     {cases:,} cases that are made up: no check ran on them"
            )
