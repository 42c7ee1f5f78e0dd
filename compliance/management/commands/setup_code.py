from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from compliance.setup import code


class Command(BaseCommand):
    help = "Print the code of the set-up page, while nobody has an account."

    def handle(self, *args: object, **options: object) -> None:
        if not code.is_open():
            raise CommandError("The installation is set up: somebody has an account.")
        self.stdout.write(code.current())
